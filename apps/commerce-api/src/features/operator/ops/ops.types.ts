import type { Writer } from '../../../by';

/** What a command did, for people and, as one JSON line, for scripts. */
export interface Outcome {
  readonly text: string;
  readonly data: object;
}

/** Wrong usage, not a command that was refused: shown as it is, with where help is. */
export class UsageError extends Error {}

/** Who acts in the store that a command names. */
export type OperatorIn = (storeId: string) => Writer;

/** One command of the operators. */
export interface Operation {
  /** `kyc approve`. */
  readonly name: string;
  /** What follows it: `<store> <id>`. */
  readonly usage: string;
  readonly summary: string;
  /** How many words at least, and at most. */
  readonly words: readonly [number, number];
  /** Throws `UsageError`, and a `Failure` for what is refused. */
  run(words: readonly string[]): Promise<Outcome>;
}
