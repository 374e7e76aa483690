import type { Database, Sql } from '@platform/data';
import { Conflict, NotFound } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import { uuidv7, type Logger } from '@platform/runtime';
import type { CampaignRecipient, ChatBroadcasts } from '../../clients/chat.broadcasts';
import { isFinal } from '../../clients/face';
import type { CommerceJobs } from '../../jobs';
import { maySend } from '../../may-send';
import { notify } from '../../notify';
import { planClaims } from '../../plan.claims';
import { demandTags, MOST_OF_A_PAGE, recipientsOf, type Recipient } from './audience.sql';
import { recipientOf, type BroadcastCampaign, type BroadcastMeta } from './broadcast.view';
import { claimOf } from './broadcasts.service';

/** Of one request to chat-backend, which takes 5 MB. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A moment on the clocks of a store. A minute that has come would be refused: what is due by then begins at once. */
const WALL = `
  SELECT to_char($2::timestamptz AT TIME ZONE timezone, 'YYYY-MM-DD HH24:MI') AS minute,
    $2::timestamptz > now() + interval '1 minute' AS later
  FROM store WHERE store_id = $1`;

/** Cut so that no part is more than chat-backend takes. */
export function* portionsOf(recipients: readonly CampaignRecipient[]): Generator<CampaignRecipient[]> {
  let [portion, bytes]: [CampaignRecipient[], number] = [[], 0];
  for (const recipient of recipients) {
    const size = Buffer.byteLength(JSON.stringify(recipient)) + 1;
    if (bytes + size > MOST_BYTES) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(recipient);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

export interface SendingParts {
  readonly database: Database;
  readonly chat: ChatBroadcasts<BroadcastMeta>;
  readonly logger: Logger;
}

interface Filling extends Pick<BroadcastMeta, 'audience'> {
  readonly storeId: string;
  readonly id: string;
  readonly filling: string;
  /** Who came later is not among them. */
  readonly asked: Date;
}

const metaOf = ({ meta }: BroadcastCampaign): BroadcastMeta => {
  if (!meta) throw new NotFound('Broadcast not found');
  return meta;
};

type Job = CommerceJobs['broadcast.send'];
type Attempt = Pick<JobContext, 'attempt' | 'maxAttempts' | 'signal'>;

const hasCode = (failure: unknown, code: string): boolean => failure instanceof Conflict && failure.code === code;

/** Of no use however often: not what another has begun to fill, which the next attempt sees as it is then. */
const isOver = (failure: unknown): boolean => isFinal(failure) && !hasCode(failure, 'version_conflict');

/** By somebody, while it was put in: it is where they want it, and nobody else is to be told. */
const isCancelled = (failure: unknown): boolean => hasCode(failure, 'status_changed');

/**
 * Puts the recipients of a broadcast in at chat-backend and starts it, or has it started at its time. Wherever it dies, it begins again from the
 * front, with a filling of its own: nobody but whom that has put in gets it, and a start that was made is none (design 5.6, ADR 135).
 */
export class BroadcastSending {
  constructor(private readonly parts: SendingParts) {}

  /** The job. What can never be sent, and what no attempt has sent, is given back to the plan, and who sends broadcasts is told. */
  async run(job: Job, { attempt, maxAttempts, signal }: Attempt): Promise<void> {
    const { database } = this.parts;
    const claim = claimOf(job.storeId, job.id);
    // Of one that is put in again only while somebody still wants that
    if (job.again && !(await planClaims.find(database, claim))?.open) return;
    if (!(await maySend(database, job.storeId))) return this.giveUp(job, 'the store may not send');
    try {
      await this.start(job, signal);
      await planClaims.settle(database, claim);
    } catch (failure) {
      if (hasCode(failure, 'broadcast_started')) return planClaims.settle(database, claim);
      const over = isOver(failure);
      if (isCancelled(failure)) await this.parts.database.tx((tx) => this.givenBack(tx, job));
      else if (over || attempt >= maxAttempts) await this.giveUp(job, failure);
      if (!over) throw failure;
    }
  }

  private async giveUp(job: Job, error: unknown): Promise<void> {
    const { storeId, id, asked } = job;
    const { database, logger } = this.parts;
    logger.error('a broadcast cannot be sent', { store: storeId, broadcast: id, error });
    await database.tx(async (tx) => {
      await this.givenBack(tx, job);
      const notice = {
        storeId,
        id: `broadcast:${id}:${asked}`,
        event: 'broadcast.failed',
        url: `/broadcast/${id}`,
      } as const;
      await notify(tx, { ...notice, params: {} });
    });
  }

  private async givenBack(tx: Sql, { storeId, id, again }: Job): Promise<void> {
    const claim = claimOf(storeId, id);
    // What was scheduled has been counted before
    if (again) await planClaims.settle(tx, claim);
    else await planClaims.release(tx, claim);
  }

  private async start({ storeId, id, asked, begins, again }: Job, signal: AbortSignal): Promise<void> {
    const { chat, database } = this.parts;
    if (again && (await this.known(storeId, id)).schedule_at === null) return;
    const filling = uuidv7();
    // Read once nobody changes who gets it without ending this filling
    const { audience, schedule_at: planned } = metaOf(await chat.fill(storeId, id, filling));
    const at = begins ?? planned;
    if (again && at === null) return;
    await this.addAll({ storeId, id, filling, asked: new Date(asked), audience }, signal);
    // Whoever was left out by a tag that went meanwhile is among them now
    await demandTags(database, storeId, audience);
    const [wall] = await database.query<{ minute: string; later: boolean }>(WALL, [storeId, at]);
    if (at === null || !wall?.later) return void (await chat.act(storeId, id, { aksi: 'start', filling }));
    // For one of the release before, who knows no moments. It may know other clocks of the store than we do
    const jadwal = wall.minute;
    await chat.act(storeId, id, { aksi: 'schedule', filling, at, jadwal, meta: { schedule_at: at } });
  }

  private async known(storeId: string, id: string): Promise<BroadcastMeta> {
    return metaOf(await this.parts.chat.get(storeId, id));
  }

  private async addAll({ storeId, id, filling, asked, audience }: Filling, signal: AbortSignal): Promise<void> {
    const { chat, database } = this.parts;
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const { text, values } = recipientsOf(storeId, asked, audience, after);
      const page: Recipient[] = await database.query<Recipient>(text, [...values]);
      for (const portion of portionsOf(page.map(recipientOf))) await chat.add(storeId, id, filling, portion);
      if (page.length < MOST_OF_A_PAGE) return;
      after = page.at(-1)?.id ?? null;
    }
  }
}
