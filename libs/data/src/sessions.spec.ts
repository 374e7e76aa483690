import { sessionsOf, silentLogger } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { openDatabase } from './database';
import type { Database } from './database.types';

const db = useDatabase({ schema: 'crowd', migrations: [] });
const ASIDE = { name: 'searches', poolSize: 2, settings: {} };

/** As a service does that has more to do than connections. */
const crowd = async (database: Database, aside: ReturnType<Database['aside']>): Promise<() => Promise<void>> => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const inside: Promise<void>[] = [];
  const begun = Array.from({ length: 3 }, () => {
    let enter = (): void => undefined;
    inside.push(new Promise<void>((resolve) => (enter = resolve)));
    return database.tx(() => (enter(), gate));
  });
  await Promise.all(inside);
  const direct = database.direct === database.pool ? 0 : database.direct.options.max;
  const held = await Promise.all(Array.from({ length: direct }, () => database.direct.connect()));
  const streams = Array.from({ length: 3 }, () => database.stream('SELECT generate_series(1, 9) AS n'));
  await Promise.all([
    ...streams.map((rows) => rows.next()),
    ...[1, 2, 3, 4].map(() => aside.query('SELECT 1')),
    ...['one', 'two'].map((channel) => database.listen(channel, () => undefined)),
  ]);
  return async () => {
    open();
    await Promise.all(begun);
    for (const client of held) client.release();
    for (const rows of streams) await rows.return();
  };
};

const opened = async (name: string): Promise<number> => {
  const [row] = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE $1 || '%' AND datname = current_database()`,
    [name],
  );
  return row?.n ?? 0;
};

describe('a database and what stands beside it', () => {
  it.each([
    ['without a pooler', false, { direct: 3 + 3 + 1 + 2, pooled: 0 }],
    ['beside a pooler', true, { direct: 3 + 1 + 2, pooled: 3 + 3 }],
  ])('declare as many sessions as they open when there is most to do: %s', async (name, hasPooler, declared) => {
    const [url, poolUrl] = [db.url, hasPooler ? { poolUrl: db.url } : {}];
    const options = { url, ...poolUrl, schema: 'crowd', poolSize: 3, name, logger: silentLogger };
    const database = openDatabase(options);
    const aside = database.aside(ASIDE);
    const over = await crowd(database, aside);
    const all = await opened(name);
    await over();
    for (const each of [aside, database]) await each.stop?.();
    expect([sessionsOf([[database, aside]]), all]).toEqual([declared, declared.direct + declared.pooled]);
  });
});
