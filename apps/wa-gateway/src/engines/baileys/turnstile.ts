import type { Logger } from '@platform/runtime';

/** While WhatsApp is silent an attempt begins so often, and one right after it spoke. */
const SILENT_PACE_MS = 5_000;
/** Longer than any attempt that the library ends by itself: whatever becomes of one, its place is free after that. */
const LONGEST_ATTEMPT_MS = 120_000;

/** What one attempt to connect tells the others. */
export interface Pass {
  /** WhatsApp said nothing to it, and a silence has ended since it began: its failure says nothing about its device. */
  readonly isExcused: boolean;
  /** WhatsApp has said a word: it is not silent. */
  heard(): void;
  /** The attempt is over and WhatsApp never said a word; the place is free. Without effect on one that was heard or has left. */
  unheard(): void;
  /** The place is free, as it is two minutes after it was taken; calling again does no harm. */
  leave(): void;
}

/** The way in for the devices of one tenant. */
export interface Entrance {
  /** Resolves, when it is its turn, to a pass; to nothing when it is no longer wanted by then. */
  enter(isWanted: () => boolean): Promise<Pass | undefined>;
  /** Without a turn and a place: a person waits. */
  enterAtOnce(): Pass;
  /** Calls `spoken` whenever WhatsApp speaks again after a silence, until the returned function is called. */
  watch(spoken: () => void): () => void;
}

interface Waiter {
  readonly isWanted: () => boolean;
  readonly admit: (pass: Pass | undefined) => void;
}

export interface TurnstileOptions {
  /** Attempts at a time. */
  readonly places: number;
  readonly logger: Logger;
}

/**
 * Lets the devices of this process connect to WhatsApp, in turns among the tenants and within a tenant in the order of arrival.
 * After as many attempts in a row as there are places to which WhatsApp said nothing it is *silent*: from then on one attempt
 * begins every five seconds, while the others wait and fail at nothing. The first word to any of them ends that: those who wait
 * follow at once, as many at a time as there are places.
 */
export class Turnstile {
  /** Tenants of whom somebody waits, the next one first. */
  private readonly queues = new Map<string, Waiter[]>();
  private readonly watchers = new Set<() => void>();
  private taken = 0;
  /** Attempts since the last word. */
  private unheard = 0;
  /** That have ended. */
  private silences = 0;
  /** Until it ends nobody is admitted. */
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly options: TurnstileOptions) {}

  /** So many attempts in a row were not answered, and none since. */
  get isSilent(): boolean {
    return this.unheard >= this.options.places;
  }

  /** Attempts that have a place now. */
  get connecting(): number {
    return this.taken;
  }

  entrance(tenant: string): Entrance {
    return {
      enter: (isWanted) => this.enter(tenant, isWanted),
      enterAtOnce: () => this.pass(),
      watch: (spoken) => {
        this.watchers.add(spoken);
        return () => void this.watchers.delete(spoken);
      },
    };
  }

  private enter(tenant: string, isWanted: () => boolean): Promise<Pass | undefined> {
    return new Promise((admit) => {
      const queue = this.queues.get(tenant) ?? [];
      queue.push({ isWanted, admit });
      this.queues.set(tenant, queue);
      this.admit();
    });
  }

  private admit(): void {
    while (this.taken < this.options.places && !this.rest) {
      const next = this.next();
      if (!next) return;
      this.taken += 1;
      if (this.isSilent) this.pause();
      next.admit(this.place());
    }
  }

  /** Who is no longer wanted goes without a turn: in a silence turns are rare. */
  private next(): Waiter | undefined {
    for (const [tenant, queue] of this.queues) {
      const waiter = queue.shift();
      // To the end: the others come first
      this.queues.delete(tenant);
      if (queue.length > 0) this.queues.set(tenant, queue);
      if (waiter?.isWanted()) return waiter;
      waiter?.admit(undefined);
    }
    return undefined;
  }

  private pause(): void {
    this.rest = setTimeout(() => {
      this.rest = undefined;
      this.admit();
    }, SILENT_PACE_MS).unref();
  }

  private place(): Pass {
    const pass = this.pass(() => {
      clearTimeout(limit);
      this.freed();
    });
    const limit = setTimeout(pass.unheard, LONGEST_ATTEMPT_MS).unref();
    return pass;
  }

  private pass(free: () => void = () => undefined): Pass {
    const before = this.silences;
    const silences = (): number => this.silences;
    let [wasHeard, isOver] = [false, false];
    const leave = (): void => {
      if (!isOver) free();
      isOver = true;
    };
    return {
      get isExcused() {
        return !wasHeard && silences() > before;
      },
      heard: () => {
        if (!wasHeard) this.spoken();
        wasHeard = true;
      },
      unheard: () => {
        if (!wasHeard && !isOver) this.unanswered();
        leave();
      },
      leave,
    };
  }

  private freed(): void {
    this.taken -= 1;
    this.admit();
  }

  private unanswered(): void {
    this.unheard += 1;
    if (this.unheard !== this.options.places) return;
    this.options.logger.warn('WhatsApp is silent: devices wait, one tries at a time');
    this.pause();
  }

  private spoken(): void {
    const wasSilent = this.isSilent;
    this.unheard = 0;
    if (!wasSilent) return;
    this.options.logger.info('WhatsApp speaks again: devices connect');
    this.silences += 1;
    clearTimeout(this.rest);
    this.rest = undefined;
    for (const told of [...this.watchers]) told();
    this.admit();
  }
}
