import type { Database } from '@platform/data';
import { InvalidInput, TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { EngineKind, Jid } from '../../engines/engine.types';
import type { CallbackDraft } from '../callbacks/public';
import type { MessagesRepository, NewSend } from '../messages/public';
import type { CampaignsRepository, LaneStretch } from './campaigns.repository';
import { nextOpening } from './forecast';
import { sentOn, type LaneRules } from './lane-rules';
import { localDay } from './local-time';
import { afterSend, type Pace } from './pace';

export interface BulkOptions {
  readonly database: Database;
  readonly campaigns: CampaignsRepository;
  readonly messages: Pick<MessagesRepository, 'accept'>;
  readonly rulesOf: (kind: EngineKind) => LaneRules;
  readonly clock: Clock;
  /** BULK_QUEUE. */
  readonly places: number;
}

/** Where a single send goes that keeps a campaign's pace. */
export interface BulkSend {
  readonly kind: EngineKind;
  readonly pace: Pace;
}

/** Takes back what was stored: there was no place for it. */
class NoPlace extends Error {}

/** Lets single sends into the campaign lane, as many as there are places (design 3.6). */
export class BulkAdmission {
  constructor(private readonly options: BulkOptions) {}

  /** Throws what a caller should know before a file is fetched; `admit` decides. */
  async check(instanceId: string, chat: Jid, kind: EngineKind): Promise<void> {
    const { optedOut, waiting } = await this.options.campaigns.admission(instanceId, chat);
    if (optedOut) throw new InvalidInput([{ field: 'number', tag: 'opted_out', message: 'number opted out' }]);
    if (waiting >= this.options.places) throw await this.full(instanceId, kind);
  }

  /** False when the pesan_id was accepted before. Throws TooMany when there is no place. */
  async admit(send: NewSend, drafts: readonly CallbackDraft[], { kind, pace }: BulkSend): Promise<boolean> {
    const { database, campaigns, messages, places } = this.options;
    const { instanceId, id, chat } = send;
    const admitted = database.tx(async (tx) => {
      await campaigns.lock(tx, instanceId);
      if (!(await messages.accept(send, drafts, tx))) return false;
      const waiting = await campaigns.addSingle(tx, instanceId, id, chat, pace);
      if (waiting > places) throw new NoPlace();
      return true;
    });
    return admitted.catch(async (failure: unknown) => {
      throw failure instanceof NoPlace ? await this.full(instanceId, kind) : failure;
    });
  }

  private async full(instanceId: string, kind: EngineKind): Promise<TooMany> {
    const now = this.options.clock.now();
    const free = await this.nextPlace(instanceId, kind, now);
    const retryAfterSeconds = Math.max(1, Math.ceil((free.getTime() - now.getTime()) / 1000));
    return new TooMany('broadcast queue is full', { retryAfterSeconds });
  }

  /** A place is free when the first waiting one leaves; a broadcast whose turn it is goes before it. */
  private async nextPlace(instanceId: string, kind: EngineKind, now: Date): Promise<Date> {
    const { campaigns, rulesOf } = this.options;
    const [lane, ahead] = await Promise.all([campaigns.lane(instanceId, now), campaigns.ahead(instanceId)]);
    const rules = rulesOf(kind);
    if (!lane || ahead.every(({ broadcastId }) => broadcastId !== null)) return now;
    const opens = nextOpening(now, lane, rules);
    const isReady = ({ broadcastId, startAt, dailyLimit }: LaneStretch): boolean =>
      broadcastId !== null && (startAt ?? opens) <= opens && (dailyLimit ?? Infinity) > sentOn(opens, lane, rules);
    const before = lane.lastSingle ? ahead.find(isReady) : undefined;
    if (!before) return opens;
    // A draw of 0 is the middle of the range; the pause after a batch is as long as it is
    const booking = { now: opens, day: localDay(opens, rules.zone), random: () => 0 };
    return nextOpening(opens, { ...lane, ...afterSend(lane, before.pace, booking) }, rules);
  }
}
