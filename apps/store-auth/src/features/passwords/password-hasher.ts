import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Component } from '@platform/runtime';
import { CheckSlots } from './check-slots';

/** argon2id: KiB of memory, passes, lanes. */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

const WAITING = 50;

const costOf = (phc: string): HashCost | undefined => {
  const [, m, t, p] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(phc) ?? [];
  return m && t && p ? { memoryCost: Number(m), timeCost: Number(t), parallelism: Number(p) } : undefined;
};

/**
 * Passwords as argon2id PHC strings (RFC 9106). Checks are bounded, because each takes its memory for its time: twice as
 * many as there are cores at once, 50 waiting, then `TooMany`.
 */
export class PasswordHasher implements Component {
  readonly name = 'passwords';
  private dummy = '';

  constructor(
    private readonly cost: HashCost,
    private readonly slots = new CheckSlots(availableParallelism() * 2, WAITING),
  ) {}

  /** A decoy hash with the current parameters, so that checking it takes as long as checking a stored one. */
  async start(): Promise<void> {
    this.dummy = await hash(randomBytes(32), this.cost);
  }

  hash(password: string): Promise<string> {
    return this.slots.run(() => hash(password, this.cost));
  }

  /** Takes the same time with or without a stored hash; false without one. */
  matches(stored: string | undefined, password: string): Promise<boolean> {
    return this.slots.run(async () => (await verify(stored ?? this.dummy, password)) && stored !== undefined);
  }

  /** Made with lower parameters than configured: rehash while the password is at hand. */
  isWeak(stored: string): boolean {
    const made = costOf(stored);
    return !made || made.memoryCost < this.cost.memoryCost || made.timeCost < this.cost.timeCost;
  }
}
