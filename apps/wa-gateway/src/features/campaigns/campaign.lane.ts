import type { Logger } from '@platform/runtime';
import type { EngineKind, WaEngine } from '../../engines/engine.types';
import { SingleFlight } from '../../single-flight';
import type { KnownNumbers } from '../registry/public';
import type { UnsentMessage, OutgoingQueue } from '../messages/public';
import type { Announcer } from '../realtime/public';
import { progressOf, tellProgress } from './broadcast.progress';
import type { BroadcastRow, CampaignsRepository, LaneItem, LaneRow } from './campaigns.repository';
import type { LaneRelease } from './lane-release';
import type { LanePace } from './pace';
import type { Pacing } from './pacing';

/** The device whose campaigns leave here. */
export interface LanePort {
  readonly instanceId: string;
  readonly engine: WaEngine;
  readonly outgoing: Pick<OutgoingQueue, 'push' | 'has' | 'isOpen'>;
}

export interface LaneContext {
  readonly campaigns: Pick<CampaignsRepository, 'lane' | 'next' | 'halt'>;
  readonly release: LaneRelease;
  readonly known: Pick<KnownNumbers, 'isRegistered'>;
  readonly announcer: Pick<Announcer, 'tell'>;
  readonly pacingOf: (kind: EngineKind) => Pacing;
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
  /** So far: it does not look again by itself, but is woken when it is put to use. */
  isUnused = false;
  private doubts = 0;
  private previous: UnsentMessage | undefined;
  private readonly flight: SingleFlight;
  private readonly pacing: Pacing;

  constructor(
    private readonly line: LanePort,
    private readonly context: LaneContext,
  ) {
    this.pacing = context.pacingOf(line.engine.kind);
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

  /** Pauses every broadcast of the device until somebody resumes it, and tells sockets why. */
  async halt(cause: string): Promise<void> {
    for (const row of await this.context.campaigns.halt(this.line.instanceId, cause)) this.tell(row, undefined);
  }

  /** Lets at most one message out; resolves to the milliseconds after which to look again. */
  async step(): Promise<number | undefined> {
    const { pacing } = this;
    const { campaigns } = this.context;
    const { instanceId, outgoing } = this.line;
    // Nothing leaves without a line; its return wakes the lane
    if (!outgoing.isOpen) return undefined;
    const now = pacing.now();
    const lane = await campaigns.lane(instanceId, now);
    this.isUnused = !lane;
    if (!lane) return undefined;
    const opens = pacing.opens(lane, now);
    if (opens > now) return this.until(opens, now);
    if (this.previous && outgoing.has(this.previous)) return BUSY_MS;
    const sentToday = pacing.sentToday(lane, now);
    const item = await campaigns.next(instanceId, { now, sentToday, lastSingle: lane.lastSingle });
    if (!item) return this.until(lane.startsAt, now);
    return this.take(item, lane);
  }

  private until(at: Date | null, now: Date): number {
    const { idleMs } = this.context;
    return at ? Math.min(Math.max(at.getTime() - now.getTime(), 1), idleMs) : idleMs;
  }

  private async take(item: LaneItem, lane: LaneRow): Promise<number> {
    if (item.optedOut) return this.refuse(item, 'OPTED_OUT', lane, lane);
    const registered = await this.isRegistered(item);
    // No number goes unchecked: a single unknown one can restrict an account (Baileys #2441)
    if (registered === undefined) return Math.min(LONGEST_DOUBT_MS, FIRST_DOUBT_MS * 2 ** this.doubts++);
    this.doubts = 0;
    if (!registered) return this.refuse(item, 'NOT_REGISTERED', lane, this.pacing.afterQuestion(lane, item.pace));
    return this.letOut(item, lane, this.pacing.afterSend(lane, item.pace));
  }

  private async isRegistered({ checkNumber, chat }: LaneItem): Promise<boolean | undefined> {
    const { instanceId, engine } = this.line;
    const asks = checkNumber && engine.capabilities.exists === true && chat.endsWith('@s.whatsapp.net');
    return asks ? this.context.known.isRegistered(instanceId, engine, chat) : true;
  }

  private async letOut(item: LaneItem, before: LaneRow, after: LanePace): Promise<number> {
    const { instanceId, outgoing } = this.line;
    const now = after.lastAt;
    const claimed = await this.context.release.letOut(instanceId, item, { before, after, now });
    if (claimed === false) return BUSY_MS;
    this.previous = { id: item.id, chat: item.chat, isReply: false, isCampaign: true };
    // The search for forgotten sends may have found it first
    if (!outgoing.has(this.previous)) outgoing.push(this.previous);
    if (claimed !== true) this.tell(claimed, after);
    return this.until(after.nextAt, now);
  }

  private async refuse(item: LaneItem, cause: string, before: LaneRow, after: LanePace): Promise<number> {
    const step = { before, after, now: this.pacing.now() };
    const refused = await this.context.release.refuse(this.line.instanceId, item, cause, step);
    if (typeof refused === 'object') this.tell(refused, after);
    return refused === false ? BUSY_MS : 0;
  }

  private tell(row: BroadcastRow, after: LanePace | undefined): void {
    const now = this.pacing.now();
    const next = after && this.pacing.opens({ ...after, restrictedUntil: null }, now);
    tellProgress(this.context.announcer, row, progressOf(row, now, next));
  }
}
