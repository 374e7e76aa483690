import type { Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { EngineKind, WaEngine } from '../../engines/engine.types';
import { SingleFlight } from '../../single-flight';
import type { KnownNumbers } from '../registry/public';
import type {
  MessageReports,
  MessagesRepository,
  NewSend,
  UnsentMessage,
  OutgoingQueue,
  SendDrafts,
} from '../messages/public';
import type { Announcer } from '../realtime/public';
import { progressOf, tellProgress } from './broadcast.progress';
import { personal } from './broadcast-template';
import type { BroadcastRow, CampaignsRepository, LaneItem, LaneRow } from './campaigns.repository';
import { nextOpening } from './forecast';
import { sentOn, type LaneRules } from './lane-rules';
import { localDay } from './local-time';
import { afterQuestion, afterSend, type LanePace, type Random } from './pace';

/** The device whose campaigns leave here. */
export interface LanePort {
  readonly instanceId: string;
  readonly engine: WaEngine;
  readonly outgoing: Pick<OutgoingQueue, 'push' | 'has' | 'isOpen'>;
}

export interface LaneContext {
  readonly database: Database;
  readonly campaigns: CampaignsRepository;
  readonly messages: Pick<MessagesRepository, 'accept'>;
  readonly reports: Pick<MessageReports, 'failure'>;
  readonly known: Pick<KnownNumbers, 'isRegistered'>;
  readonly announcer: Pick<Announcer, 'tell'>;
  readonly drafts: SendDrafts;
  readonly rulesOf: (kind: EngineKind) => LaneRules;
  readonly clock: Clock;
  readonly random: Random;
  /** At the latest after this the lane looks again, for what another process put into it. */
  readonly idleMs: number;
  readonly logger: Logger;
}

/** The message before has not left yet. */
const BUSY_MS = 100;
const FIRST_DOUBT_MS = 5_000;
const LONGEST_DOUBT_MS = 60_000;

/**
 * The campaign lane of one device (design 3.6): lets out one message at a time, when its pause is over and no night, limit
 * or restriction holds. What it lets out is a stored message like any other: the device's queue sends it, tries it again and
 * takes it up after a crash, always under the same id. Letting out and being stored is one transaction, so nobody gets two.
 */
export class CampaignLane {
  private doubts = 0;
  private previous: UnsentMessage | undefined;
  private readonly flight: SingleFlight;
  private readonly rules: LaneRules;

  constructor(
    private readonly line: LanePort,
    private readonly context: LaneContext,
  ) {
    this.rules = context.rulesOf(line.engine.kind);
    this.flight = new SingleFlight(() => this.step(), context.logger.child({ lane: line.instanceId }));
  }

  /** The line is there again, or there may be something new. */
  wake(): void {
    this.flight.run();
  }

  /** Resolves when nothing is being let out any more. */
  close(): Promise<void> {
    return this.flight.stop();
  }

  /** Every broadcast of the device rests, and sockets hear why, until somebody resumes it. */
  async halt(cause: string): Promise<void> {
    for (const row of await this.context.campaigns.halt(this.line.instanceId, cause)) this.tell(row, undefined);
  }

  /** Lets at most one message out; resolves to the milliseconds after which to look again. */
  async step(): Promise<number | undefined> {
    const { campaigns, clock, idleMs } = this.context;
    const { instanceId, outgoing } = this.line;
    // Nothing leaves without a line; its return wakes the lane
    if (!outgoing.isOpen) return undefined;
    const now = clock.now();
    const lane = await campaigns.lane(instanceId, now);
    if (!lane) return idleMs;
    const opens = nextOpening(now, lane, this.rules);
    if (opens > now) return this.until(opens, now);
    if (this.previous && outgoing.has(this.previous)) return BUSY_MS;
    const sentToday = sentOn(now, lane, this.rules);
    const item = await campaigns.next(instanceId, { now, sentToday, lastSingle: lane.lastSingle });
    if (!item) return this.until(lane.startsAt, now);
    return this.take(item, lane);
  }

  private until(at: Date | null, now: Date): number {
    const { idleMs } = this.context;
    return at ? Math.min(Math.max(at.getTime() - now.getTime(), 1), idleMs) : idleMs;
  }

  private async take(item: LaneItem, lane: LaneRow): Promise<number> {
    const { clock, random } = this.context;
    if (item.optedOut) return this.refuse(item, 'OPTED_OUT', lane, lane);
    const registered = await this.isRegistered(item);
    // Nobody is written to unchecked: an unknown number alone can restrict an account (Baileys #2441)
    if (registered === undefined) return Math.min(LONGEST_DOUBT_MS, FIRST_DOUBT_MS * 2 ** this.doubts++);
    this.doubts = 0;
    const now = clock.now();
    const booking = { now, day: localDay(now, this.rules.zone), random };
    if (!registered) return this.refuse(item, 'NOT_REGISTERED', lane, afterQuestion(lane, item.pace, booking));
    return this.letOut(item, lane, afterSend(lane, item.pace, booking));
  }

  private async isRegistered({ checkNumber, chat }: LaneItem): Promise<boolean | undefined> {
    const { instanceId, engine } = this.line;
    const asks = checkNumber && engine.capabilities.exists === true && chat.endsWith('@s.whatsapp.net');
    return asks ? this.context.known.isRegistered(instanceId, engine, chat) : true;
  }

  private async letOut(item: LaneItem, before: LaneRow, after: LanePace): Promise<number> {
    const { database, campaigns } = this.context;
    const { instanceId, outgoing } = this.line;
    const now = after.lastAt;
    const claimed = await database.tx(async (tx) => {
      const won = await campaigns.claim(tx, instanceId, item, { state: 'sent', before, after, now });
      const send = won ? this.messageOf(item, now) : undefined;
      if (send) await this.context.messages.accept(send, this.context.drafts(send, item.echo), tx);
      return won;
    });
    if (claimed === false) return BUSY_MS;
    this.previous = { id: item.id, chat: item.chat, isReply: false, isCampaign: true };
    // The search for forgotten sends may have been quicker
    if (!outgoing.has(this.previous)) outgoing.push(this.previous);
    if (claimed !== true) this.tell(claimed, after);
    return this.until(after.nextAt, now);
  }

  /** Null for a single send: its message was stored when it was accepted. */
  private messageOf({ id, chat, content, fields }: LaneItem, at: Date): NewSend | undefined {
    if (!content) return undefined;
    const payload = { content: personal(content, fields ?? {}), options: {} };
    return { instanceId: this.line.instanceId, chat, id, pesanId: null, role: 'broadcast', payload, hash: '', at };
  }

  /** A recipient of a broadcast is skipped; a single send fails, and its sender is told (design 3.3). */
  private async refuse(item: LaneItem, cause: string, before: LaneRow, after: LanePace): Promise<number> {
    const { database, campaigns, reports, clock } = this.context;
    const { instanceId } = this.line;
    if (item.broadcastId === null) {
      await reports.failure(instanceId, item.id, { code: cause, retryable: false });
      await campaigns.book(instanceId, after);
      return 0;
    }
    const claim = { state: 'skipped' as const, cause, before, after, now: clock.now() };
    const claimed = await database.tx((tx) => campaigns.claim(tx, instanceId, item, claim));
    if (typeof claimed === 'object') this.tell(claimed, after);
    return claimed === false ? BUSY_MS : 0;
  }

  private tell(row: BroadcastRow, after: LanePace | undefined): void {
    const { clock, announcer } = this.context;
    const now = clock.now();
    const next = after && nextOpening(now, { ...after, restrictedUntil: null }, this.rules);
    tellProgress(announcer, row, progressOf(row, now, next));
  }
}
