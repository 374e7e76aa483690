import type { Faults } from './sandbox.types';

export const noFaults: Faults = {
  dropAck: false,
  nack: null,
  delayMs: 0,
  dup: false,
  hold: false,
  silent: false,
  garble: 0,
  nackReleases: false,
};

/** The faults of each account. A setting for one account and one for all override each other: the later one applies. */
export class FaultBook {
  private everyone: Faults = noFaults;
  private readonly own = new Map<string, Partial<Faults>>();

  set(change: Partial<Faults>, number?: string): void {
    if (number === undefined) {
      this.everyone = { ...this.everyone, ...change };
      for (const [each, own] of this.own) this.own.set(each, { ...own, ...change });
      return;
    }
    this.own.set(number, { ...this.own.get(number), ...change });
  }

  of(number: string): Faults {
    return { ...this.everyone, ...this.own.get(number) };
  }

  /** Whether to damage the next message for the account; decrements its counter. */
  takeGarble(number: string): boolean {
    const { garble } = this.of(number);
    if (garble > 0) this.set({ garble: garble - 1 }, number);
    return garble > 0;
  }
}
