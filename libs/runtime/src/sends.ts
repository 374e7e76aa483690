import { choice, type Setting } from './config';

/**
 * The effect of a piece of background work. `outside`: something leaves the platform, or reaches a person or a third party.
 * `inside`: our own tables, files and sockets, and siblings that accept repeats idempotently.
 */
export type Effect = 'inside' | 'outside';

const states = ['released', 'held'] as const;
export type SendsState = (typeof states)[number];

/**
 * Whether outside effects may happen now. One object per process, which every outbox, every job and every line asks before
 * each piece of work; so it can be held or released while the process runs. After a restore of the database an operator
 * checks what would be repeated before it is sent (ADR 34).
 */
export class Sends {
  private readonly watchers = new Set<() => void>();

  constructor(private state: SendsState = 'released') {}

  get held(): boolean {
    return this.state === 'held';
  }

  /** Work with this effect may begin. */
  allows(effect: Effect): boolean {
    return effect === 'inside' || !this.held;
  }

  /** From now on no outside effect begins; those in progress end. */
  hold(): void {
    this.become('held');
  }

  /** Releases waiting work, in its order. */
  release(): void {
    this.become('released');
  }

  /** Calls `changed` after every change, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => void this.watchers.delete(changed);
  }

  private become(state: SendsState): void {
    if (this.state === state) return;
    this.state = state;
    for (const changed of this.watchers) changed();
  }
}

/** `SENDS`, of every service that has an outbox, jobs or lines of its own to the outside. */
export const sendsSettings: { readonly SENDS: Setting<SendsState> } = {
  SENDS: choice(states, { fallback: 'released' }),
};
