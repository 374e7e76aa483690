import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import type { PushHosts } from '../../../clients/push.hosts';
import type { BrowserKeys, Pushed, PushMessage, PushServices } from '../../../clients/push.services';
import type { BrowserPush } from '../../../notice.types';
import { mayHear, seesAllChats, type Listener } from '../notice.audience';
import { usualWays } from '../notice.events';
import { pushPurpose } from './subscriptions';

/** A browser whose member may still be told: $3 the event, $4 the team of the chat. */
export const DUE = `
  SELECT b.user_id AS "userId", b.sealed, b.not_before AS "notBefore", m.push_content AS shows, m.system_role AS role, r.abilities, p.push,
    $4::text = ANY (m.chat_team_ids) OR EXISTS (SELECT FROM chat_team t WHERE t.store_id = m.store_id AND t.id = $4 AND NOT t.private) AS seated
  FROM push_subscription b
    JOIN membership m ON m.store_id = b.store_id AND m.user_id = b.user_id AND m.status = 'active'
    JOIN store s ON s.store_id = b.store_id AND s.status <> 'suspended'
    LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
    LEFT JOIN notification_preference p ON p.store_id = b.store_id AND p.user_id = b.user_id AND p.event = $3
  WHERE b.store_id = $1 AND b.id = $2`;
/** Not one that was given anew meanwhile: $3 as it was. */
const GONE = 'DELETE FROM push_subscription WHERE store_id = $1 AND id = $2 AND sealed = $3';
const QUIET = 'UPDATE push_subscription SET not_before = $3 WHERE store_id = $1 AND id = $2';
/** Written once a day, however often it is reached. */
const SEEN = `
  UPDATE push_subscription SET seen_at = $3, not_before = NULL
  WHERE store_id = $1 AND id = $2 AND (seen_at < $3::timestamptz - interval '1 day' OR not_before IS NOT NULL)`;

interface Due extends Listener {
  readonly userId: string;
  readonly sealed: string;
  readonly notBefore: Date | null;
  readonly shows: boolean;
  readonly push: boolean | null;
  readonly seated: boolean;
}

interface Parts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly box: SecretBox;
  readonly services: PushServices;
  readonly hosts: PushHosts;
}

/** The push service did not take it, and is asked again. */
export class NotPushed extends Error {}

/** Ours and theirs together are bounded (RFC 8030 section 7.2: 4096 bytes, some services take less). */
export const MOST_BYTES = 3_000;

const fits = (text: string): boolean => Buffer.byteLength(text) <= MOST_BYTES;

/** What the service worker reads. */
export const textOf = (
  { title, body: written, discreet, url, tag }: Omit<BrowserPush, 'storeId' | 'id' | 'userId' | 'event'>,
  shows: boolean,
): string => {
  const body = (shows ? written : undefined) ?? discreet;
  const whole = JSON.stringify({ title, body, url, tag });
  return fits(whole) ? whole : JSON.stringify({ title, url, tag });
};

const messageOf = (push: BrowserPush, { shows }: Due): PushMessage => ({
  ...{ text: textOf(push, shows), topic: push.tag, urgent: push.event === 'chat.message' },
});

const mayBeTold = ({ userId, event, named, team }: BrowserPush, due: Due): boolean =>
  (userId ?? due.userId) === due.userId &&
  (due.push ?? usualWays(event).push) &&
  (named === true || mayHear(due, event)) &&
  (team === undefined || due.seated || seesAllChats(due));

/**
 * Sends to one browser. What its member may hear is asked again before every try; a process that dies between the send and its note leaves the
 * job to the next, whose message takes the place of the first: one topic on the way, one tag on the screen.
 */
export class PushSends {
  constructor(private readonly parts: Parts) {}

  async send(push: BrowserPush, job: Pick<JobContext, 'signal' | 'attempt' | 'maxAttempts'>): Promise<void> {
    const { sql, clock, services, hosts } = this.parts;
    const { storeId, id, event, team = null } = push;
    const [due] = await sql.query<Due>(DUE, [storeId, id, event, team]);
    if (!due || !mayBeTold(push, due)) return;
    const isLast = job.attempt >= job.maxAttempts;
    if (due.notBefore && due.notBefore > clock.now()) return this.again(isLast, push, 'wants to be left alone');
    const keys = this.keysOf(push, due);
    if (!keys) return void (await sql.query(GONE, [storeId, id, due.sealed]));
    const send = () => services.send(keys, messageOf(push, due), job.signal);
    await this.note(push, due, await hosts.call(keys.endpoint, storeId, send), isLast);
  }

  /** Undefined: its key is gone, so nobody can be told there. */
  private keysOf({ storeId, id }: BrowserPush, { sealed }: Due): BrowserKeys | undefined {
    try {
      return JSON.parse(this.parts.box.open(sealed, pushPurpose(storeId, id))) as BrowserKeys;
    } catch {
      return undefined;
    }
  }

  private async note(push: BrowserPush, due: Due, pushed: Pushed, isLast: boolean): Promise<void> {
    const { sql, clock, logger } = this.parts;
    const { storeId, id } = push;
    const { kind, status } = pushed;
    if (kind === 'taken') await sql.query(SEEN, [storeId, id, clock.now()]);
    else if (kind === 'gone') await sql.query(GONE, [storeId, id, due.sealed]);
    else if (kind === 'refused') logger.warn('a push service refuses a message', { storeId, browser: id, status });
    else {
      const quiet = (pushed as { readonly afterSeconds?: number }).afterSeconds;
      if (quiet) await sql.query(QUIET, [storeId, id, new Date(clock.now().getTime() + quiet * 1000)]);
      this.again(isLast, push, status === undefined ? 'did not answer' : `answered ${status}`);
    }
  }

  /** Throws, so that the job comes again, unless it was the last time: news that old is none. */
  private again(isLast: boolean, { storeId, id }: BrowserPush, why: string): void {
    if (!isLast) throw new NotPushed(`the push service ${why}`);
    this.parts.logger.warn('a browser could not be told', { storeId, browser: id, why });
  }
}
