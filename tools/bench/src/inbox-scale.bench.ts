import type { Bench, Figures, Report, Started } from './bench.types';
import { SCHEMA, serve } from './chat-backend';
import { KEY_WIDTH, STORE } from './inbox-data';
import { otherShapes, readsOf, type Read } from './inbox-reads';
import { httpRequest, measureServer } from './load';
import type { LoadJob } from './load.types';
import { recordedSql } from './recorded-sql';
import { alternate } from './rounds';
import { scratchFolder } from './scratch-folder';
import { seededInbox } from './seeded-inbox';
import type { MeasuredServer } from './server-process';
import { ceilingNote, sqlCeiling } from './sql-ceiling';
import { tokenIssuer } from './token-issuer';

const LARGE = 1_000_000;
const SMALL = 10_000;
const CONNECTIONS = [1, 8, 32];
const GROWTH_AT = 8;
const ROUNDS = 2;
const SECONDS = 1;
/** Conversations before the deep page. */
const DEPTH = 50_000;

interface Inbox extends Started {
  readonly server: MeasuredServer;
  readonly url: string;
  readonly folder: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reads: readonly Read[];
}

/** Pages down to the deep page as a client would: cursors are signed. */
const deepCursor = async (server: MeasuredServer, headers: Inbox['headers'], depth: number): Promise<string> => {
  let cursor: string | undefined;
  for (let seen = 0; seen < depth; seen += 200) {
    const body = JSON.stringify({ nohp: '-', instance: 'all', team: 'all', limit: '200', cursor });
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/chat_list`, { method: 'POST', headers, body });
    cursor = ((await answer.json()) as { next_cursor: string }).next_cursor;
  }
  return cursor ?? '';
};

const openInbox = async (report: Report, conversations: number): Promise<Inbox> => {
  const { url } = await seededInbox(report, conversations);
  const { path: folder } = await scratchFolder(report);
  const { url: issuer, tokenFor } = await tokenIssuer(report);
  return report.shared(`chat-backend on ${conversations}`, async () => {
    const server = await serve({ url, issuer, folder });
    const token = tokenFor('chat-backend', STORE, 'owner');
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const cursor = await deepCursor(server, headers, Math.min(DEPTH, conversations / 4));
    const reads = readsOf(conversations, cursor);
    return { server, url, folder, headers, reads, stop: () => server.stop() };
  });
};

const jobOf = (
  { headers }: Inbox,
  { path, body, keys, expects }: Read,
  connections: number,
): Omit<LoadJob, 'port'> => ({
  connections,
  seconds: SECONDS,
  request: httpRequest(path, headers, JSON.stringify(body), KEY_WIDTH),
  keys,
  keyWidth: KEY_WIDTH,
  expects,
});

const limitOf = (sql: Figures): number => 2 * (sql['p99 ms'] ?? 0) + 5;

/** Measures one read over HTTP and as SQL alone, alternately. */
const compare = async (inbox: Inbox, read: Read, connections: number): Promise<Figures> => {
  const { server, url, folder } = inbox;
  const job = jobOf(inbox, read, connections);
  const statements = await recordedSql(server, job.request, KEY_WIDTH);
  const sqlJob = {
    url,
    schema: SCHEMA,
    connections,
    seconds: SECONDS,
    statements,
    keys: read.keys,
    settings: read.settings,
  };
  const found = await alternate(
    { http: () => measureServer(server, job), sql: () => sqlCeiling(sqlJob, folder) },
    ROUNDS,
  );
  return {
    'HTTP requests/s': found.http['requests/s'] ?? NaN,
    'SQL requests/s': found.sql['requests/s'] ?? NaN,
    'HTTP p50 ms': found.http['p50 ms'] ?? NaN,
    'SQL p50 ms': found.sql['p50 ms'] ?? NaN,
    'HTTP p99 ms': found.http['p99 ms'] ?? NaN,
    'SQL p99 ms': found.sql['p99 ms'] ?? NaN,
    'HTTP p99 : limit': (found.http['p99 ms'] ?? NaN) / limitOf(found.sql),
  };
};

const worst = (rows: Readonly<Record<string, Figures>>, figure: string): number =>
  Math.max(...Object.values(rows).map((figures) => figures[figure] ?? 0));

const againstSql = async (report: Report, inbox: Inbox): Promise<void> => {
  for (const connections of CONNECTIONS) {
    const rows: Record<string, Figures> = {};
    for (const read of inbox.reads) {
      report.progress(`${read.name}, ${connections} connections`);
      rows[read.name] = await compare(inbox, read, connections);
    }
    report.table(`${LARGE.toLocaleString('en-US')} conversations, ${connections} connections`, rows);
    report.ratio(
      `p99.${connections}`,
      worst(rows, 'HTTP p99 : limit'),
      `worst p99 over HTTP : twice the p99 of SQL alone + 5 ms, ${connections} connections`,
    );
  }
};

const growth = async (report: Report, small: Inbox, large: Inbox): Promise<void> => {
  const rows: Record<string, Figures> = {};
  for (const [index, read] of large.reads.entries()) {
    report.progress(`${read.name}, ${SMALL} and ${LARGE} conversations`);
    const same = small.reads[index] ?? read;
    const found = await alternate(
      {
        small: () => measureServer(small.server, jobOf(small, same, GROWTH_AT)),
        large: () => measureServer(large.server, jobOf(large, read, GROWTH_AT)),
      },
      ROUNDS,
    );
    const [before = NaN, after = NaN] = [found.small['p50 ms'], found.large['p50 ms']];
    rows[read.name] = { [`${SMALL} p50 ms`]: before, [`${LARGE} p50 ms`]: after, growth: after / before };
  }
  report.table(`A hundred times the conversations, HTTP, ${GROWTH_AT} connections`, rows);
  report.ratio('growth', worst(rows, 'growth'), `worst p50 with ${LARGE} conversations : with ${SMALL}`);
};

const shapesOfOthers = async (report: Report, { url, folder }: Inbox): Promise<void> => {
  const rows: Record<string, Figures> = {};
  for (const [name, { sql, keys }] of Object.entries(otherShapes)) {
    report.progress(name);
    const job = { url, schema: SCHEMA, connections: 1, seconds: SECONDS, statements: [sql], keys };
    rows[name] = await sqlCeiling(job, folder);
  }
  report.table('The same reads with the queries of comparable products, SQL alone, 1 connection', rows);
};

/** Every read of the inbox on a million conversations and ten million messages. */
export const bench: Bench = {
  name: 'inbox-scale',
  onlyNamed: 'it first seeds an inbox of a million conversations (takes minutes, kept in .data/bench)',
  run: async (report) => {
    const large = await openInbox(report, LARGE);
    const small = await openInbox(report, SMALL);
    await againstSql(report, large);
    await growth(report, small, large);
    await shapesOfOthers(report, large);
    report.note(ceilingNote);
    report.note(
      'Half of the conversations and messages belong to one shop, which all reads concern: 20 teams, 3 devices, one chat with 100,000 messages.',
    );
  },
};
