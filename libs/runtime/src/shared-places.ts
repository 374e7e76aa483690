export interface SharedPlacesOptions {
  /** In all. */
  readonly places: number;
  /** Of one key. */
  readonly most: number;
}

/** So much is kept for keys that have none: a few keys with much long work never have all places. */
const KEPT_PART = 1 / 4;

interface Waiter {
  readonly key: string;
  readonly admit: (leave: () => void) => void;
}

/**
 * Places that many keys share. A key has `most` of them, and of the last quarter one, when it has no other: whatever a few
 * keys do with theirs, another one finds a place.
 */
export class SharedPlaces {
  private readonly held = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private taken = 0;

  constructor(private readonly options: SharedPlacesOptions) {}

  /** The keys that have places, and may not have another one now. */
  full(): string[] {
    const most = this.mostNow();
    return [...this.held].filter(([, count]) => count >= most).map(([key]) => key);
  }

  heldBy(key: string): number {
    return this.held.get(key) ?? 0;
  }

  /** The function that gives the place back, or nothing when the key may not have one now. */
  take(key: string): (() => void) | undefined {
    const count = this.heldBy(key);
    if (count >= this.mostNow()) return undefined;
    this.held.set(key, count + 1);
    this.taken += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.leave(key);
    };
  }

  /**
   * Resolves, when there is a place for the key, to the function that gives it back; calling it again does no harm. Those
   * who may have a place get it in the order of arrival. Rejects with the reason of the signal when that aborts before.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const leave = this.take(key);
    if (leave) return leave;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const admit = (place: () => void): void => {
        signal?.removeEventListener('abort', end);
        this.waiters.delete(waiter);
        resolve(place);
      };
      const waiter: Waiter = { key, admit };
      this.waiters.add(waiter);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  private mostNow(): number {
    const { places, most } = this.options;
    if (this.taken >= places) return 0;
    return this.taken < places - Math.floor(places * KEPT_PART) ? most : 1;
  }

  private leave(key: string): void {
    const left = this.heldBy(key) - 1;
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
    this.taken -= 1;
    for (const waiter of this.waiters) {
      const place = this.take(waiter.key);
      if (place) waiter.admit(place);
    }
  }
}
