import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Sql } from '@platform/data';
import { lookOut, type Lookout } from './lookout';

/** How many writes there were, and how long they waited. */
export interface Stall {
  readonly writes: number;
  /** Milliseconds of the slowest write, from its call to its answer, without those in which the disk did nothing for anybody. */
  readonly longest: number;
  /** How long the work took meanwhile. */
  readonly seconds: number;
  /** How many took longer than each of `STEPS_MS`. */
  readonly longer: readonly number[];
  /** What the slowest writes waited for, the slowest of all first. */
  readonly waits: readonly string[];
  /** Milliseconds that this process itself was late at most. */
  readonly late: number;
}

export const STEPS_MS = [100, 250, 500] as const;

const WRITERS = 4;
/** Slowest writes that are told of. */
const TOLD = 5;
/** An open transaction blocks every ALTER TABLE, which in turn blocks all queries behind it. */
const HELD_MS = 3_000;
const BETWEEN_MS = 5_000;

const INSERT = `
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu, ts)
  VALUES ('S2', gen_random_uuid(), 1, 'dev20', 'N' || $1, false, 'customer', 'chat', 'sepatu lari hitam', 2, now(), 0)`;
const ACKNOWLEDGE = `UPDATE messages SET status_ack = 3 WHERE store_id = 'S2' AND instance = 'dev20' AND pesan_id = 'M' || $1`;
const MOVE = `UPDATE conversations SET last_seq = last_seq + 1, last_at = now() WHERE store_id = 'S2' AND instance = 'dev20' AND nohp = 'P' || $1`;
const ORDER = `UPDATE customers SET total_order = total_order + 1 WHERE store_id = 'S2' AND nohp = 'P' || $1`;

const HOLD = [
  'SELECT 1 FROM messages, conversations, customers LIMIT 1',
  `WITH held AS (UPDATE conversations SET version = version + 1 WHERE store_id = 'S2' AND instance = 'dev20' AND nohp = 'P1'),
    told AS (UPDATE customers SET total_order = 1 WHERE store_id = 'S2' AND nohp = 'P1')
    UPDATE messages SET status_ack = 4 WHERE store_id = 'S2' AND instance = 'dev20' AND pesan_id = 'M6'`,
] as const;

const MIGRATION = `SELECT pid FROM pg_stat_activity WHERE application_name LIKE '% migrate'`;

const any = (count: number): number => 1 + Math.floor(Math.random() * count);

/** A session of its own, so that what it waits for is known of it. */
const openWriter = async (database: Database, n: number) => {
  const { prepared, query, stop } = database.aside({ name: `writer ${n}`, poolSize: 1, settings: {} });
  const [session] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { n, pid: session?.pid ?? 0, prepared, stop };
};

/** What a service writes for a message, one after the other; the numbers 1 are the holder's. */
const writesOf = (prepared: Sql['prepared'], messages: number, key: string) => {
  const write = (name: string, text: string, value: string | number) => ({
    name,
    run: () => prepared(name, text, [value]),
  });
  const chats = Math.ceil(messages / 10);
  return [
    write('insert', INSERT, key),
    write('acknowledge', ACKNOWLEDGE, any(messages - 6) + 6),
    write('move', MOVE, any(chats - 1) + 1),
    write('order', ORDER, any(chats - 1) + 1),
  ];
};

/** Counts writes, and remembers the slowest with what `why` says of them. */
const counting = (begun: number, { why, stoodStill }: Lookout) => {
  const counts = { writes: 0, longer: STEPS_MS.map(() => 0) };
  const slowest: { took: number; text: string }[] = [];
  const note = (name: string, pid: number, from: number): void => {
    const to = performance.now();
    // A machine whose disk stands still says nothing of a migration: no write waits for it then, but all for the disk
    const took = to - from - (to - from > STEPS_MS[0] ? stoodStill(from, to) : 0);
    counts.writes += 1;
    counts.longer = counts.longer.map((count, n) => (took > (STEPS_MS[n] ?? 0) ? count + 1 : count));
    if (slowest.length === TOLD && took <= (slowest.at(-1)?.took ?? 0)) return;
    const at = ((from - begun) / 1_000).toFixed(1);
    slowest.push({ took, text: `${Math.round(took)} ms: ${name} at ${at} s: ${why(pid, from, to)}` });
    slowest.sort((one, other) => other.took - one.took).splice(TOLD);
  };
  const result = () => ({
    ...counts,
    longest: slowest[0]?.took ?? 0,
    waits: slowest.map(({ text }) => text),
  });
  return { note, result };
};

/** Holds a transaction open now and then, which reads and writes in turn. */
const hold = async (database: Database, isOver: () => boolean): Promise<void> => {
  for (let turn = 0; !isOver(); turn++) {
    await database.tx(async (tx) => {
      await tx.query(HOLD[turn % HOLD.length] ?? '');
      await pause(HELD_MS);
    });
    await pause(BETWEEN_MS);
  }
};

/**
 * Messages are written and acknowledged, with their chats and customers, without a pause until `work` has ended; and a
 * transaction on all of them is held open now and then. Resolves to the slowest writes.
 */
export const writingDuring = async (database: Database, rows: number, work: () => Promise<unknown>): Promise<Stall> => {
  let over = false;
  const writers = await Promise.all(Array.from({ length: WRITERS }, (_, n) => openWriter(database, n)));
  const migration = async () => (await database.query<{ pid: number }>(MIGRATION)).map(({ pid }) => pid);
  const pids = writers.map(({ pid }) => pid);
  const lookout = lookOut(database, pids, migration);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const begun = performance.now();
  const { note, result } = counting(begun, lookout);
  const write = async ({ n, pid, prepared }: (typeof writers)[number]): Promise<void> => {
    for (let turn = 0; !over; turn++)
      for (const { name, run } of writesOf(prepared, rows, `${Date.now()}.${n}.${turn}`)) {
        const from = performance.now();
        await run();
        note(name, pid, from);
      }
  };
  const writing = [...writers.map(write), hold(database, () => over)];
  await work().finally(() => (over = true));
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(writing);
  delay.disable();
  await lookout.stop();
  for (const { stop } of writers) await stop?.();
  return { ...result(), seconds, late: delay.max / 1e6 };
};
