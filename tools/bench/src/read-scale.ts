import { bareCeiling, bareNote } from './bare-sql';
import type { Figures, Report } from './bench.types';
import { KEY_WIDTH } from './inbox-data';
import { getRequest, httpRequest, measureServer } from './load';
import type { LoadJob } from './load.types';
import { recordedSql } from './recorded-sql';
import { alternate } from './rounds';
import type { MeasuredServer } from './server-process';
import { sqlCeiling } from './sql-ceiling';
import type { SqlJob } from './sql-load.types';

/** Many first: one person at a time is served by a process that has been running for a while. */
const CONNECTIONS = [32, 8, 1];
const GROWTH_AT = 8;
const ROUNDS = 2;
/** A 99th percentile is of some hundred answers at least. */
const SECONDS = 2;
/** What a fresh process compiles at its first requests is no part of what they cost. */
const WARM_UP_SECONDS = 1;

/** A frequent read, with the placeholder `{key}`. */
export interface Read {
  readonly name: string;
  readonly path: string;
  /** Absent: a GET. */
  readonly body?: object;
  /** `{key}` becomes a whole number below this one. */
  readonly keys: number;
  readonly expects: string;
  /** Its statements are planned for their values: they have no names. */
  readonly unnamed?: true;
  /** Session settings of the pool on which the service runs it, when that is not the usual pool. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running service on a database of which the size is known. */
export interface Served {
  /** Of what, for titles: `50,000 products`. */
  readonly size: string;
  readonly server: MeasuredServer;
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reads: readonly Read[];
  /** The SQL of a read, where it is not prepared under a name. */
  readonly recorded?: (read: Read) => Promise<string[]>;
}

export const jobOf = (
  { headers }: Pick<Served, 'headers'>,
  { path, body, keys, expects }: Read,
  connections: number,
): Omit<LoadJob, 'port'> => ({
  connections,
  seconds: SECONDS,
  request: body ? httpRequest(path, headers, JSON.stringify(body), KEY_WIDTH) : getRequest(path, headers),
  keys,
  keyWidth: KEY_WIDTH,
  expects,
});

const limitOf = (sql: Figures): number => 2 * (sql['p99 ms'] ?? 0) + 5;

/** Whether anybody could hold a limit that was exceeded. */
const bareFigures = async (job: SqlJob, folder: string, limit: number): Promise<Figures> => {
  const bare = await bareCeiling(job, { folder, keyWidth: KEY_WIDTH, rounds: ROUNDS });
  return { 'bare requests/s': bare['requests/s'] ?? NaN, 'bare p99 : limit': (bare['p99 ms'] ?? NaN) / limit };
};

/** Measures one read over HTTP and as SQL alone, alternately. */
const compare = async (served: Served, read: Read, connections: number): Promise<Figures> => {
  const { server, url, schema, folder, recorded } = served;
  const job = jobOf(served, read, connections);
  const { keys, settings, unnamed } = read;
  const record = unnamed ? server.recordRequests : server.record;
  const statements = recorded ? await recorded(read) : await recordedSql(server, job.request, KEY_WIDTH, record);
  const sqlJob = { url, schema, connections, seconds: SECONDS, statements, keys, settings };
  const found = await alternate(
    { http: () => measureServer(server, job), sql: () => sqlCeiling(sqlJob, folder) },
    ROUNDS,
  );
  const [http, sql] = [found.http['requests/s'] ?? NaN, found.sql['requests/s'] ?? NaN];
  const limit = limitOf(found.sql);
  const share = (found.http['p99 ms'] ?? NaN) / limit;
  return {
    statements: statements.length,
    'HTTP requests/s': http,
    'SQL requests/s': sql,
    'HTTP : SQL': http / sql,
    'HTTP p50 ms': found.http['p50 ms'] ?? NaN,
    'SQL p50 ms': found.sql['p50 ms'] ?? NaN,
    'HTTP p99 ms': found.http['p99 ms'] ?? NaN,
    'SQL p99 ms': found.sql['p99 ms'] ?? NaN,
    'HTTP p99 : limit': share,
    ...(share > 1 ? await bareFigures(sqlJob, folder, limit) : {}),
  };
};

type Rows = Record<string, Figures>;

const worst = (rows: Rows, figure: string): number =>
  Math.max(...Object.values(rows).map((figures) => figures[figure] ?? 0));

/** Reports every read over HTTP and as SQL alone; resolves to the rows by the number of connections. */
export const againstSql = async (
  report: Report,
  served: Served,
  atOnce: readonly number[] = CONNECTIONS,
): Promise<ReadonlyMap<number, Rows>> => {
  const found = new Map<number, Rows>();
  for (const read of served.reads) {
    report.progress(`${read.name}, warming up`);
    await measureServer(served.server, { ...jobOf(served, read, Math.max(...atOnce)), seconds: WARM_UP_SECONDS });
  }
  for (const connections of atOnce) {
    const rows: Rows = {};
    for (const read of served.reads) {
      report.progress(`${read.name}, ${connections} connections`);
      rows[read.name] = await compare(served, read, connections);
    }
    found.set(connections, rows);
    report.table(`${served.size}, ${connections} connections`, rows);
    report.ratio(
      `p99.${connections}`,
      worst(rows, 'HTTP p99 : limit'),
      `worst p99 over HTTP : twice the p99 of SQL alone + 5 ms, ${connections} connections`,
    );
  }
  report.note(bareNote);
  return found;
};

/** Reports how much slower the same reads are where there is more. */
export const growth = async (report: Report, small: Served, large: Served): Promise<void> => {
  const rows: Rows = {};
  for (const [index, read] of large.reads.entries()) {
    report.progress(`${read.name}, ${small.size} and ${large.size}`);
    const same = small.reads[index] ?? read;
    const found = await alternate(
      {
        small: () => measureServer(small.server, jobOf(small, same, GROWTH_AT)),
        large: () => measureServer(large.server, jobOf(large, read, GROWTH_AT)),
      },
      ROUNDS,
    );
    const [before = NaN, after = NaN] = [found.small['p50 ms'], found.large['p50 ms']];
    rows[read.name] = { 'small p50 ms': before, 'large p50 ms': after, growth: after / before };
  }
  report.table(`${large.size} against ${small.size}, HTTP, ${GROWTH_AT} connections`, rows);
  report.ratio('growth', worst(rows, 'growth'), `worst p50 with ${large.size} : with ${small.size}`);
};
