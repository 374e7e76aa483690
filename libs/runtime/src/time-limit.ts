import { setMaxListeners } from 'node:events';

type Others = readonly (AbortSignal | undefined)[];

interface Limit {
  readonly signal: AbortSignal;
  /** Forgets the time and the other signals: nothing aborts any more. */
  readonly end: () => void;
}

const limitOf = (milliseconds: number, others: Others): Limit => {
  const controller = new AbortController();
  const { signal } = controller;
  const left: (() => void)[] = [];
  const end = (): void => {
    clearTimeout(timer);
    for (const leave of left.splice(0)) leave();
  };
  const abort = (reason: unknown): void => {
    end();
    controller.abort(reason);
  };
  // The timer refers to the controller until it fires
  const expire = () => abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(expire, milliseconds).unref();
  for (const other of others) {
    if (!other) continue;
    const follow = () => abort(other.reason);
    if (other.aborted) {
      follow();
      break;
    }
    // Many calls may be in flight when a process is told to stop
    setMaxListeners(0, other);
    other.addEventListener('abort', follow, { once: true });
    left.push(() => other.removeEventListener('abort', follow));
  }
  return { signal, end };
};

/**
 * Aborts after so many milliseconds (a `TimeoutError`), or with any of the other signals and their reason. Not
 * `AbortSignal.any` over `AbortSignal.timeout`: such a signal refers weakly to its parts, and Node 20 forgets a time-out that
 * nothing else refers to, so that the call hangs forever (nodejs/node issue 57736). Until then it is kept, with all that
 * listens to it: what is done often is done `withTimeLimit`.
 */
export const timeLimit = (milliseconds: number, ...others: Others): AbortSignal => limitOf(milliseconds, others).signal;

/**
 * Does the work under a limit as `timeLimit` makes it, which ends with the work. Else every call leaves its timer and its place
 * among the listeners of the other signals behind for as long as the call might have taken, and each new listener is compared
 * with all of them.
 */
export const withTimeLimit = async <T>(
  milliseconds: number,
  others: Others,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { signal, end } = limitOf(milliseconds, others);
  try {
    return await work(signal);
  } finally {
    end();
  }
};
