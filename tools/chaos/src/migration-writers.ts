import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@platform/data';

/** How many writes there were, and how long they waited. */
export interface Stall {
  readonly writes: number;
  /** Milliseconds of the slowest write. */
  readonly longest: number;
  /** How long the work took meanwhile. */
  readonly seconds: number;
  /** What writes were seen waiting for that took long, the most frequent first. */
  readonly waits: readonly string[];
}

const WRITERS = 4;
/** A reader's open transaction blocks every ALTER TABLE, which in turn blocks all queries behind it. */
const HELD_MS = 3_000;
const BETWEEN_MS = 5_000;
const LOOK_MS = 100;

const INSERT = `
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu, ts)
  VALUES ('S2', gen_random_uuid(), 1, 'dev20', 'N' || $1, false, 'customer', 'chat', 'sepatu lari hitam', 2, now(), 0)`;
const ACKNOWLEDGE = `UPDATE messages SET status_ack = 3 WHERE store_id = 'S2' AND instance = 'dev20' AND pesan_id = 'M' || $1`;

/** Statements that change messages and have run for long, what each waits for now, and behind whom. */
const SLOW = `
  SELECT left(a.query, 40) || ' waits for ' || coalesce(a.wait_event_type || ' ' || a.wait_event, 'the processor')
    || coalesce(' behind ' || (SELECT string_agg(left(trim(b.query), 40), ', ') FROM pg_stat_activity b WHERE b.pid = ANY (pg_blocking_pids(a.pid))), '') AS wait
  FROM pg_stat_activity a
  WHERE a.state = 'active' AND a.query ~ '^\\s*(INSERT|UPDATE)' AND clock_timestamp() - a.query_start > interval '200 milliseconds'`;

/** Looks at the server until `over`: what it sees waiting, and how often. */
const lookout = async (database: Database, over: () => boolean): Promise<string[]> => {
  const seen = new Map<string, number>();
  while (!over()) {
    for (const { wait } of await database.query<{ wait: string }>(SLOW)) seen.set(wait, (seen.get(wait) ?? 0) + 1);
    await pause(LOOK_MS);
  }
  return [...seen].sort(([, one], [, other]) => other - one).map(([wait, times]) => `${times} x ${wait}`);
};

/** Messages are written and acknowledged without a pause until `work` has ended; resolves to the slowest of them. */
export const writingDuring = async (database: Database, rows: number, work: () => Promise<unknown>): Promise<Stall> => {
  let [over, writes, longest] = [false, 0, 0];
  const timed = async (write: Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await write;
    longest = Math.max(longest, performance.now() - begun);
    writes += 1;
  };
  const writer = async (n: number): Promise<void> => {
    for (let turn = 0; !over; turn++) {
      await timed(database.prepared('insert', INSERT, [`${Date.now()}.${n}.${turn}`]));
      await timed(database.prepared('acknowledge', ACKNOWLEDGE, [1 + Math.floor(Math.random() * rows)]));
    }
  };
  const holder = async (): Promise<void> => {
    while (!over) {
      await database.tx(async (tx) => {
        await tx.query('SELECT 1 FROM messages LIMIT 1');
        await pause(HELD_MS);
      });
      await pause(BETWEEN_MS);
    }
  };
  const looking = lookout(database, () => over);
  const writing = [...Array.from({ length: WRITERS }, (_, n) => writer(n)), holder()];
  const begun = performance.now();
  await work().finally(() => (over = true));
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(writing);
  return { writes, longest, seconds, waits: await looking };
};
