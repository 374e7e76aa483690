import type { Agent } from '../agents/public';
import type { BurstLine } from '../loop/public';
import type { PricedAttempt } from '../model/public';

/** A message with the addresses of what came with it. */
export interface Heard {
  readonly content: string;
  readonly images: readonly string[];
  readonly audio: readonly string[];
}

export interface HeardAround {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Told what gives the memory of a picture back: to be called when the turn is over. */
  readonly held: (release: () => void) => void;
}

/** Understands pictures and voice notes (design 3.10). */
export interface Hearing {
  /** In the order of `messages`, within 10 s; what cannot be understood stays a label. Never rejects. */
  understand(
    messages: readonly Heard[],
    around: HeardAround,
  ): Promise<{ readonly lines: readonly BurstLine[]; readonly attempts: readonly PricedAttempt[] }>;
}
