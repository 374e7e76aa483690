import type { ChildProcess } from 'node:child_process';
import { endProcess } from './process-table';

/** A running process of the stack. */
export interface Running {
  readonly pid: number;
  /** Resolves when it can be used; rejects when it ended before that, or took too long. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the process has ended. */
  readonly gone: Promise<string>;
  /** Resolves when nothing is left of it. */
  stop(): Promise<void>;
}

/** Something that the stack keeps running. */
export interface Unit {
  readonly name: string;
  start(): Promise<Running>;
  /** Its last output, for the report of a death. */
  lastLines(): string;
}

const POLL_MS = 100;
const READY_LIMIT_MS = 60_000;

/** Polls until it is true or the limit is over. */
const until = async (isReady: () => Promise<boolean>, over: () => string | undefined): Promise<void> => {
  for (const end = Date.now() + READY_LIMIT_MS; ;) {
    if (await isReady()) return;
    const reason = over() ?? (Date.now() > end ? `was not ready after ${READY_LIMIT_MS / 1000} s` : undefined);
    if (reason) throw new Error(reason);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

export interface Watch {
  readonly isReady: () => Promise<boolean>;
  readonly stopWithinMs: number;
}

/** A spawned process with its end and its readiness watched. */
export const watchProcess = (child: ChildProcess, { isReady, stopWithinMs }: Watch): Running => {
  let ending: string | undefined;
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve((ending = error.message)));
    child.once('exit', (code, signal) => resolve((ending = signal ?? `exit ${code}`)));
  });
  const ready = until(isReady, () => ending && `ended (${ending})`);
  ready.catch(() => undefined); // whoever awaits it gets the error; nobody has to
  const pid = child.pid ?? -1;
  return {
    pid,
    ready,
    gone,
    stop: async () => {
      if (ending === undefined) await endProcess(pid, 'SIGTERM', stopWithinMs);
    },
  };
};

/** True when a GET answers 200. */
export const answersOk = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
};
