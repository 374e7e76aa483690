import type { Sql } from '@platform/data';
import { expectFewRead, truncateAll } from '@platform/testing';
import { FINISH_FREE } from './lane.store';
import { outboxOf, Receiver, row, useOutboxDatabase } from './outbox.fixture';
import { ARM_SLEEPING_LANES } from './row.ledger';

const LANES = 1_000;
const BATCH = 20;
/** Some for each lane that is meant; with all for each it would be a million. */
const FEW_FOR_ALL = 8 * LANES;
const FEW_FOR_A_BATCH = 0.7 * LANES;

const database = useOutboxDatabase();
afterEach(() => truncateAll(database));

/** What autovacuum may do at any time: it counts the tables before the first rows are committed, and the planner takes them for empty. */
const unknownLanes = (also?: string): Promise<void> =>
  database.tx(async (tx) => {
    const rows = Array.from({ length: LANES }, (_, n) => row(`lane ${n}`, n, { target: 'hook' }));
    await outboxOf(database, new Receiver()).enqueue(tx, rows);
    if (also) await tx.query(also);
    await database.query('ANALYZE');
  });
const asked =
  (text: string, values: readonly unknown[] = []) =>
  (sql: Sql): unknown =>
    sql.prepared('measured', text, values);

const CLAIM = `SELECT outbox_claim('me', 30, ${BATCH}, ${BATCH}, '{}', '{}')`;
const CLAIMED = `SELECT array_agg(lane) AS lanes, array_agg(fence) AS fences, array_agg(id) AS ids FROM outbox_lane JOIN outbox_row USING (lane) WHERE fence IS NOT NULL`;

describe('lanes of which the planner does not know', () => {
  it('are claimed without a look at the others', async () => {
    await unknownLanes();
    await expectFewRead(database, FEW_FOR_A_BATCH, asked(CLAIM));
  });

  it('end without a look at the others', async () => {
    await unknownLanes();
    await database.query(CLAIM);
    const [{ lanes, fences, ids }] = (await database.query(CLAIMED)) as [Record<'lanes' | 'fences' | 'ids', string[]>];
    const each = (value: unknown) => lanes.map(() => value);
    const values = [lanes, fences, ids, each('done'), each('sent'), each(true), each(30)];
    await expectFewRead(database, FEW_FOR_A_BATCH, asked(FINISH_FREE, values));
  });

  it('are woken with a look at each of them', async () => {
    await unknownLanes(`UPDATE outbox_lane SET next_at = 'infinity'`);
    await expectFewRead(database, FEW_FOR_ALL, asked(ARM_SLEEPING_LANES, [null]));
  });

  it('are released with a look at each of them', async () => {
    await unknownLanes('UPDATE outbox_lane SET held = true');
    await database.query(`INSERT INTO outbox_target (target) VALUES ('hook')`);
    await expectFewRead(database, FEW_FOR_ALL, asked(`SELECT outbox_release('hook')`));
  });
});
