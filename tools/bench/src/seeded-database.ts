import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { provision, type Database } from '@platform/data';
import { startCluster } from '@platform/postgres';
import type { Report, Started } from './bench.types';
import { openAdmin } from './database';
import { scratchFolder } from './scratch-folder';
import { runScript } from './server-process';
import { workspaceRoot } from './workspace';

/** Kept between runs: a million conversations take minutes. */
const FOLDER = join(workspaceRoot, '.data/bench');

/** One transaction of the seeding; `alone`: statements that cannot run inside a transaction. */
export interface SeedStep {
  readonly name: string;
  readonly statements: readonly string[];
  readonly alone?: boolean;
}

/** What a kept database is to hold. */
export interface Seeding {
  /** Of the database. */
  readonly database: string;
  /** Of the service, which is its role too. */
  readonly schema: string;
  /** The service's `main.ts`, which migrates. */
  readonly main: string;
  readonly settings: (url: string) => Record<string, string>;
  readonly title: string;
  readonly steps: readonly SeedStep[];
}

export interface Seeded extends Started {
  /** The service's own address of the database. */
  readonly url: string;
  /** Superuser. */
  readonly admin: Database;
}

const bar = (done: number, all: number): string => {
  const filled = Math.round((done / all) * 30);
  return `[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${Math.floor((done / all) * 100)} %`;
};

const remaining = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/** A step and its row in `bench_seed` commit together, so the next run resumes wherever this one ends. */
const take = (admin: Database, schema: string, { name, statements, alone }: SeedStep): Promise<void> => {
  const done = ['INSERT INTO public.bench_seed (step) VALUES ($1)', [name]] as const;
  if (alone)
    return statements
      .reduce((before, sql) => before.then(() => admin.query(sql)), Promise.resolve<unknown>(undefined))
      .then(() => admin.query(...done))
      .then(() => undefined);
  return admin.tx(async (tx) => {
    await tx.query(`SET LOCAL search_path = ${schema}, public`);
    await tx.query('SET LOCAL statement_timeout = 0');
    for (const sql of statements) await tx.query(sql);
    await tx.query(...done);
  });
};

/** Skips the steps of earlier runs. */
const fill = async (
  admin: Database,
  { schema, steps }: Pick<Seeding, 'schema' | 'steps'>,
  progress: Report['progress'],
): Promise<void> => {
  await admin.query('CREATE TABLE IF NOT EXISTS public.bench_seed (step text PRIMARY KEY)');
  const known = new Set(
    (await admin.query<{ step: string }>('SELECT step FROM public.bench_seed')).map(({ step }) => step),
  );
  const missing = steps.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  if (known.size > 0) progress(`resuming after ${known.size} of ${steps.length} steps`);
  const begun = performance.now();
  for (const [index, step] of missing.entries()) {
    await take(admin, schema, step);
    const done = index + 1;
    const left = ((performance.now() - begun) / done / 1000) * (missing.length - done);
    progress(`${bar(steps.length - missing.length + done, steps.length)} ${step.name}, about ${remaining(left)} left`);
  }
};

const cluster = (report: Report) =>
  report.shared('seeded cluster', async () => {
    mkdirSync(FOLDER, { recursive: true });
    return startCluster({ directory: join(FOLDER, 'postgres') });
  });

/** A database migrated by the service itself, and seeded unless it already is. */
export const seededDatabase = async (report: Report, seeding: Seeding): Promise<Seeded> => {
  const { url: clusterUrl } = await cluster(report);
  const { path } = await scratchFolder(report);
  const { database, schema, main, settings, title } = seeding;
  return report.shared(`seeded ${database}`, async () => {
    const url = await provision(clusterUrl, { role: schema, schema, password: 'bench', database });
    await runScript([main, 'migrate'], settings(url), join(path, 'migrate.log'));
    const adminUrl = new URL(clusterUrl);
    adminUrl.pathname = `/${database}`;
    const admin = openAdmin(adminUrl.href);
    await admin.query(`ALTER DATABASE ${database} SET statement_timeout = 0`);
    report.progress(title);
    await fill(admin, seeding, report.progress);
    return { url, admin, stop: async () => void (await admin.stop?.()) };
  });
};
