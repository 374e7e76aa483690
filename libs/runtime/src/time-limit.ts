import { setMaxListeners } from 'node:events';

/**
 * Aborts after so many milliseconds (a `TimeoutError`), or with any of the other signals and their reason. Not
 * `AbortSignal.any` over `AbortSignal.timeout`: such a signal refers weakly to its parts, and Node 20 forgets a time-out that
 * nothing else refers to, so that the call hangs forever (nodejs/node issue 57736).
 */
export const timeLimit = (milliseconds: number, ...others: readonly (AbortSignal | undefined)[]): AbortSignal => {
  const controller = new AbortController();
  const { signal } = controller;
  // The timer refers to the controller until it fires
  const expire = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  setTimeout(expire, milliseconds).unref();
  for (const other of others) {
    if (!other) continue;
    if (other.aborted) controller.abort(other.reason);
    // Many calls may be in flight when a process is told to stop; each listener is removed with its limit
    setMaxListeners(0, other);
    other.addEventListener('abort', () => controller.abort(other.reason), { once: true, signal });
  }
  return signal;
};
