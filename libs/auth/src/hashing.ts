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

/** OWASP's minimum for argon2id. */
export const HASH_COST_FLOOR: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const WAITING = 50;

const costOf = (phc: string): HashCost | undefined => {
  const [, m, t, p] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(phc) ?? [];
  return m && t && p ? { memoryCost: Number(m), timeCost: Number(t), parallelism: Number(p) } : undefined;
};

export interface HasherOptions {
  readonly cost: HashCost;
  /** A secret that is not beside the hashes (RFC 9106, K): whoever has only those can try nothing, however short the texts are. */
  readonly pepper?: string;
  readonly slots?: CheckSlots;
}

/**
 * What people know, as argon2id PHC strings (RFC 9106). Checks are bounded, because each takes its memory for its time: twice as
 * many as there are cores at once, 50 waiting, then `TooMany`.
 */
export class SecretHasher implements Component {
  private decoy = '';
  private readonly cost: HashCost;
  private readonly options: HashCost & { readonly secret?: Buffer };
  private readonly slots: CheckSlots;

  constructor(
    readonly name: string,
    { cost, pepper, slots = new CheckSlots(availableParallelism() * 2, WAITING) }: HasherOptions,
  ) {
    this.cost = cost;
    this.options = { ...cost, ...(pepper === undefined ? {} : { secret: Buffer.from(pepper) }) };
    this.slots = slots;
  }

  /** A decoy hash with the current parameters, so that checking it takes as long as checking a stored one. */
  async start(): Promise<void> {
    this.decoy = await hash(randomBytes(32), this.options);
  }

  hash(secret: string): Promise<string> {
    return this.slots.run(() => hash(secret, this.options));
  }

  /** Takes the same time with or without a stored hash; false without one. */
  matches(stored: string | undefined, secret: string): Promise<boolean> {
    return this.slots.run(
      async () => (await verify(stored ?? this.decoy, secret, this.options)) && stored !== undefined,
    );
  }

  /** Made with lower parameters than configured: hash it anew while it is at hand. */
  isWeak(stored: string): boolean {
    const made = costOf(stored);
    return !made || made.memoryCost < this.cost.memoryCost || made.timeCost < this.cost.timeCost;
  }
}
