import type { Sql } from '@platform/data';
import type { OutgoingFile } from '../media/public';
import { refusals } from '../tenancy/public';
import { recipientStatuses } from './broadcast.sql';
import * as statements from './broadcast.sql';
import type { AudienceFilter, BroadcastStatus, SeenBroadcast } from './broadcast.dto';
import type { CampaignBody, CampaignKey, CampaignRecord, Deviceless, Waiting } from './campaign.types';

export interface NewCampaign extends CampaignKey {
  readonly instance: string;
  readonly team: string;
  readonly nama: string;
  readonly body: CampaignBody;
  readonly meta: Record<string, unknown> | null;
  readonly actorType: string;
  readonly actorId: string | null;
}

/** One number of a call, however often it came. */
export interface RecipientRow {
  readonly ord: number;
  /** As it was given when it is no number. */
  readonly nohp: string;
  readonly valid: boolean;
  readonly nama: string | null;
  readonly params: Record<string, unknown> | null;
  readonly times: number;
}

export interface Step {
  readonly from: readonly BroadcastStatus[];
  readonly to: BroadcastStatus;
}

/** How many are looked at together, and which not. */
export interface DuePage {
  readonly most: number;
  readonly leftOut: readonly string[];
}

/** More of a step. */
export interface StepOptions {
  /** When it is to begin. */
  readonly at?: string | null;
  /** Only while no other filling has begun. */
  readonly filling?: string | undefined;
  /** Put into what is kept for the caller. */
  readonly meta?: Record<string, unknown> | undefined;
}

export interface ListedCampaign {
  readonly record: string;
  readonly lastAt: string;
  readonly id: string;
}

export interface CampaignPage {
  readonly status: string | undefined;
  readonly before: { readonly lastAt: string; readonly id: string };
  readonly limit: number;
}

export interface RecipientPage {
  readonly status: string | undefined;
  readonly after: string;
  readonly limit: number;
}

const campaignValues = (campaign: NewCampaign): unknown[] => {
  const { storeId, broadcastId, instance, team, nama, body, meta, actorType, actorId } = campaign;
  const [bodyText, metaText] = [JSON.stringify(body), meta === null ? null : JSON.stringify(meta)];
  return [storeId, broadcastId, instance, team, nama, bodyText, metaText, actorType, actorId];
};

/** Campaigns and their recipients; what moves a campaign that sends is `CampaignFill`. */
export class BroadcastRepository {
  /** BroadcastStruct, if there is one. */
  async find(sql: Sql, { storeId, broadcastId }: CampaignKey): Promise<CampaignRecord | undefined> {
    const values = [storeId, broadcastId];
    return (await sql.prepared<{ record: CampaignRecord }>('broadcast_find', statements.FIND, values))[0]?.record;
  }

  /** BroadcastStruct. Throws `broadcast_not_found`. */
  async get(sql: Sql, key: CampaignKey): Promise<CampaignRecord> {
    const record = await this.find(sql, key);
    if (!record) throw refusals.broadcastNotFound();
    return record;
  }

  /** False: the id is taken. */
  async create(sql: Sql, campaign: NewCampaign): Promise<boolean> {
    return (await sql.prepared('broadcast_create', statements.CREATE, campaignValues(campaign))).length > 0;
  }

  /** False: it has begun, or is not as it was `seen`. */
  async save(sql: Sql, campaign: NewCampaign, seen?: SeenBroadcast): Promise<boolean> {
    const values = [...campaignValues(campaign), seen === undefined ? null : JSON.stringify({ meta: null, ...seen })];
    return (await sql.prepared('broadcast_save', statements.SAVE, values)).length > 0;
  }

  /** Locks it until the end of the transaction; false: there is none that has not begun, or that this filling fills. */
  async lockDraft(sql: Sql, { storeId, broadcastId }: CampaignKey, filling?: string): Promise<boolean> {
    const values = [storeId, broadcastId, filling ?? null];
    return (await sql.prepared('broadcast_lock', statements.LOCK_DRAFT, values)).length > 0;
  }

  /** Makes a locked campaign that has not begun a draft of nobody; only `filling` fills it now. */
  async empty(sql: Sql, { storeId, broadcastId }: CampaignKey, filling?: string): Promise<void> {
    await sql.prepared('broadcast_empty', statements.EMPTY, [storeId, broadcastId, filling ?? null]);
  }

  async addRecipients(sql: Sql, { storeId, broadcastId }: CampaignKey, rows: readonly RecipientRow[]): Promise<void> {
    await sql.prepared('broadcast_add', statements.ADD, [storeId, broadcastId, JSON.stringify(rows)]);
  }

  /** False: the filter means more than `most` customers; none was added. */
  async addAudience(
    sql: Sql,
    { storeId, broadcastId }: CampaignKey,
    filter: AudienceFilter,
    most: number,
  ): Promise<boolean> {
    const values = [storeId, broadcastId, JSON.stringify(filter), most];
    const [row] = await sql.prepared<{ found: number }>('broadcast_audience', statements.ADD_AUDIENCE, values);
    return (row?.found ?? 0) <= most;
  }

  /** The audience that is still to be added, or null; undefined when it is in none of the states it may come from, or filled anew. */
  async move(
    sql: Sql,
    { storeId, broadcastId }: CampaignKey,
    { from, to }: Step,
    { at = null, filling, meta }: StepOptions = {},
  ): Promise<AudienceFilter | null | undefined> {
    const values = [storeId, broadcastId, from, to, at, filling ?? null, meta ? JSON.stringify(meta) : null];
    const [row] = await sql.prepared<{ filter: AudienceFilter | null }>('broadcast_move', statements.MOVE, values);
    return row?.filter;
  }

  /** The file that it has now; the campaign stays locked until the end of the transaction. */
  async lockMedia(sql: Sql, { storeId, broadcastId }: CampaignKey): Promise<OutgoingFile | null> {
    const values = [storeId, broadcastId];
    const [row] = await sql.prepared<{ media: OutgoingFile | null }>('broadcast_media', statements.LOCK_MEDIA, values);
    return row?.media ?? null;
  }

  /** False: it is no draft. */
  async remove(sql: Sql, { storeId, broadcastId }: CampaignKey): Promise<boolean> {
    return (await sql.prepared('broadcast_remove', statements.REMOVE, [storeId, broadcastId])).length > 0;
  }

  list(sql: Sql, storeId: string, { status, before, limit }: CampaignPage): Promise<ListedCampaign[]> {
    const values = [storeId, status ?? null, before.lastAt, before.id, limit];
    return sql.prepared<ListedCampaign>('broadcast_list', statements.LIST, values);
  }

  recipients(
    sql: Sql,
    { storeId, broadcastId }: CampaignKey,
    { status, after, limit }: RecipientPage,
  ): Promise<{ record: string; ord: string }[]> {
    const code = status === undefined ? null : recipientStatuses.findIndex((name) => name === status);
    const values = [storeId, broadcastId, code, after, limit];
    return sql.prepared<{ record: string; ord: string }>('broadcast_recipients', statements.RECIPIENTS, values);
  }

  /** Locks it until the end of the transaction; false: it is not due, or no longer. */
  async lockDue(sql: Sql, { storeId, broadcastId }: CampaignKey): Promise<boolean> {
    return (await sql.prepared('broadcast_lock_due', statements.LOCK_DUE, [storeId, broadcastId])).length > 0;
  }

  /** `most` of them, without `leftOut`. */
  due(sql: Sql, storeId: string | undefined, { most, leftOut }: DuePage): Promise<Waiting[]> {
    return sql.prepared<Waiting>('broadcast_due', statements.DUE, [storeId ?? null, most, leftOut]);
  }

  deviceless(sql: Sql, storeId: string | undefined): Promise<Deviceless[]> {
    return sql.prepared<Deviceless>('broadcast_deviceless', statements.DEVICELESS, [storeId ?? null]);
  }

  /** Frees campaigns from a row whose end will never be reported. */
  async release(sql: Sql, storeId: string | undefined): Promise<void> {
    await sql.prepared('broadcast_release', statements.RELEASE, [storeId ?? null]);
  }

  idle(sql: Sql, storeId: string | undefined): Promise<Waiting[]> {
    return sql.prepared<Waiting>('broadcast_idle', statements.IDLE, [storeId ?? null]);
  }
}
