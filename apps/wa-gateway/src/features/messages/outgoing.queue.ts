import type { Sends } from '@platform/runtime';
import type { UnsentMessage } from './messages.repository';
import type { TokenBucket } from './token-bucket';

/** What became of one try: it left or is settled otherwise; there is no line at the moment; try again after a pause. */
export type Try = 'done' | 'offline' | { readonly againAfterMs: number };

export type Pace = 'reply' | 'other' | 'campaign';

export interface OutgoingOptions {
  /** A campaign's message has waited in its lane and takes nobody's token. */
  readonly buckets: Readonly<Record<Exclude<Pace, 'campaign'>, TokenBucket>>;
  /** While they are held nothing is handed over; what waits keeps its order. */
  readonly sends: Pick<Sends, 'held'>;
  /** Hands one message to the engine; never rejects. `tries` counts from 1. */
  readonly send: (message: UnsentMessage, tries: number) => Promise<Try>;
}

const PARALLEL_CHATS = 16;
const PACES: readonly Pace[] = ['reply', 'other', 'campaign'];

const paceOf = ({ isReply, isCampaign = false }: UnsentMessage): Pace =>
  isCampaign ? 'campaign' : isReply ? 'reply' : 'other';

interface ChatQueue {
  readonly messages: UnsentMessage[];
  tries: number;
}

/**
 * The sends of one device: strictly one after the other in a chat, chats in parallel, replies and other sends each behind
 * their own bucket, so that a wave of first contacts does not delay an answer (design 3.3). It holds what the table `message`
 * holds durably; after a crash it is filled from there.
 */
export class OutgoingQueue {
  private readonly chats = new Map<string, ChatQueue>();
  private readonly ready: Record<Pace, string[]> = { reply: [], other: [], campaign: [] };
  private readonly timers = new Set<NodeJS.Timeout>();
  private waitingForToken: Partial<Record<Pace, boolean>> = {};
  private running = 0;
  private open = false;
  /** How often the line came. */
  private arrivals = 0;
  private idle: (() => void) | undefined;

  constructor(private readonly options: OutgoingOptions) {}

  get size(): number {
    let size = 0;
    for (const { messages } of this.chats.values()) size += messages.length;
    return size;
  }

  /** Whether there is a line, and what waits may leave by it. */
  get isOpen(): boolean {
    return this.open && !this.options.sends.held;
  }

  has({ chat, id }: UnsentMessage): boolean {
    return this.chats.get(chat)?.messages.some((message) => message.id === id) ?? false;
  }

  push(message: UnsentMessage): void {
    const chat = this.chats.get(message.chat);
    if (chat) {
      chat.messages.push(message);
      return;
    }
    this.chats.set(message.chat, { messages: [message], tries: 0 });
    this.makeReady(message.chat);
  }

  /** The head of their chat is being sent, and these were accepted before it. */
  putFirst(messages: readonly UnsentMessage[]): void {
    for (const message of [...messages].reverse()) {
      const queue = this.chats.get(message.chat);
      if (!queue) continue;
      queue.messages.splice(0, queue.messages.length, message, ...queue.messages.filter(({ id }) => id !== message.id));
      queue.tries = 0;
    }
  }

  /** The line is there. */
  resume(): void {
    this.arrivals += 1;
    this.open = true;
    this.pump();
  }

  /** Sends were released. */
  wake(): void {
    this.pump();
  }

  /** The line is down: sends in flight finish, no new one begins. */
  pause(): void {
    this.open = false;
  }

  /** Resolves when no send is in flight. What waits stays in the table. */
  async close(): Promise<void> {
    this.open = false;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    if (this.running > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private makeReady(chat: string): void {
    const head = this.chats.get(chat)?.messages[0];
    if (!head) return void this.chats.delete(chat);
    this.ready[paceOf(head)].push(chat);
    this.pump();
  }

  private pump(): void {
    for (const pace of PACES) {
      while (this.isOpen && this.running < PARALLEL_CHATS && this.ready[pace].length > 0 && this.token(pace)) {
        const chat = this.ready[pace].shift();
        if (chat !== undefined) void this.sendHead(chat);
      }
    }
  }

  private token(pace: Pace): boolean {
    if (pace === 'campaign') return true;
    if (this.waitingForToken[pace]) return false;
    const wait = this.options.buckets[pace].take();
    if (wait === 0) return true;
    this.waitingForToken[pace] = true;
    this.later(wait, () => {
      this.waitingForToken[pace] = false;
      this.pump();
    });
    return false;
  }

  private async sendHead(chat: string): Promise<void> {
    const queue = this.chats.get(chat);
    const head = queue?.messages[0];
    if (!queue || !head) return;
    this.running += 1;
    queue.tries += 1;
    const arrivals = this.arrivals;
    const result = await this.options.send(head, queue.tries);
    this.running -= 1;
    if (result === 'done') {
      queue.messages.shift();
      queue.tries = 0;
    }
    // Without a line nothing was tried
    if (result === 'offline') queue.tries -= 1;
    // Of a line that came meanwhile nobody would tell again
    if (result === 'offline' && arrivals === this.arrivals) this.open = false;
    if (typeof result === 'object') this.later(result.againAfterMs, () => this.makeReady(chat));
    else this.makeReady(chat);
    if (this.running === 0) this.idle?.();
    this.pump();
  }

  private later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}
