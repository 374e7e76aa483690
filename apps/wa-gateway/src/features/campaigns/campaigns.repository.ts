import type { Database, Sql } from '@platform/data';
import type { Jid, OutContent } from '../../engines/engine.types';
import type { BroadcastAnswer } from './broadcasts.dto';
import {
  ACT,
  ADD_BROADCAST,
  ADD_RECIPIENTS,
  ADD_SINGLE,
  ADMISSION,
  AHEAD,
  BOOK,
  CLAIM,
  FIND,
  HALT,
  LANE,
  LOCK_LANE,
  NEXT,
  USED,
} from './campaigns.sql';
import type { LaneSituation, Stretch } from './forecast';
import type { LanePace, Pace } from './pace';

export interface LaneRow extends LaneSituation {
  /** The last one to leave was a single send. */
  readonly lastSingle: boolean;
  /** When the next broadcast begins that has not begun yet. */
  readonly startsAt: Date | null;
}

/** What leaves the lane next. */
export interface LaneItem {
  readonly id: string;
  readonly chat: Jid;
  readonly pace: Pace;
  readonly optedOut: boolean;
  readonly checkNumber: boolean;
  /** Null: a single send, whose message is stored already. */
  readonly broadcastId: string | null;
  readonly content: OutContent | null;
  readonly fields: Readonly<Record<string, string>> | null;
  readonly echo: boolean;
}

export type BroadcastState = 'running' | 'paused' | 'done' | 'cancelled';
export type BroadcastAction = keyof typeof ACT;

export interface BroadcastRow {
  readonly broadcastId: string;
  readonly instanceId: string;
  readonly state: BroadcastState;
  readonly cause: string | null;
  readonly startAt: Date;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface NewBroadcast {
  readonly instanceId: string;
  readonly broadcastId: string;
  readonly content: OutContent;
  readonly pace: Pace;
  readonly dailyLimit: number | null;
  readonly checkNumber: boolean;
  readonly echo: boolean;
  readonly startAt: Date;
  readonly recipients: readonly {
    readonly id: string;
    readonly chat: Jid;
    readonly fields: Readonly<Record<string, string>>;
  }[];
  readonly answer: BroadcastAnswer;
}

export interface Claim {
  readonly state: 'sent' | 'skipped';
  readonly cause?: string;
  /** The lane as it was seen, and as it becomes. */
  readonly before: LanePace;
  readonly after: LanePace;
  readonly now: Date;
}

/** A stretch of the lane; single sends have no broadcast. */
export type LaneStretch = Stretch & { readonly broadcastId: string | null };

const paceColumns = ({ nextAt, lastAt, day, sent, batch }: LanePace): unknown[] => [nextAt, lastAt, day, sent, batch];

/** What waits in the campaign lanes, and how far broadcasts are. */
export class CampaignsRepository {
  constructor(private readonly database: Database) {}

  async lane(instanceId: string, now: Date): Promise<LaneRow | undefined> {
    return (await this.database.prepared<LaneRow>('campaign_lane', LANE, [instanceId, now]))[0];
  }

  /** Those of these devices whose lane was ever used. */
  async used(instanceIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.prepared<{ id: string }>('campaign_used', USED, [instanceIds]);
    return rows.map(({ id }) => id);
  }

  async next(
    instanceId: string,
    of: { now: Date; sentToday: number; lastSingle: boolean },
  ): Promise<LaneItem | undefined> {
    const values = [instanceId, of.now, of.sentToday, of.lastSingle];
    return (await this.database.prepared<LaneItem>('campaign_next', NEXT, values))[0];
  }

  /** False: nothing was claimed. With a broadcast, its progress. */
  async claim(tx: Sql, instanceId: string, item: LaneItem, claim: Claim): Promise<BroadcastRow | boolean> {
    const { id, broadcastId } = item;
    const { state, cause = null, before, after, now } = claim;
    const values = [instanceId, id, broadcastId, state, cause, ...paceColumns(after), now, before.nextAt];
    const [claimed] = await tx.prepared<BroadcastRow>('campaign_claim', CLAIM, values);
    return claimed !== undefined && (broadcastId === null || claimed);
  }

  async book(instanceId: string, pace: LanePace): Promise<void> {
    await this.database.prepared('campaign_book', BOOK, [instanceId, ...paceColumns(pace)]);
  }

  async admission(instanceId: string, chat: Jid): Promise<{ optedOut: boolean; waiting: number }> {
    const sql = this.database;
    const [row] = await sql.prepared<{ optedOut: boolean; waiting: number }>('campaign_admission', ADMISSION, [
      instanceId,
      chat,
    ]);
    return row ?? { optedOut: false, waiting: 0 };
  }

  /** Until the transaction ends nobody else adds to this lane. */
  async lock(tx: Sql, instanceId: string): Promise<void> {
    await tx.prepared('campaign_lock', LOCK_LANE, [instanceId]);
  }

  /** How many single sends wait then. */
  async addSingle(tx: Sql, instanceId: string, id: string, chat: Jid, pace: Pace): Promise<number> {
    const values = [instanceId, id, chat, JSON.stringify(pace)];
    const [row] = await tx.prepared<{ waiting: number }>('campaign_single', ADD_SINGLE, values);
    return row?.waiting ?? 0;
  }

  ahead(instanceId: string): Promise<LaneStretch[]> {
    return this.database.prepared<LaneStretch>('campaign_ahead', AHEAD, [instanceId]);
  }

  /** False when there is a broadcast of this id. */
  async add(tx: Sql, broadcast: NewBroadcast): Promise<boolean> {
    const { instanceId, broadcastId, recipients, answer, startAt } = broadcast;
    await this.lock(tx, instanceId);
    const { content, pace, dailyLimit, checkNumber, echo } = broadcast;
    const parameters = [JSON.stringify(content), JSON.stringify(pace), dailyLimit, checkNumber, echo, startAt];
    const counts = [answer.total, answer.total - answer.queued, JSON.stringify(answer)];
    const added = await tx.query(ADD_BROADCAST, [instanceId, broadcastId, ...parameters, ...counts]);
    if (added.length === 0) return false;
    await tx.query(ADD_RECIPIENTS, [
      instanceId,
      broadcastId,
      recipients.map(({ id }) => id),
      recipients.map(({ chat }) => chat),
      recipients.map(({ fields }) => JSON.stringify(fields)),
    ]);
    return true;
  }

  async find(broadcastId: string): Promise<(BroadcastRow & { answer: BroadcastAnswer }) | undefined> {
    const [row] = await this.database.query<BroadcastRow & { answer: BroadcastAnswer }>(FIND, [broadcastId]);
    return row;
  }

  /** Undefined when its state does not allow it. */
  async act(broadcastId: string, action: BroadcastAction): Promise<BroadcastRow | undefined> {
    return (await this.database.query<BroadcastRow>(ACT[action], [broadcastId]))[0];
  }

  halt(instanceId: string, cause: string): Promise<BroadcastRow[]> {
    return this.database.query<BroadcastRow>(HALT, [instanceId, cause]);
  }
}
