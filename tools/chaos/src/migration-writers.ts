import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@platform/data';

/** How many writes there were, and how long they waited. */
export interface Stall {
  readonly writes: number;
  /** Milliseconds of the slowest write. */
  readonly longest: number;
}

const WRITERS = 4;
/** A reader's open transaction blocks every ALTER TABLE, which in turn blocks all queries behind it. */
const HELD_MS = 3_000;
const BETWEEN_MS = 5_000;

const INSERT = `
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu, ts)
  VALUES ('S2', gen_random_uuid(), 1, 'dev20', 'N' || $1, false, 'customer', 'chat', 'sepatu lari hitam', 2, now(), 0)`;
const ACKNOWLEDGE = `UPDATE messages SET status_ack = 3 WHERE store_id = 'S2' AND instance = 'dev20' AND pesan_id = 'M' || $1`;

/** Writes and acknowledges messages without a pause until `work` has ended. */
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
  const writing = [...Array.from({ length: WRITERS }, (_, n) => writer(n)), holder()];
  await work().finally(() => (over = true));
  await Promise.all(writing);
  return { writes, longest };
};
