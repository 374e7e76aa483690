/** Something with a life of its own: a pool, a dispatcher, a socket server. Nothing is opened before `start`. */
export interface Component {
  readonly name: string;
  /** The service can do its job without it (a cache, a socket adapter): turns /health red and leaves /ready green. */
  readonly optional?: boolean;
  start?(): Promise<void>;
  /** Called when a stop begins, before the listeners close: lets go of connections that would keep them open. */
  drain?(): void;
  /** Gives back what it holds; called in reverse order of the starts, also after a failed start of a later one. */
  stop?(): Promise<void>;
  /** Rejects when it cannot serve at this moment; what /ready and /health ask. */
  check?(): Promise<void>;
}

/** Starts in order. When one fails, those already started are stopped again and the failure is thrown. */
export const startAll = async (components: readonly Component[]): Promise<void> => {
  const started: Component[] = [];
  try {
    for (const component of components) {
      started.push(component);
      await component.start?.();
    }
  } catch (cause) {
    await stopAll(started);
    throw new Error(
      `${started.at(-1)?.name} did not start: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
};

/** Stops in reverse order; one that fails to stop does not keep the others running. Returns what failed. */
export const stopAll = async (components: readonly Component[]): Promise<unknown[]> => {
  const failures: unknown[] = [];
  for (const component of [...components].reverse())
    await component.stop?.().catch((failure: unknown) => failures.push(failure));
  return failures;
};
