import type { Sql } from '@platform/data';
import { untilWaiting } from '@platform/testing';
import { LaneStore, type Ending, type Lease } from './lane.store';
import { row, send, useOutbox } from './outbox.fixture';

const { database, outbox } = useOutbox();
beforeEach(() => outbox.stop?.());

/** Statements of this session only, without the second try that a deadlock would get. */
const onSession = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = await database.pool.connect();
  const rows = async (text: string, values?: readonly unknown[]) =>
    (await client.query(text, values as unknown[])).rows;
  const prepared = (_: string, text: string, values: readonly unknown[]) => rows(text, values);
  const later: Sql['later'] = async (...asked) => void (await prepared(...asked));
  return work({ query: rows, prepared, later }).finally(() => client.release());
};

it('ends of rows that are written together never deadlock over targets that are in trouble', async () => {
  const store = new LaneStore({ holder: 'h', leaseSeconds: 30, breaker: { failures: 3, probeSeconds: 5 } });
  const lanes = { a: 'x', b: 'y', c: 'y', d: 'x' };
  await send(database, outbox, ...Object.entries(lanes).map(([lane, target]) => row(lane, lane, { target })));
  await database.query(`INSERT INTO outbox_target (target, failures) VALUES ('x', 1), ('y', 1)`);
  const { leases } = await store.claim(database, { free: 4, share: 4, flying: new Map() });
  const batchOf = (...names: string[]): Ending[] =>
    names.map((name) => ({
      lease: leases.find((lease) => lease.row.lane === name) as Lease,
      conclusion: { action: 'finish', state: 'done', note: null, alive: true },
      last: true,
    }));
  // Whoever has ended one row goes on when the other has as well, or waits for it
  await database.query(`
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN OLD; END $$;
    CREATE TRIGGER pause BEFORE DELETE ON outbox_target FOR EACH ROW EXECUTE FUNCTION pause()`);
  const ended = await Promise.all(
    [batchOf('a', 'b'), batchOf('c', 'd')].map((batch) => onSession((sql) => store.finishAll(sql, batch))),
  ).finally(() => database.query('DROP FUNCTION pause() CASCADE'));
  expect(ended).toEqual([
    [null, null],
    [null, null],
  ]);
});

it('tidying leaves a lane that a blocked row has begun to wait in, whatever it saw before', async () => {
  await database.query(
    `INSERT INTO outbox_lane (lane, target, next_at, used_at) VALUES ('a', 't', 'infinity', '2026-01-01')`,
  );
  await database.query(`
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
    CREATE TRIGGER pause BEFORE DELETE ON outbox_lane FOR EACH STATEMENT EXECUTE FUNCTION pause()`);
  let tidying: Promise<void> | undefined;
  await database.tx(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(7)');
    tidying = outbox.tidy();
    await untilWaiting(tx, tidying);
    await send(database, outbox, row('a', 'kept', { target: 't', blocked: true }));
    // A claim looks at the lane, whose head may not leave
    await database.query(`SELECT * FROM outbox_claim('h', 30, 1, 1, '{}', '{}')`);
  });
  await tidying?.finally(() => database.query('DROP FUNCTION pause() CASCADE'));
  expect(await database.query(`SELECT lane, next_at = 'infinity' AS asleep FROM outbox_lane`)).toEqual([
    { lane: 'a', asleep: true },
  ]);
});
