import type { Logger } from './logger';

/** Connections of one process to PostgreSQL, at most. */
export interface Sessions {
  /** At the server itself. */
  readonly direct: number;
  /** At a pooler before it, where there is one. */
  readonly pooled: number;
}

/** Numbers that a component tells of itself. A name means the same in every component that has it. */
export interface Measures {
  /** What each number means, by the name of its metric. */
  readonly help: Readonly<Record<string, string>>;
  /** Read at each scrape; what is left out has no value now. */
  read(): Promise<Readonly<Record<string, number>>>;
}

/** Who starts a component and hears how it goes. */
export interface Starting {
  /** Told when a start waits for something outside, and for what; again at each look. */
  waits(reason: string): void;
  /** Aborted when the start is given up: what waits ends. */
  readonly signal: AbortSignal;
}

/** Something with a lifecycle: a pool, a dispatcher, a socket server. Nothing is opened before `start`. */
export interface Component {
  readonly name: string;
  /** The service can do its job without it (a cache, a socket adapter): turns /health red and leaves /ready green. */
  readonly optional?: boolean;
  /** What is missing outside is waited for where somebody hears of it (`starting`), and is a failure elsewhere. */
  start?(starting?: Starting): Promise<void>;
  /**
   * Called when a stop begins, before the listeners close: lets go of connections that would keep them open, and begins to end
   * what takes its time, beside the requests that are still answered. `stop` follows.
   */
  drain?(): void;
  /** Releases what it holds; called in reverse order of the starts, also when a later start failed. */
  stop?(): Promise<void>;
  /** Rejects when it cannot serve at this moment; called by /ready and /health. */
  check?(): Promise<void>;
  /** How many items it holds back because sends are held; undefined when they are not. Shown by /health and /metrics. */
  held?(): Promise<number | undefined>;
  /** What it opens to PostgreSQL at most; added up over all replicas that is what the server must have room for. */
  readonly sessions?: Sessions;
  /** Shown by /metrics under the component's name. */
  readonly measures?: Measures;
}

/**
 * The components of a service in start order. Those of an inner list are independent of each other and start concurrently;
 * everything before the list has started by then, and everything after it waits for all of them.
 */
export type Components = readonly (Component | readonly Component[])[];

/** What all components of a process open to PostgreSQL together, at most. */
export const sessionsOf = (components: Components): Sessions => {
  const all = components.flat().flatMap(({ sessions }) => sessions ?? []);
  const sum = (which: keyof Sessions): number => all.reduce((total, each) => total + each[which], 0);
  return { direct: sum('direct'), pooled: sum('pooled') };
};

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

interface Failed {
  readonly name: string;
  readonly cause: unknown;
}

/**
 * Starts a stage. From the first failure on whatever has settled is stopped; what waits is given up, what still starts is
 * waited for, then stopped too.
 */
const startTogether = async (
  stage: readonly Component[],
  told: (failed: Failed) => void,
  starting: Starting | undefined,
): Promise<Failed[]> => {
  const failure = new AbortController();
  const heard = starting && { ...starting, signal: AbortSignal.any([starting.signal, failure.signal]) };
  const settled: Component[] = [];
  const failures: Failed[] = [];
  const startOne = async (component: Component): Promise<void> => {
    try {
      await component.start?.(heard);
    } catch (cause) {
      const failed = { name: component.name, cause };
      failures.push(failed);
      told(failed);
      failure.abort();
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
export const startAll = async (
  components: Components,
  logger?: Pick<Logger, 'error'>,
  starting?: Starting,
): Promise<void> => {
  const begun: Component[] = [];
  for (const stage of components) {
    const together = [stage].flat();
    const told = ({ name, cause }: Failed): void =>
      logger?.error('a component did not start: stopping', { component: name, cause });
    const failures = await startTogether(together, told, starting);
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

/**
 * The end of a component that takes its time: begun with `drain`, beside the requests that are still answered, and awaited by
 * `stop`. `end` is called once for both, and again after that; it answers nothing where nothing runs.
 */
export const endingWithDrain = (end: () => Promise<void> | undefined): Required<Pick<Component, 'drain' | 'stop'>> => {
  let ending: Promise<void> | undefined;
  const begin = async (): Promise<void> => (ending ??= end());
  return {
    // What fails is told by `stop`
    drain: () => void begin().catch(() => undefined),
    stop: () => begin().finally(() => (ending = undefined)),
  };
};
