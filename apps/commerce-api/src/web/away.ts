import { TooMany, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';

/** Undefined while the service that owns it is away: the page is there all the same, says so, and keeps what was typed. */
export const unlessAway = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((failure: unknown) => {
    const isAway = [UpstreamFailed, UpstreamTimedOut, TooMany].some((each) => failure instanceof each);
    if (!isAway) throw failure;
    return undefined;
  });
