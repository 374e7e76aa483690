import { Readable } from 'node:stream';
import { TooMany, Unavailable } from '@platform/errors';
import { SharedPlaces, type Component, type Logger } from '@platform/runtime';

export interface StreamLimits {
  /** Of this process. */
  readonly places: number;
  readonly ofStore: number;
  readonly ofUser: number;
}

/** Pages of one person that live at once: tabs, and a phone. Those beyond ask every now and then. */
const LIMITS: StreamLimits = { places: 2_000, ofStore: 400, ofUser: 6 };
/** What may wait for a browser that does not read. */
const MOST_WAITING = 1024 * 1024;
/** Proxies close what is silent for longer, and a page knows by it that its line is not dead. */
const BEAT_MS = 15_000;
/** So soon a right that was lost ends the stream (commerce-web.md 12, 26). */
const CHECK_MS = 4_000;
const RETRY_SECONDS = 15;
const LAST_MS = 1_000;

/** The events of one page (server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LiveStream {
  readonly body = new Readable({ read: () => undefined });
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly endings: (() => void)[] = [];
  private isEnding = false;

  constructor() {
    this.body.once('close', () => {
      for (const timer of this.timers) clearInterval(timer);
      for (const ending of this.endings) ending();
    });
    this.every(BEAT_MS, () => this.send('beat', {}));
  }

  get isOver(): boolean {
    return this.body.destroyed || this.isEnding;
  }

  /** An event that begins with a line break ends before it: JSON has none. */
  send(event: string, data: object): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Never, when it is over already: whoever has gone while something was waited for would be worked for as long as the process lives. */
  every(milliseconds: number, work: () => void): void {
    if (this.body.destroyed) return;
    this.timers.push(setInterval(work, milliseconds).unref());
  }

  /** Now, when it is over already. */
  whenOver(ending: () => void): void {
    if (this.body.destroyed) ending();
    else this.endings.push(ending);
  }

  /** The browser comes back by itself. What is on its way arrives, unless it takes too long. */
  end(): void {
    if (this.isOver) return;
    this.isEnding = true;
    this.body.push(null);
    setTimeout(() => this.body.destroy(), LAST_MS).unref();
  }

  /** Before anybody reads it. */
  abandon(): void {
    this.body.destroy();
  }

  private write(text: string): void {
    if (this.isOver) return;
    // Whoever does not read is repaired when they come back, as after any loss
    if (this.body.readableLength + text.length > MOST_WAITING) return this.end();
    this.body.push(text);
  }
}

export interface StreamOwner {
  readonly storeId: string;
  readonly userId: string;
}

/** All streams of this process: shares of stores and people, and an end when the process stops. */
export class LiveStreams implements Component {
  readonly name = 'live pages';
  private readonly open = new Set<LiveStream>();
  private readonly stores: SharedPlaces;
  private readonly users: SharedPlaces;
  private isDraining = false;

  constructor(
    private readonly logger: Logger,
    { places, ofStore, ofUser }: StreamLimits = LIMITS,
  ) {
    this.stores = new SharedPlaces({ places, most: ofStore });
    this.users = new SharedPlaces({ places: places * 2, most: ofUser });
  }

  /**
   * A stream for as long as `mayStay` resolves; it rejects when the reader has lost the right. Throws `TooMany` beyond the shares, and
   * `Unavailable` while the process stops.
   */
  begin({ storeId, userId }: StreamOwner, mayStay: () => Promise<void>): LiveStream {
    if (this.isDraining) throw new Unavailable('This process stops');
    const leaves = [this.stores.take(storeId), this.users.take(`${storeId} ${userId}`)];
    if (leaves.some((leave) => leave === undefined)) {
      for (const leave of leaves) leave?.();
      throw new TooMany('Too many live pages', { retryAfterSeconds: RETRY_SECONDS });
    }
    const stream = new LiveStream();
    this.open.add(stream);
    stream.whenOver(() => {
      this.open.delete(stream);
      for (const leave of leaves) leave?.();
    });
    this.watch(stream, mayStay);
    return stream;
  }

  /** Browsers go to another process while this one answers what is under way. */
  drain(): void {
    this.isDraining = true;
    for (const stream of this.open) stream.end();
  }

  /** Never twice at a time: while the database is slow, all streams would only make it slower. */
  private watch(stream: LiveStream, mayStay: () => Promise<void>): void {
    let isAsked = false;
    stream.every(CHECK_MS, () => {
      if (isAsked) return;
      isAsked = true;
      void mayStay()
        .catch((refused: unknown) => this.expel(stream, refused))
        .finally(() => (isAsked = false));
    });
  }

  private expel(stream: LiveStream, refused: unknown): void {
    this.logger.info('a live page has ended: its reader may not go on', { cause: String(refused) });
    stream.end();
  }
}
