import { Failure, TooMany, Unauthenticated, Unexpected, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';

/** Undefined while the service that owns it is away: the page is there all the same, says so, and keeps what was typed. */
export const unlessAway = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((failure: unknown) => {
    const isAway = [UpstreamFailed, UpstreamTimedOut, TooMany].some((each) => failure instanceof each);
    if (!isAway) throw failure;
    return undefined;
  });

/** The same of a part that the page can do without: null also while its owner does not tell this reader, of whom it may not have heard yet. */
export const ifTold = <T>(asked: Promise<T | undefined>): Promise<T | null> =>
  asked.then(
    (told) => told ?? null,
    (failure: unknown) => {
      const isSaid =
        failure instanceof Failure && !(failure instanceof Unauthenticated || failure instanceof Unexpected);
      if (isSaid) return null;
      throw failure;
    },
  );
