import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '@platform/data';

const LOOK_MS = 50;
/** Looks that are remembered: the time of the longest wait. */
const REMEMBERED = 2_000;

/** What the sessions that write have waited for while their statement has run for long, and what those before them did meanwhile. */
const SLOW = `
  SELECT a.pid, coalesce(a.wait_event_type || ' ' || a.wait_event, 'the processor')
    || coalesce(' behind ' || (SELECT string_agg(left(regexp_replace(b.query, '\\s+', ' ', 'g'), 40) || ' (' || CASE WHEN b.state = 'active'
      THEN coalesce('waits for ' || b.wait_event_type || ' ' || b.wait_event, 'on the processor') ELSE b.state END || ')', ', ')
      FROM pg_stat_activity b WHERE b.pid = ANY (pg_blocking_pids(a.pid))), '') AS wait
  FROM pg_stat_activity a
  WHERE a.pid = ANY ($1::int[]) AND a.state = 'active' AND clock_timestamp() - a.query_start > interval '40 milliseconds'`;

interface Look {
  readonly at: number;
  readonly waits: ReadonlyMap<number, string>;
  readonly queued: ReadonlyMap<number, number>;
  readonly disks: Disks;
}

interface Disks {
  readonly completed: number;
  readonly inHand: number;
}

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

/** Reads and writes of all disks of this machine, whoever asked for them (Linux only; elsewhere 0). */
const disksNow = (): Disks =>
  linesOf('/proc/diskstats')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .reduce(
      (sum, fields) => ({
        completed: sum.completed + (fields[3] ?? 0) + (fields[7] ?? 0),
        inHand: sum.inHand + (fields[11] ?? 0),
      }),
      { completed: 0, inHand: 0 },
    );

/** Milliseconds in which the disks completed nothing, of anybody, though something was asked of them. */
const stoodStill = (looks: readonly Look[]): number =>
  looks.reduce((sum, { at, disks }, n) => {
    const last = looks[n - 1];
    return last && disks.inHand > 0 && disks.completed === last.disks.completed ? sum + at - last.at : sum;
  }, 0);

/** Milliseconds that a process could have run but had no processor, since its start (Linux only; elsewhere 0). */
const queuedFor = (pid: number): number => Number(linesOf(`/proc/${pid}/schedstat`)[0]?.split(' ')[1] ?? 0) / 1e6;

export interface Lookout {
  /** Why the session `pid` was slow between two moments of `performance.now()`: what it was seen waiting for, and how often. */
  readonly why: (pid: number, begun: number, ended: number) => string;
  /** Of this time, the milliseconds in which the disks of the machine completed nothing of anybody's. */
  readonly stoodStill: (begun: number, ended: number) => number;
  readonly stop: () => Promise<void>;
}

/** What was seen, the most frequent first. */
const counted = (waits: readonly (string | undefined)[]): string[] => {
  const seen = new Map<string, number>();
  for (const wait of waits) if (wait !== undefined) seen.set(wait, (seen.get(wait) ?? 0) + 1);
  return [...seen].sort(([, one], [, other]) => other - one).map(([wait, times]) => `${times} x ${wait}`);
};

/** Looks at the sessions `pids` every 50 ms; `before` are others whose lack of a processor makes those wait. */
export const lookOut = (
  sql: Sql,
  pids: readonly number[],
  before: () => Promise<readonly number[]>,
  disks = disksNow,
): Lookout => {
  const looks: Look[] = [];
  let over = false;
  const look = async (): Promise<void> => {
    const waits = await sql.query<{ pid: number; wait: string }>(SLOW, [pids]);
    const queued = [...pids, ...(await before())].map((pid): [number, number] => [pid, queuedFor(pid)]);
    const seen = new Map(waits.map(({ pid, wait }) => [pid, wait]));
    looks.push({ at: performance.now(), waits: seen, queued: new Map(queued), disks: disks() });
    if (looks.length > REMEMBERED) looks.shift();
  };
  const lookOn = async (): Promise<void> => {
    for (; !over; await pause(LOOK_MS)) await look();
  };
  const looking = lookOn();
  const between = (begun: number, ended: number) => looks.filter(({ at }) => at >= begun && at <= ended);
  return {
    stoodStill: (begun, ended) => stoodStill(between(begun, ended)),
    why: (pid, begun, ended) => {
      const during = between(begun, ended);
      const first = looks.findLast(({ at }) => at <= begun) ?? looks[0];
      const others = [...(first?.queued.keys() ?? [])].filter((each) => !pids.includes(each));
      const queued = (each: number) => Math.max(0, Math.round(queuedFor(each) - (first?.queued.get(each) ?? 0)));
      return [
        ...counted(during.map(({ waits }) => waits.get(pid))),
        `the disk stood still for ${Math.round(stoodStill(during))} ms`,
        `without a processor for ${queued(pid)} ms, the migration for ${others.map(queued).join('/') || 0} ms`,
      ].join('; ');
    },
    stop: () => {
      over = true;
      return looking;
    },
  };
};
