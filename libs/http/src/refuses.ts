import type { AnyFailure, Failure, FailureKind } from '@platform/errors';

/** Makes a failure that a handler throws; for the documentation it is made of `…`, whatever it wants, so it must bear that. */
export type Refusal = (...given: never[]) => Failure;

/** Each is a kind, answered as the envelope answers all of it, or a failure of the service's own, with its code and words. */
export type Refuses = readonly (FailureKind | Refusal)[];

const GIVEN = ['…', '…', '…'] as never[];

/** The kinds among them, and the others as they are thrown. */
export const kindsIn = (refuses: Refuses): FailureKind[] => refuses.filter((each) => typeof each === 'string');
export const failuresIn = (refuses: Refuses): AnyFailure[] =>
  refuses.flatMap((each) => (typeof each === 'string' ? [] : [each(...GIVEN) as AnyFailure]));
