import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, provision, type Database, type MigrationClass } from '@platform/data';
import { startCluster } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import { workspaceRoot } from '@platform/stack/workspace';
import type { Undo } from './chaos-stack';
import { STEPS_MS, writingDuring, type Stall } from './migration-writers';
import { numbersFrom } from './plan';
import { LEFT_OUT, PLANTED } from './planted';
import type { Findings } from './verdict';

type Say = (text: string) => void;

export interface MigrationsPlan {
  /** Messages in the table before the release. */
  readonly messages: number;
  /** Longest time that a write may wait, in milliseconds. */
  readonly stall: number;
}

/** `--messages=1000000` */
export const migrationsPlanFrom = (args: readonly string[]): MigrationsPlan =>
  numbersFrom({ messages: 10_000_000, stall: 1_000 }, args);

const SCHEMA = 'chat_backend';
/** As in production: who commits waits for the disk, behind all that a migration writes to it. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];
const BATCH = 500_000;
const QUIET_MS = 15_000;

const load = createRequire(__filename);

/** The migrations from before rolling releases, and those of this release followed by the planted ones. */
const releaseOf = (): { landed: MigrationClass[]; release: readonly MigrationClass[]; isPlanted: boolean } => {
  const { migrations } = load(join(workspaceRoot, 'apps/chat-backend/src/data-source')) as {
    migrations: MigrationClass[];
  };
  const { BASE_LINE } = load(join(workspaceRoot, 'tools/checks/src/migration-baseline')) as {
    BASE_LINE: Readonly<Record<string, readonly string[]>>;
  };
  const names = BASE_LINE['chat-backend'] ?? [];
  const own = migrations.filter(({ name }) => !names.includes(name));
  return {
    landed: migrations.filter(({ name }) => names.includes(name)),
    release: [...own, ...(PLANTED['chat-backend'] ?? [])],
    isPlanted: own.length === 0,
  };
};

/** Every third message is from the shop; every ten are one chat. */
const FILL = `
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, wa_id, from_me, role, type, pesan, status_ack, waktu, ts)
  SELECT CASE WHEN n % 2 = 0 THEN 'S2' ELSE 'X' || n % 50 END, ('00000000-0000-7000-8000-' || lpad((n / 10)::text, 12, '0'))::uuid, n % 10, 'dev20', 'M' || n,
    CASE WHEN n % 3 = 0 THEN 'W' || n END, n % 3 = 0, CASE WHEN n % 3 = 0 THEN 'agent' ELSE 'customer' END, 'chat',
    'sepatu ' || n % 997 || ' ukuran ' || n % 43, 2, now() - n * interval '1 second', 0
  FROM generate_series($1::int, $2::int) AS n`;

/** A chat and a customer for every ten messages. */
const CUSTOMERS = `
  INSERT INTO customers (store_id, id, nohp, nama)
  SELECT 'S2', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'P' || n, 'Ibu ' || n % 997 FROM generate_series(1, $1::int / 10) n`;
const CHATS = `
  INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at)
  SELECT 'S2', id, 'dev20', nohp, 'cs', id, 10, now() FROM customers`;

/** Builds the indexes without a constraint after the rows, in a fraction of the time. */
const fill = async (database: Database, messages: number, say: Say): Promise<void> => {
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes i WHERE schemaname = $1 AND tablename = 'messages'
     AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`,
    [SCHEMA],
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  for (let first = 1; first <= messages; first += BATCH)
    await database.query(FILL, [first, Math.min(messages, first + BATCH - 1)]);
  say(`${messages.toLocaleString('en-US')} messages inserted`);
  for (const { definition } of indexes) await database.query(definition);
  await database.query(CUSTOMERS, [messages]);
  await database.query(CHATS);
  await database.query('VACUUM ANALYZE messages, conversations, customers');
  const [size] = await database.query<{ size: string }>(
    `SELECT pg_size_pretty(pg_total_relation_size('messages')) AS size`,
  );
  say(`their ${indexes.length + 2} indexes built: ${size?.size}`);
};

const told = ({ writes, longest, seconds, longer, late }: Stall): string =>
  `${writes} writes (${Math.round(writes / seconds)}/s), the slowest took ${Math.round(longest)} ms; longer than ` +
  `${STEPS_MS.map((step, n) => `${step} ms: ${longer[n]}`).join(', ')} (this process was late by up to ${Math.round(late)} ms)`;

const measure = async (url: string, plan: MigrationsPlan, say: Say, undo: Undo[]): Promise<Findings> => {
  const { landed, release, isPlanted } = releaseOf();
  const open = (migrations: MigrationClass[], name: string): Database => {
    const database = openDatabase({
      url,
      schema: SCHEMA,
      migrations,
      poolSize: 8,
      logger: silentLogger,
      name,
      silenceMs: 0,
    });
    undo.push(() => database.stop?.());
    return database;
  };
  const database = open(landed, 'writers');
  await database.migrate();
  const filling = database.aside({
    name: 'filling',
    poolSize: 1,
    settings: { statement_timeout: '0', maintenance_work_mem: '512MB' },
  });
  await fill({ ...database, ...filling }, plan.messages, say).finally(() => filling.stop?.());
  const quiet = await writingDuring(database, plan.messages, () => pause(QUIET_MS));
  say(`before: ${told(quiet)}`);
  for (const wait of quiet.waits) say(`  ${wait}`);
  if (isPlanted) say('this release has no migrations of its own: a planted one is measured');
  const findings: string[] = [];
  for (let known = 1; known <= release.length; known++) {
    const [name = ''] = release.slice(known - 1, known).map((migration) => migration.name);
    const next = open([...landed, ...release.slice(0, known)], 'release');
    const stall = await writingDuring(database, plan.messages, () => next.migrate());
    say(`${name}: ${stall.seconds.toFixed(1)} s; ${told(stall)}`);
    for (const wait of stall.waits) say(`  ${wait}`);
    if (stall.longest >= plan.stall) findings.push(`${name} kept a writer waiting for ${Math.round(stall.longest)} ms`);
  }
  const [left] = await database.query<{ rows: number }>(LEFT_OUT);
  if (left?.rows !== 0) findings.push(`${left?.rows} rows were left out`);
  return findings;
};

/**
 * Runs the migrations of this release on a table of `messages` rows while four writers write without a pause and a transaction
 * is held open now and then. Resolves with each migration that kept a writer waiting for too long.
 */
export const runMigrations = async (plan: MigrationsPlan, say: Say): Promise<Findings> => {
  const begun = Date.now();
  const timed: Say = (text) => say(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const undo: Undo[] = [];
  // On disk: ten million messages are six gigabytes
  const folder = mkdtempSync(join(tmpdir(), 'platform-migrations-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const cluster = await startCluster({ directory: join(folder, 'postgres'), throwaway: true, settings: DURABLE });
    undo.push(() => cluster.stop());
    const url = await provision(cluster.url, { role: SCHEMA, schema: SCHEMA, password: 'chaos' });
    return await measure(url, plan, timed, undo);
  } finally {
    for (const step of undo.splice(0).reverse()) await step();
  }
};
