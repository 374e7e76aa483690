import { Mutex, type Logger } from '@platform/runtime';
import { EngineBusy, EngineOffline, EngineRefused } from '../../engines/engine.errors';
import type { Jid, QrInfo, WaEngine } from '../../engines/engine.types';
import type { CampaignLane, LanePort } from '../campaigns/public';
import type { LeaseKeeper } from '../leases/public';
import {
  OutgoingQueue,
  type MessageReports,
  type MessagesRepository,
  type OutPayload,
  type UnsentMessage,
  type OutgoingOptions,
  type Try,
} from '../messages/public';
import { ACCOUNT_GONE } from './account-gone';

/** Whose the device is. */
export type Custody = Pick<LeaseKeeper, 'owner' | 'isOurs' | 'forgives'>;

export interface LineOptions {
  readonly instanceId: string;
  readonly engine: WaEngine;
  /** `leases`: the line sends and reports while its device is theirs. */
  readonly sending: Pick<OutgoingOptions, 'buckets' | 'sends'> & { readonly leases: Custody };
  readonly messages: MessagesRepository;
  readonly reports: MessageReports;
  readonly laneOf: (line: LanePort) => CampaignLane;
  readonly logger: Logger;
}

const MAX_TRIES = 10;
/** States of a send that goes out although it does not wait: of one that was taken to the line, and of one that may have left. */
const TAKEN = ['sending'] as const;
const HAS_LEFT = ['sending', 'sent_to_engine'] as const;
const LONGEST_PAUSE_MS = 60_000;
/** For what is being sent when the line closes. */
const DRAIN_MS = 4_000;

const pauseAfter = (tries: number): number => Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(tries, 7));

/** One device that runs in this process: its engine, its unsent messages, and the code that waits to be scanned. */
export class DeviceLine {
  readonly instanceId: string;
  readonly engine: WaEngine;
  readonly outgoing: OutgoingQueue;
  readonly campaigns: CampaignLane;
  private code: QrInfo | undefined;
  /** What other processes have accepted and called is being read. */
  private calls: Promise<void> = Promise.resolve();
  /** To be handed to the engine (again), whose rows may call them taken: what was taken to the line, or put back, got lost. */
  private readonly unsettled = new Set<string>();
  /** Another process has the device; this line is about to close. */
  private isTaken = false;
  private readonly changes = new Mutex();
  private readonly waiting = new Set<(code: QrInfo | undefined) => void>();

  constructor(private readonly options: LineOptions) {
    this.instanceId = options.instanceId;
    this.engine = options.engine;
    this.outgoing = new OutgoingQueue({
      ...options.sending,
      send: (message, tries) => this.send(message, tries),
    });
    this.campaigns = options.laneOf(this);
  }

  get leases(): Custody {
    return this.options.sending.leases;
  }

  /**
   * What an earlier process accepted goes out; also what it did not see acknowledged, with the same id, where that stays one
   * message. Elsewhere it waits for its acknowledgement like any other (design 3.3).
   */
  async recover(): Promise<void> {
    const { messages, instanceId, engine } = this.options;
    for (const message of await messages.unsent(instanceId, engine.repeatable)) this.outgoing.push(message);
  }

  /** Sends that nobody acknowledged in time: once more where that is safe, failed otherwise (design 3.3). */
  async chase(ackSeconds: number): Promise<void> {
    const { messages, instanceId, engine, reports } = this.options;
    // Without a line there is nobody to acknowledge anything
    if (!this.outgoing.isOpen) return;
    for (const message of await messages.unacknowledged(instanceId, ackSeconds, engine.repeatable)) {
      if (this.outgoing.has(message)) continue;
      if (engine.repeatable && message.repeats === 0) this.outgoing.push({ ...message, mayHaveLeft: true });
      else await this.failed(reports, message.id, 'NO_ACK');
    }
  }

  /** Sends were released: what was kept back goes. */
  wake(): void {
    this.outgoing.wake();
    this.campaigns.wake();
  }

  /** Accepted here: it leaves behind what other processes accepted before. */
  async accepted(message: UnsentMessage): Promise<void> {
    await this.calls;
    if (!this.outgoing.has(message)) this.outgoing.push(message);
  }

  /** Accepted by other processes, into the queue or into the campaign lane. */
  called(ids: readonly string[]): Promise<void> {
    const { messages, instanceId, logger } = this.options;
    const failed = (cause: unknown): void =>
      logger.warn('sends of other processes could not be read; the next sweep finds them', {
        instance: instanceId,
        cause,
      });
    const read = async (): Promise<void> => {
      // The call was our own
      if (this.isTaken) return;
      for (const message of await messages.called(instanceId, ids))
        if (!this.outgoing.has(message)) this.outgoing.push(message);
      this.campaigns.wake();
    };
    this.calls = this.calls.then(read).catch(failed);
    return this.calls;
  }

  /** What was accepted while the account went, or left by a process that was killed before it could tell, fails: it is no other account's. */
  async pickUpForgotten(): Promise<void> {
    const { messages, instanceId, reports } = this.options;
    for (const { status, ...message } of await messages.forgotten(instanceId)) {
      const gone = ACCOUNT_GONE[status];
      if (gone) await this.failed(reports, message.id, gone);
      else if (!this.outgoing.has(message)) this.outgoing.push(message);
    }
  }

  /** See `WaEngine.pair`; never while the account is being given up. */
  pair(phone?: Jid): Promise<void> {
    return this.changes.run(() => this.engine.pair(phone));
  }

  /** See `WaEngine.logout`; never while the account is being linked. */
  logout(): Promise<void> {
    return this.changes.run(() => this.engine.logout());
  }

  offer(code: QrInfo | undefined): void {
    this.code = code;
    if (!code) return;
    for (const tell of this.waiting) tell(code);
  }

  /** The code to scan now, or the next one that comes in time. */
  async pairingCode(limitMs: number, now: Date): Promise<QrInfo | undefined> {
    if (this.code && this.code.expiresAt > now) return this.code;
    return new Promise((resolve) => {
      const tell = (code: QrInfo | undefined): void => {
        clearTimeout(timer);
        this.waiting.delete(tell);
        resolve(code);
      };
      const timer = setTimeout(() => tell(undefined), limitMs);
      this.waiting.add(tell);
    });
  }

  /** What is being sent ends first, unless that takes longer than others should wait for the device. */
  async close(): Promise<void> {
    this.leave();
    this.outgoing.pause();
    await this.drained();
    await this.engine.stop();
  }

  /** Disconnects first: another process is about to have the account. */
  async drop(): Promise<void> {
    this.leave();
    this.outgoing.pause();
    await this.engine.stop();
    await this.drained();
  }

  private drained(): Promise<void> {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    return Promise.race([this.campaigns.close().then(() => this.outgoing.close()), limit]);
  }

  private leave(): void {
    for (const tell of this.waiting) tell(undefined);
  }

  private async send(message: UnsentMessage, tries: number): Promise<Try> {
    const { instanceId, messages, logger, sending } = this.options;
    const { id } = message;
    try {
      const { ours, payload, earlier } = await messages.markSending(instanceId, id, {
        also: message.mayHaveLeft ? HAS_LEFT : this.unsettled.has(id) ? TAKEN : [],
        holder: sending.leases.owner,
      });
      // Who has the device now may have read what waits before this was accepted
      this.isTaken ||= !ours;
      if (!ours) await messages.call(instanceId, id);
      if (earlier.length > 0) return this.letPass(message, earlier);
      const result = payload ? await this.handOver(message, payload, tries) : 'done';
      if (result === 'done') this.unsettled.delete(id);
      else this.unsettled.add(id);
      return result;
    } catch (cause) {
      // It certainly did not leave, and keeps its place: what follows in its chat waits behind it. Its row may say `sending`
      this.unsettled.add(id);
      logger.warn('a message cannot leave while the database is away', { instance: instanceId, id, tries, cause });
      return { againAfterMs: pauseAfter(tries) };
    }
  }

  private letPass({ chat, isReply }: UnsentMessage, earlier: readonly string[]): Try {
    this.outgoing.putFirst(earlier.map((id) => ({ id, chat, isReply })));
    return { againAfterMs: 0 };
  }

  /** Never rejects. */
  private async handOver({ id, chat }: UnsentMessage, payload: OutPayload, tries: number): Promise<Try> {
    const { instanceId, engine, messages, reports, logger } = this.options;
    try {
      const { waId } = await engine.send(payload.to ?? chat, payload.content, { ...payload.options, id });
      await messages.markHandedOver(instanceId, id, waId);
      return 'done';
    } catch (cause) {
      if (cause instanceof EngineOffline) return this.putBack(id);
      // Nobody knows whether it left: a second one would be a second message. `chase` decides
      if (!engine.repeatable && !(cause instanceof EngineRefused || cause instanceof EngineBusy))
        return this.unknown(id, cause);
      const code = cause instanceof EngineRefused ? cause.code : tries >= MAX_TRIES ? 'ENGINE' : undefined;
      logger.warn('a message could not be handed over', {
        instance: instanceId,
        id,
        tries,
        final: code !== undefined,
        cause,
      });
      const settled = code !== undefined && (await this.failed(reports, id, code));
      if (settled) return 'done';
      if (cause instanceof EngineBusy) return this.later(id, cause);
      return { againAfterMs: pauseAfter(tries) };
    }
  }

  private async putBack(id: string): Promise<Try> {
    await this.options.messages.markQueued(this.instanceId, id).catch(() => undefined);
    return 'offline';
  }

  /** It certainly did not leave: after a crash in this pause it waits like any other message. */
  private async later(id: string, { retryAfterMs }: EngineBusy): Promise<Try> {
    await this.options.messages.markQueued(this.instanceId, id).catch(() => undefined);
    return { againAfterMs: retryAfterMs };
  }

  private unknown(id: string, cause: unknown): Try {
    this.options.logger.warn('the outcome of a send is unknown', { instance: this.instanceId, id, cause });
    return 'done';
  }

  private async failed(reports: MessageReports, id: string, code: string): Promise<boolean> {
    return reports.failure(this.instanceId, id, { code, retryable: false }).then(
      () => true,
      () => false,
    );
  }
}
