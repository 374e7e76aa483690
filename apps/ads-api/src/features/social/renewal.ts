import { notAhead, type Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Tasks } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import { GraphRefused } from '../../clients/graph.failures';
import type { GrantedToken, TokenCalls, UpstreamToken } from '../../clients/graph.types';
import { deathOf } from '../../clients/graph.verdict';
import type { AdsJobs, Queue } from '../../jobs';
import type { StoredTokens } from './stored-tokens';
import type { TokenBox } from './token.box';

const DAY_MS = 86_400_000;
/** So long before its end a token is exchanged for a new one. */
const AHEAD_MS = 7 * DAY_MS;
/** Of applications together, and of one: a slow exchange of one keeps no other waiting. */
const PLACES = { concurrency: 4, most: 1 };

export interface RenewalParts {
  readonly database: Sql;
  readonly queue: Queue;
  readonly tokens: StoredTokens;
  readonly box: TokenBox;
  readonly graph: Pick<TokenCalls, 'longLived' | 'debugToken'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Jobs = Pick<Tasks<AdsJobs>, 'social.expiring' | 'social.renew'>;

/** Of all applications: it is the work of the service itself. */
const ENDED = `UPDATE social_tokens SET is_active = false, inactive_reason = 'token_expired'
  WHERE is_active AND expires_at <= $1`;

/** Those that end soon and about which nobody was told yet. */
const dueStatement = (queue: Queue): string => `
  WITH due AS (
    SELECT application_id, id FROM social_tokens WHERE is_active AND expires_at < $1 AND inactive_reason IS NULL)
  SELECT count((${queue.expression('social.renew', {
    payload: `json_build_object('applicationId', application_id, 'tokenId', id)`,
    key: `'social.renew:' || id`,
    maxAttempts: 3,
  })}).id) FROM due`;

/** Where the row still holds the token that was asked about: somebody may have connected anew meanwhile. */
const OF_THE_SAME = `WHERE application_id = $1 AND id = $2 AND is_active AND ciphertext = $3`;

/** Upstream's tokens end after about 60 days: they are renewed before, or people are asked to connect anew (design 3.7). */
export class Renewal {
  constructor(private readonly parts: RenewalParts) {}

  /** Marks what has ended and enqueues what ends soon. */
  async lookAhead(): Promise<void> {
    const { database, queue } = this.parts;
    // What is marked nobody undoes
    const now = (await notAhead(database, this.parts)).now();
    await database.query(ENDED, [now]);
    await database.query(dueStatement(queue), [new Date(now.getTime() + AHEAD_MS)]);
  }

  /** What upstream cannot do now is tried again in an hour. */
  async renew(applicationId: string, tokenId: string): Promise<void> {
    const { tokens, graph, logger } = this.parts;
    const row = await tokens.stored(applicationId, tokenId);
    if (!row) return;
    try {
      const granted = await graph.longLived(applicationId, row.token.accessToken);
      await this.take(row.token, row.ciphertext, { ...granted, expiresAt: await this.endOf(applicationId, granted) });
    } catch (thrown) {
      if (thrown instanceof GraphRefused) return this.refused(row.token, row.ciphertext, thrown);
      if (!(thrown instanceof Unavailable)) throw thrown;
      logger.info('a token could not be renewed now', { applicationId, tokenId, reason: thrown.message });
    }
  }

  /** An exchange that names no end does not say that there is none: a token nobody watches would end unseen. */
  private async endOf(applicationId: string, { accessToken, expiresAt }: GrantedToken): Promise<Date | null> {
    return expiresAt ?? (await this.parts.graph.debugToken(applicationId, accessToken)).expiresAt;
  }

  /** Whether an exchange extends a user's token is not documented: only one that ends later is worth having. */
  private async take(token: UpstreamToken, before: string, granted: GrantedToken): Promise<void> {
    const { database, box, clock } = this.parts;
    const soon = clock.now().getTime() + AHEAD_MS;
    if (granted.expiresAt !== null && granted.expiresAt.getTime() <= soon) return this.reconnect(token, before);
    const { id, applicationId } = token;
    const { ciphertext, keyId } = box.seal(applicationId, id, granted.accessToken);
    await database.query(
      `UPDATE social_tokens SET ciphertext = $4, key_id = $5, expires_at = $6, inactive_reason = NULL ${OF_THE_SAME}`,
      [applicationId, id, before, ciphertext, keyId, granted.expiresAt],
    );
  }

  private async refused(token: UpstreamToken, before: string, { words }: GraphRefused): Promise<void> {
    const death = deathOf({ code: words.code, error_subcode: words.subcode });
    return death === undefined ? this.reconnect(token, before) : this.parts.tokens.died(token, death);
  }

  private async reconnect({ id, applicationId }: UpstreamToken, before: string): Promise<void> {
    const { database, logger } = this.parts;
    await database.query(`UPDATE social_tokens SET inactive_reason = 'reconnect_soon' ${OF_THE_SAME}`, [
      ...[applicationId, id, before],
    ]);
    logger.warn('a social account should be connected anew: its token ends soon', { applicationId, tokenId: id });
  }
}

export const renewalJobs = (renewal: Renewal): Jobs => ({
  'social.expiring': { effect: 'inside', cron: [{ pattern: '17 * * * *' }], run: () => renewal.lookAhead() },
  'social.renew': {
    effect: 'outside',
    run: ({ applicationId, tokenId }) => renewal.renew(applicationId, tokenId),
  },
});

export const renewalRunner = {
  name: 'social',
  tasks: ['social.renew' as const],
  concurrency: PLACES.concurrency,
  share: { by: 'applicationId' as const, most: PLACES.most },
};
