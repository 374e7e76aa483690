import type { AnyFailure, Failure, FailureKind } from '@platform/errors';

/** Creates a failure that a handler throws; the documentation calls it with `…` for every argument, which it must accept. */
export type Refusal = (...given: never[]) => Failure;

/** Each is a kind, answered as the envelope answers that kind, or a failure of the service's own, with its code and text. */
export type Refuses = readonly (FailureKind | Refusal)[];

const GIVEN = ['…', '…', '…'] as never[];

/** The kinds among them, and the others as they are thrown. */
export const kindsIn = (refuses: Refuses): FailureKind[] => refuses.filter((each) => typeof each === 'string');
export const failuresIn = (refuses: Refuses): AnyFailure[] =>
  refuses.flatMap((each) => (typeof each === 'string' ? [] : [each(...GIVEN) as AnyFailure]));
