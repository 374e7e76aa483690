import type { Logger } from '@platform/runtime';
import { EngineOffline, EngineRefused, type QrInfo, type WaEngine } from '../../engines/engine.types';
import type { MessageReports } from '../messages/message-reports.service';
import type { MessagesRepository, UnsentMessage } from '../messages/messages.repository';
import { OutgoingQueue, type OutgoingOptions, type Try } from '../messages/outgoing.queue';

export interface LineOptions {
  readonly instanceId: string;
  readonly engine: WaEngine;
  readonly buckets: OutgoingOptions['buckets'];
  readonly messages: MessagesRepository;
  readonly reports: MessageReports;
  readonly logger: Logger;
}

const MAX_TRIES = 10;
const LONGEST_PAUSE_MS = 60_000;

/** One device at work in this process: its engine, what it has still to send, and the code that waits to be scanned. */
export class DeviceLine {
  readonly instanceId: string;
  readonly engine: WaEngine;
  readonly outgoing: OutgoingQueue;
  private code: QrInfo | undefined;
  private readonly waiting = new Set<(code: QrInfo | undefined) => void>();

  constructor(private readonly options: LineOptions) {
    this.instanceId = options.instanceId;
    this.engine = options.engine;
    this.outgoing = new OutgoingQueue({
      buckets: options.buckets,
      send: (message, tries) => this.send(message, tries),
    });
  }

  /** What an earlier process accepted and did not see acknowledged goes out again, with the same id (design 3.3). */
  async recover(): Promise<void> {
    const { messages, instanceId } = this.options;
    for (const message of await messages.unsent(instanceId)) this.outgoing.push(message);
  }

  async pickUpForgotten(): Promise<void> {
    const { messages, instanceId } = this.options;
    for (const message of await messages.forgotten(instanceId))
      if (!this.outgoing.has(message)) this.outgoing.push(message);
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

  async close(): Promise<void> {
    for (const tell of this.waiting) tell(undefined);
    await this.outgoing.close();
    await this.engine.stop();
  }

  private async send(message: UnsentMessage, tries: number): Promise<Try> {
    const { instanceId, engine, messages, reports, logger } = this.options;
    const { id, chat } = message;
    try {
      const payload = await messages.markSending(instanceId, id);
      if (!payload) return 'done';
      const { waId } = await engine.send(chat, payload.content, { ...payload.options, id });
      await messages.markHandedOver(instanceId, id, waId);
      return 'done';
    } catch (cause) {
      if (cause instanceof EngineOffline) return 'offline';
      const code = cause instanceof EngineRefused ? cause.code : tries >= MAX_TRIES ? 'ENGINE' : undefined;
      logger.warn('a message could not be handed over', {
        instance: instanceId,
        id,
        tries,
        final: code !== undefined,
        cause,
      });
      const settled = code !== undefined && (await this.failed(reports, id, code));
      return settled ? 'done' : { againAfterMs: Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(tries, 7)) };
    }
  }

  private async failed(reports: MessageReports, id: string, code: string): Promise<boolean> {
    return reports.failure(this.instanceId, id, { code, retryable: false }).then(
      () => true,
      () => false,
    );
  }
}
