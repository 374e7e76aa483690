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

/** What goes wrong for whom: the later of an account's own setting and the one for all holds. */
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

  /** Whether the next message for the account is to be damaged; counts down. */
  takeGarble(number: string): boolean {
    const { garble } = this.of(number);
    if (garble > 0) this.set({ garble: garble - 1 }, number);
    return garble > 0;
  }
}
