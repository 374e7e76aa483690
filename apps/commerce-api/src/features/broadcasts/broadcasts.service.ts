import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database, Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import type { Feed } from '@platform/http';
import { audited, type Writer } from '../../by';
import type { CampaignCondition, CampaignStep, ChatBroadcasts } from '../../clients/chat.broadcasts';
import type { Queue } from '../../jobs';
import { demandMaySend } from '../../may-send';
import { planClaims, type Claimed } from '../../plan.claims';
import type { MediaLibrary } from '../media/uploads/public';
import { demandTags } from './audience.sql';
import { campaignContent } from './broadcast.content';
import { shownBroadcast, type BroadcastCampaign, type BroadcastMeta } from './broadcast.view';
import {
  USUAL_RATE,
  type Broadcast,
  type BroadcastChange,
  type BroadcastRecipient,
  type BroadcastsQuery,
  type NewBroadcast,
  type RecipientsQuery,
} from './broadcasts.dto';

export const broadcastRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
  invalidTransition: (): Failure => new Conflict('The broadcast is in another state', { code: 'invalid_transition' }),
} as const;

export interface BroadcastsParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly chat: ChatBroadcasts<BroadcastMeta>;
  readonly files: Pick<MediaLibrary, 'forMessage'>;
}

type Named = BroadcastMeta & { readonly name: string };

/** When the job begins it: at a time, or as it is planned then; `again` only when it is. */
interface When {
  readonly begins?: string | undefined;
  readonly again?: true;
}

const MOST_AHEAD_MS = 90 * 86_400_000;
/** A change that others come before is made again upon theirs. */
const TRIES = 3;
/** Longer than a change takes at chat-backend. */
const UNLESS_DONE_SECONDS = 60;

const demandAhead = (field: string, at: string | null | undefined, now: Date): void => {
  if (at == null) return;
  const ahead = Date.parse(at) - now.getTime();
  const message = `${field} must be in the future and within 90 days`;
  if (ahead <= 0 || ahead > MOST_AHEAD_MS) throw new InvalidInput([{ field, tag: 'broadcast', message }]);
};

/** Whether others are to get it, or at another time. */
const isForOthers = (one: BroadcastMeta, other: BroadcastMeta): boolean =>
  one.schedule_at !== other.schedule_at || !isDeepStrictEqual({ ...one.audience }, { ...other.audience });

const digestOf = (body: NewBroadcast): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

export const claimOf = (storeId: string, id: string): Claimed => ({ storeId, metric: 'broadcasts', id });

const isChanged = (failure: unknown): boolean => failure instanceof Conflict && failure.code === 'version_conflict';

const STATES = ['broadcast_started', 'status_changed', 'version_conflict'];
/** Conflicts of chat-backend about states are those of our machine. */
const asTransition = (failure: unknown): never => {
  const isState = failure instanceof Conflict && STATES.includes(failure.code ?? '');
  throw isState ? broadcastRefusals.invalidTransition() : failure;
};

/** Broadcasts, which chat-backend keeps and sends (design 5.6): here is who gets them, and how many of them the plan counts. */
export class BroadcastsService {
  constructor(private readonly parts: BroadcastsParts) {}

  async list({ storeId }: Pick<Writer, 'storeId'>, query: BroadcastsQuery): Promise<Feed<Broadcast>> {
    const { data, next_cursor: nextCursor } = await this.parts.chat.list(storeId, { ...query });
    const drafts = data.filter(({ status }) => status === 'draft').map((one) => shownBroadcast(one, false).id);
    const starting = await planClaims.open(this.parts.database, storeId, 'broadcasts', drafts);
    const rows = data.map((one) => shownBroadcast(one, starting.has(shownBroadcast(one, false).id)));
    return { rows, nextCursor };
  }

  async get({ storeId }: Pick<Writer, 'storeId'>, id: string): Promise<Broadcast> {
    return this.shown(storeId, await this.parts.chat.get(storeId, id));
  }

  /** The same request under the same id is the same broadcast, as it is now. */
  async create(by: Writer, id: string, body: NewBroadcast, repeats: boolean): Promise<Broadcast> {
    const { storeId } = by;
    demandAhead('schedule_at', body.schedule_at, by.at);
    const made_from = digestOf(body);
    const known = repeats ? await this.find(storeId, id) : undefined;
    if (known && known.meta?.made_from !== made_from) throw broadcastRefusals.keyUsed();
    if (known) return this.shown(storeId, known);
    const meta: Named = {
      ...{ name: body.name, device_id: body.device_id, audience: body.audience, message: body.message, made_from },
      ...{ schedule_at: body.schedule_at ?? null, rate_per_minute: body.rate_per_minute ?? USUAL_RATE },
      quiet_hours: body.quiet_hours ?? null,
    };
    const saved = await this.save(by, id, meta, { if_absent: true });
    if (saved.meta?.made_from !== made_from) throw broadcastRefusals.keyUsed();
    await this.tell(by, id, { after: { name: body.name } });
    return this.shown(storeId, saved);
  }

  async change(by: Writer, id: string, body: BroadcastChange): Promise<Broadcast> {
    demandAhead('schedule_at', body.schedule_at, by.at);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const [before, saved] = await this.edit(by, id, given);
    await this.tell(by, id, { before: { name: before.nama }, after: { name: saved.nama, ...(given as object) } });
    return this.shown(by.storeId, saved);
  }

  async remove(by: Writer, id: string): Promise<void> {
    const { nama, status } = await this.unsent(by.storeId, id);
    if (status !== 'draft') throw broadcastRefusals.invalidTransition();
    await this.parts.chat.remove(by.storeId, id).catch(asTransition);
    await this.tell(by, id, { before: { name: nama } });
  }

  /** Counts it, once, and has a job put the recipients in and start it, now or when its time comes. */
  async send(by: Writer, id: string, at: string | undefined): Promise<Broadcast> {
    const { storeId } = by;
    demandAhead('at', at, by.at);
    const campaign = await this.unsent(storeId, id);
    const { schedule_at: planned = null, audience } = campaign.meta ?? {};
    await demandMaySend(this.parts.database, storeId);
    if (audience) await demandTags(this.parts.database, storeId, audience);
    if (campaign.status === 'scheduled' && at !== undefined) {
      const [, moved] = await this.edit(by, id, { schedule_at: at });
      await this.tell(by, id, { after: { sent: at } });
      return this.shown(storeId, moved);
    }
    await this.parts.database.tx(async (tx) => {
      await demandMaySend(tx, storeId);
      await this.wanted(tx, by, id, campaign.status === 'scheduled' ? { again: true } : { begins: at });
      const after = { sent: at ?? planned ?? by.at.toISOString() };
      await audited(tx, by, { action: 'broadcast.send', type: 'broadcast', id, after });
    });
    return this.shown(storeId, campaign);
  }

  async act(by: Writer, id: string, aksi: Exclude<CampaignStep['aksi'], 'schedule' | 'start'>): Promise<Broadcast> {
    const campaign = await this.parts.chat.act(by.storeId, id, { aksi }).catch(asTransition);
    await this.tell(by, id, { after: { status: campaign.status } });
    return this.shown(by.storeId, campaign);
  }

  async recipients(
    { storeId }: Pick<Writer, 'storeId'>,
    id: string,
    query: RecipientsQuery,
  ): Promise<Feed<BroadcastRecipient>> {
    const { data, next_cursor: nextCursor } = await this.parts.chat.recipients(storeId, id, { ...query });
    const rows = data.map(({ nohp, nama, status, error }) => ({
      ...{ phone: nohp, name: nama, error },
      status: status as BroadcastRecipient['status'],
    }));
    return { rows, nextCursor };
  }

  /**
   * Changes one that has not begun, as it is now; the campaign before and after. What is scheduled becomes a draft of nobody when others are to
   * get it or at another time, and a job puts them in. That job waits already, for when this process dies in between.
   */
  private async edit(
    by: Writer,
    id: string,
    { name, ...given }: Partial<Named>,
    tries = TRIES,
  ): Promise<readonly [before: BroadcastCampaign, after: BroadcastCampaign]> {
    const before = await this.unsent(by.storeId, id);
    const { nama, status, meta: seen } = before;
    if (!seen) throw broadcastRefusals.invalidTransition();
    const meta = { ...seen, ...given };
    const content = await campaignContent(this.parts, by, { name: name ?? nama, ...meta });
    const refill = isForOthers(seen, meta);
    const isScheduled = refill && status === 'scheduled';
    const goesOn = isScheduled && meta.schedule_at !== null;
    if (goesOn) await this.again(by, id, UNLESS_DONE_SECONDS);
    try {
      const condition = { if_same: { nama, status, meta: seen }, refill };
      const after = await this.parts.chat.save(by.storeId, id, content, condition);
      if (goesOn) await this.again(by, id);
      else if (isScheduled) await planClaims.settle(this.parts.database, claimOf(by.storeId, id));
      return [before, after];
    } catch (failure) {
      return tries > 1 && isChanged(failure) ? this.edit(by, id, { name, ...given }, tries - 1) : asTransition(failure);
    }
  }

  /** The same of one that was scheduled: it is put in again, and begins when it says. */
  private again(by: Writer, id: string, afterSeconds = 0): Promise<void> {
    return this.parts.database.tx((tx) => this.wanted(tx, by, id, { again: true }, afterSeconds));
  }

  /** Counted once; the job comes. */
  private async wanted(tx: Sql, by: Writer, id: string, when: When, afterSeconds = 0): Promise<void> {
    const { storeId, actor } = by;
    const claim = claimOf(storeId, id);
    await planClaims.take(tx, claim, by.at);
    await planClaims.reopen(tx, claim);
    const job = { storeId, id, asked: by.at.toISOString(), actor, ...when };
    const key = `broadcast${when.again ? '-again' : ''}:${storeId}:${id}`;
    await this.parts.queue.enqueue(tx, 'broadcast.send', job, { key, afterSeconds });
  }

  private async find(storeId: string, id: string): Promise<BroadcastCampaign | undefined> {
    return this.parts.chat.get(storeId, id).catch((failure: unknown) => {
      if (failure instanceof NotFound) return undefined;
      throw failure;
    });
  }

  /** Throws `invalid_transition` for one that has begun, or is about to. */
  private async unsent(storeId: string, id: string): Promise<BroadcastCampaign> {
    const campaign = await this.parts.chat.get(storeId, id);
    const open = await planClaims.open(this.parts.database, storeId, 'broadcasts', [id]);
    const isUnsent = campaign.status === 'scheduled' || (campaign.status === 'draft' && !open.has(id));
    if (!isUnsent) throw broadcastRefusals.invalidTransition();
    return campaign;
  }

  private async shown(storeId: string, campaign: BroadcastCampaign): Promise<Broadcast> {
    const plain = shownBroadcast(campaign, false);
    const open = await planClaims.open(this.parts.database, storeId, 'broadcasts', [plain.id]);
    return shownBroadcast(campaign, open.has(plain.id));
  }

  private async save(
    by: Writer,
    id: string,
    broadcast: Named,
    condition: CampaignCondition<BroadcastMeta>,
  ): Promise<BroadcastCampaign> {
    const content = await campaignContent(this.parts, by, broadcast);
    return this.parts.chat.save(by.storeId, id, content, condition).catch(asTransition);
  }

  private tell(by: Writer, id: string, change: { readonly before?: object; readonly after?: object }): Promise<void> {
    return this.parts.database.tx((tx) =>
      audited(tx, by, { action: 'broadcast.send', type: 'broadcast', id, ...change }),
    );
  }
}
