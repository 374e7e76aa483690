import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';

const ANSWER_MS = 5_000;
const TRY_AGAIN_MS = 200;

interface Missed {
  readonly chats: Readonly<
    Record<string, { readonly inbox?: readonly { readonly seq: number }[]; readonly reset?: true }>
  >;
}

/**
 * An agent's client with socket.io's defaults that has one chat open and does what chat-backend asks of clients: after a
 * connection that did not recover, and at a gap in the numbers of the messages, it sends `sync`.
 */
export class Watcher {
  /** Connections that could not be made, in socket.io's words. */
  readonly refusals: string[] = [];
  reconnects = 0;
  recoveries = 0;
  /** Messages that were pushed, and those that only `sync` brought. */
  told = 0;
  synced = 0;
  private readonly seen = new Set<number>();
  private readonly socket: Socket;
  private chatId: string | undefined;
  private syncing: Promise<void> | undefined;
  private ended = false;

  constructor(url: string, token: string) {
    // A separate connection per client, as each browser has; everything else is the default
    this.socket = io(url, { auth: { token }, forceNew: true });
    this.socket.on('connect_error', ({ message }) => this.refusals.push(message));
    this.socket.on('newMessage', (event: { chatId: string; seq: number }) => this.hear(event));
  }

  get transport(): string {
    return this.socket.io.engine.transport.name;
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  /** Opens a chat and fetches all its messages. */
  async open(chatId: string): Promise<void> {
    this.chatId = chatId;
    this.socket.on('connect', () => {
      this.reconnects += 1;
      if (this.socket.recovered) this.recoveries += 1;
      else void this.enter();
    });
    await this.enter();
  }

  /** Numbers of messages up to `last` that it has never seen. */
  missing(last: number): number[] {
    return Array.from({ length: last }, (_, n) => n + 1).filter((seq) => !this.seen.has(seq));
  }

  close(): void {
    this.ended = true;
    this.socket.disconnect();
  }

  /** The last number before the first gap. */
  private get known(): number {
    let seq = 0;
    while (this.seen.has(seq + 1)) seq += 1;
    return seq;
  }

  private hear({ chatId, seq }: { chatId: string; seq: number }): void {
    if (chatId !== this.chatId || this.seen.has(seq)) return;
    const isGap = seq > this.known + 1;
    this.seen.add(seq);
    this.told += 1;
    if (isGap) void this.sync();
  }

  private enter(): Promise<void> {
    return this.insist(async () => {
      const { result } = (await this.ask('chatJoin', { chatId: this.chatId })) as { result?: boolean };
      if (result !== true) throw new Error(`chat ${this.chatId} cannot be joined`);
      await this.sync();
    });
  }

  private sync(): Promise<void> {
    return (this.syncing ??= this.insist(async () => {
      const chatId = this.chatId ?? '';
      const { chats } = (await this.ask('sync', { chats: { [chatId]: this.known } })) as Missed;
      for (const { seq } of chats[chatId]?.inbox ?? []) {
        if (!this.seen.has(seq)) this.synced += 1;
        this.seen.add(seq);
      }
    }).finally(() => (this.syncing = undefined)));
  }

  private ask(request: string, payload: object): Promise<unknown> {
    return this.socket.timeout(ANSWER_MS).emitWithAck(request, payload);
  }

  /** Repeats `work` until it succeeds; meanwhile socket.io restores a lost connection. */
  private async insist(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch {
        if (this.ended) return;
        await pause(TRY_AGAIN_MS);
      }
    }
  }
}

/** Resolves with the clients that connected within the time and without a refusal. */
export const connectedAtOnce = async (watchers: readonly Watcher[], withinMs: number, signal: AbortSignal) => {
  const end = Date.now() + withinMs;
  while (Date.now() < end && !watchers.every(({ isConnected }) => isConnected)) await pause(50, undefined, { signal });
  return watchers.filter(({ isConnected, refusals }) => isConnected && refusals.length === 0);
};
