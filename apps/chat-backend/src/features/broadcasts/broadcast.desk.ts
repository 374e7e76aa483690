import { NEWEST, type PageCursor, type Transaction } from '@platform/data';
import { parse } from '@platform/validation';
import { InvalidInput } from '@platform/errors';
import { actorOf } from '../lifecycle/public';
import { refusals, requireStore, type Scope } from '../tenancy/public';
import {
  BroadcastId,
  type ActOnBroadcast,
  type AddRecipients,
  type BroadcastQuery,
  type FillBroadcast,
  type RecipientQuery,
  type SaveBroadcast,
} from './broadcast.dto';
import type { NewCampaign } from './broadcast.repository';
import { campaignKey, type BroadcastDependencies } from './broadcast.service';
import { hasNotBegun } from './broadcast.steps';
import { campaignBody } from './campaign.content';
import type { CampaignKey, CampaignRecord } from './campaign.types';
import { recipientRows } from './recipient-rows';

const DEFAULT_LIMIT = 50;

export interface DeskDependencies extends BroadcastDependencies {
  readonly cursor: PageCursor;
}

/** Campaigns as commerce-api makes and follows them (design 2.9). Every call names its store. */
export class BroadcastDesk {
  constructor(private readonly needs: DeskDependencies) {}

  /** Makes or replaces one that has not begun; recipients that it has stay, unless they are to be put in anew. */
  async save(scope: Scope, id: string, request: SaveBroadcast): Promise<object> {
    const { access, content, database, repository, steps } = this.needs;
    const inStore = this.inStore(scope, request.store_id);
    const { violations } = parse(BroadcastId, { id });
    if (violations) throw new InvalidInput(violations);
    const key = campaignKey(inStore, id);
    await access.enter(inStore, request);
    await access.demandUser(inStore, key.storeId, request.user_id);
    const before = await repository.find(database, key);
    if (before && request.if_absent) return before;
    if (before && !hasNotBegun(before)) throw steps.refusal('save', before);
    const body = await campaignBody(content, key.storeId, request);
    const { instance, team, nama, meta = null, user_id: named } = request;
    const { type: actorType, userId: actorId } = actorOf(scope, named);
    const campaign = { ...key, instance, team, nama, body, meta, actorType, actorId };
    const [saved, unused] = await database.tx(async (tx) => {
      const old = await repository.lockMedia(tx, key);
      return (await this.write(tx, campaign, request))
        ? ([true, old] as const)
        : ([false, body.content.media] as const);
    });
    if (unused) await content.intake.discard(unused);
    const record = await this.stored(key);
    if (!saved && !request.if_absent) throw steps.refusal('save', record);
    return record;
  }

  /** Has nobody any more but whom this filling adds, until another begins. */
  async fill(scope: Scope, id: string, { store_id: store, filling }: FillBroadcast): Promise<object> {
    const key = this.keyOf(scope, id, store);
    const { database, repository, steps } = this.needs;
    const begun = await database.tx(async (tx) => {
      if (!(await repository.lockDraft(tx, key))) return false;
      await repository.empty(tx, key, filling);
      return true;
    });
    const record = await this.stored(key);
    if (!begun) throw steps.refusal('save', record);
    return record;
  }

  async remove(scope: Scope, id: string, store: string): Promise<void> {
    const key = this.keyOf(scope, id, store);
    const { content, database, repository } = this.needs;
    const [removed, unused] = await database.tx(async (tx) => {
      const media = await repository.lockMedia(tx, key);
      return (await repository.remove(tx, key)) ? ([true, media] as const) : ([false, null] as const);
    });
    if (unused) await content.intake.discard(unused);
    if (removed) return;
    throw this.needs.steps.refusal('remove', await this.stored(key));
  }

  async addRecipients(scope: Scope, id: string, request: AddRecipients): Promise<object> {
    const { store_id: store, penerima, filling } = request;
    const key = this.keyOf(scope, id, store);
    const { database, repository, steps } = this.needs;
    const added = await database.tx(async (tx) => {
      if (!(await repository.lockDraft(tx, key, filling))) return false;
      await repository.addRecipients(tx, key, recipientRows(penerima));
      return true;
    });
    const record = await this.stored(key);
    if (!added) throw steps.refusal('save', record);
    return record;
  }

  async act(scope: Scope, id: string, request: ActOnBroadcast): Promise<object> {
    const { store_id: store, aksi, jadwal, at: moment, filling, meta } = request;
    const { steps } = this.needs;
    const key = this.keyOf(scope, id, store);
    await this.stored(key);
    if (aksi !== 'schedule') return steps.act(key, aksi, { filling });
    const at = moment === undefined ? await steps.instant(key.storeId, jadwal) : steps.ahead(moment);
    return steps.act(key, aksi, { at, filling, meta });
  }

  one(scope: Scope, id: string, store: string): Promise<object> {
    return this.stored(this.keyOf(scope, id, store));
  }

  /** `data` and `next_cursor` as JSON text. */
  async list(
    scope: Scope,
    { store_id: store, status, cursor, limit = DEFAULT_LIMIT }: BroadcastQuery,
  ): Promise<string> {
    const { database, repository, cursor: cursors } = this.needs;
    const storeId = requireStore(scope, store, refusals.forbidden);
    const binding = JSON.stringify(['broadcast', storeId, status ?? null]);
    const before = cursor === undefined ? NEWEST : cursors.read(binding, cursor);
    const rows = await repository.list(database, storeId, { status, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last ? cursors.write(binding, last) : null;
    return `{"data":[${shown.map(({ record }) => record).join(',')}],"next_cursor":${JSON.stringify(next)}}`;
  }

  /** The same of recipients, in the order of sending. */
  async recipients(scope: Scope, id: string, query: RecipientQuery): Promise<string> {
    const { store_id: store, status, cursor: after = '0', limit = DEFAULT_LIMIT } = query;
    const key = this.keyOf(scope, id, store);
    await this.stored(key);
    const rows = await this.needs.repository.recipients(this.needs.database, key, { status, after, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? (shown.at(-1)?.ord ?? null) : null;
    return `{"data":[${shown.map(({ record }) => record).join(',')}],"next_cursor":${JSON.stringify(next)}}`;
  }

  private async write(tx: Transaction, campaign: NewCampaign, request: SaveBroadcast): Promise<boolean> {
    const { repository } = this.needs;
    if (request.if_absent) return repository.create(tx, campaign);
    if (!(await repository.save(tx, campaign, request.if_same))) return false;
    if (request.refill) await repository.empty(tx, campaign);
    return true;
  }

  private inStore(scope: Scope, store: string): Scope {
    return { ...scope, storeId: requireStore(scope, store, refusals.forbidden) };
  }

  private keyOf(scope: Scope, id: string, store: string): CampaignKey {
    return campaignKey(this.inStore(scope, store), id);
  }

  private stored(key: CampaignKey): Promise<CampaignRecord> {
    return this.needs.repository.get(this.needs.database, key);
  }
}
