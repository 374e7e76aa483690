/** Waits for the work until the signal aborts; then rejects with its reason, and the work, which does not know of it, goes on unheard. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', giveUp));
};
