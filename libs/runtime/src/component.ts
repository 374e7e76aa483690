import type { Logger } from './logger';

/** Something with a lifecycle: a pool, a dispatcher, a socket server. Nothing is opened before `start`. */
export interface Component {
  readonly name: string;
  /** The service can do its job without it (a cache, a socket adapter): turns /health red and leaves /ready green. */
  readonly optional?: boolean;
  start?(): Promise<void>;
  /** Called when a stop begins, before the listeners close: releases connections that would keep them open. */
  drain?(): void;
  /** Releases what it holds; called in reverse order of the starts, also when a later start failed. */
  stop?(): Promise<void>;
  /** Rejects when it cannot serve at this moment; called by /ready and /health. */
  check?(): Promise<void>;
  /** How many items it holds back because sends are held; undefined when they are not. Shown by /health and /metrics. */
  held?(): Promise<number | undefined>;
}

/**
 * The components of a service in start order. Those of an inner list are independent of each other and start concurrently;
 * everything before the list has started by then, and everything after it waits for all of them.
 */
export type Components = readonly (Component | readonly Component[])[];

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

interface Failed {
  readonly name: string;
  readonly cause: unknown;
}

/** Starts a stage. After the first failure those that have started are stopped; those still starting are awaited, then stopped too. */
const startTogether = async (stage: readonly Component[], told: (failed: Failed) => void): Promise<Failed[]> => {
  const settled: Component[] = [];
  const failures: Failed[] = [];
  const startOne = async (component: Component): Promise<void> => {
    try {
      await component.start?.();
    } catch (cause) {
      const failed = { name: component.name, cause };
      failures.push(failed);
      told(failed);
    }
    settled.push(component);
    if (failures.length > 0) await stopAll(settled.splice(0));
  };
  await Promise.all(stage.map(startOne));
  return failures;
};

/**
 * Starts in order. A failure is logged at once, and components started beside it are stopped while slow ones still start;
 * then those of earlier stages, in reverse order, and the failure is thrown.
 */
export const startAll = async (components: Components, logger?: Pick<Logger, 'error'>): Promise<void> => {
  const begun: Component[] = [];
  for (const stage of components) {
    const together = [stage].flat();
    const failures = await startTogether(together, ({ name, cause }) =>
      logger?.error('a component did not start; stopping', { component: name, cause }),
    );
    if (failures.length === 0) {
      begun.push(...together);
      continue;
    }
    await stopAll(begun);
    const [{ cause } = { cause: undefined }] = failures;
    throw new Error(failures.map((each) => `${each.name} did not start: ${reasonOf(each.cause)}`).join('; '), {
      cause,
    });
  }
};

/** Stops one after the other in reverse order; one that fails to stop does not keep the others running. Resolves to the failures. */
export const stopAll = async (components: Components): Promise<unknown[]> => {
  const failures: unknown[] = [];
  for (const component of components.flat().reverse())
    try {
      await component.stop?.();
    } catch (failure) {
      failures.push(failure);
    }
  return failures;
};
