import { join } from 'node:path';
import type { Bench, Figures, Report } from './bench.types';
import { chatBackend, SCHEMA, type ChatBackend } from './chat-backend';
import { countStatements } from './database';
import { KEY_WIDTH } from './inbox-data';
import { largeInbox } from './large-inbox';
import { formRequest, measureServer, offerLoad } from './load';
import type { LoadJob } from './load.types';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { startServer, type MeasuredServer } from './server-process';
import { recordedSql } from './recorded-sql';
import { ceilingNote, sqlCeiling } from './sql-ceiling';
import type { SqlJob } from './sql-load.types';

const ROUNDS = 5;
const SECONDS = 1;
const CHATS = 2_000;
const PATH = '/v1/callback_message';
/** Connections at which the bare route is measured too. */
const WITH_BARE = 32;

const MESSAGE = {
  instanceID: 'dev1',
  result: 'true',
  report: 'false',
  number: '6281{key}@s.whatsapp.net',
  id: '{id}',
  text: 'Halo kak, sepatu lari hitam ukuran 42 masih ada?',
  name: 'Budi',
  type: 'chat',
  timestamp: '1795157100',
};

const jobAt = (connections: number, path: string): Omit<LoadJob, 'port'> => ({
  connections,
  seconds: SECONDS,
  request: formRequest(path, MESSAGE, KEY_WIDTH),
  keys: CHATS,
  keyWidth: KEY_WIDTH,
  expects: '"result":true',
});

const STATUS = {
  instanceID: 'dev1',
  result: 'true',
  report: 'true',
  number: MESSAGE.number,
  id: '{id}',
  status: 'viewed',
  timestamp: '1795157101',
};

/** Realistic traffic: of all callbacks, 20 % are redelivered messages and 30 % delivery statuses. */
const mixedAt = (connections: number): Omit<LoadJob, 'port'> => ({
  ...jobAt(connections, PATH),
  later: [
    { request: formRequest(PATH, MESSAGE, KEY_WIDTH), share: 0.2, expects: '"result":true' },
    { request: formRequest(PATH, STATUS, KEY_WIDTH), share: 0.3, expects: '"updated status"' },
  ],
});

interface Subject {
  readonly chat: ChatBackend;
  readonly statements: readonly string[];
  readonly bare: MeasuredServer;
}

const atConnections = async (report: Report, { chat, statements, bare }: Subject, connections: number) => {
  const { path } = await scratchFolder(report);
  const job = jobAt(connections, PATH);
  const sql: SqlJob = {
    url: chat.url,
    schema: SCHEMA,
    connections,
    seconds: SECONDS,
    statements,
    keys: CHATS,
  };
  report.progress(`${connections} connections`);
  const http = `HTTP, ${connections} connections`;
  const mixed = `HTTP, 20 % redelivered, 30 % statuses, ${connections} connections`;
  const alone = `SQL alone row by row, ${connections} connections`;
  const found: Record<string, Figures> = await alternate<string>(
    {
      [http]: () => measureServer(chat.server, job),
      ...(connections > 1 ? { [mixed]: () => measureServer(chat.server, mixedAt(connections)) } : {}),
      [alone]: () => sqlCeiling(sql, path),
      ...(connections === WITH_BARE
        ? { 'bare Express route, same form parser': () => measureServer(bare, jobAt(connections, '/v1/echo')) }
        : {}),
    },
    ROUNDS,
  );
  report.ratio(
    `sql.${connections}`,
    ratioOf(found[http] ?? {}, found[alone] ?? {}, 'requests/s'),
    `messages/s over HTTP : SQL alone row by row, ${connections} connections`,
  );
  if (connections > 1)
    report.ratio(
      `mixed.${connections}`,
      ratioOf(found[mixed] ?? {}, found[alone] ?? {}, 'requests/s'),
      `callbacks/s over HTTP, mixed : messages/s of SQL alone row by row, ${connections} connections`,
    );
  return found;
};

const statementsPerMessage = async (report: Report, chat: ChatBackend, connections: number): Promise<void> => {
  let messages = 0;
  const statements = await countStatements(chat.cluster.admin, SCHEMA, async () => {
    const job = { ...jobAt(connections, PATH), port: chat.server.port };
    messages = (await offerLoad(job)).requests;
  });
  report.ratio(
    `statements.${connections}`,
    statements / messages,
    `SQL statements : messages, ${connections} connections`,
  );
};

/** A customer's message from the gateway's form to the commit, against what the database alone can do. */
export const bench: Bench = {
  name: 'callback-ingest',
  run: async (report) => {
    const chat = await chatBackend(report);
    // PostgreSQL scans small tables sequentially, which says nothing about a real inbox
    await largeInbox(report);
    const { path } = await scratchFolder(report);
    const bare = await report.shared('bare form route', () =>
      startServer({
        script: 'tools/bench/src/bare.server.ts',
        args: ['{port}', 'form', 'cured'],
        readyPath: '/ready',
        log: join(path, 'bare-form.log'),
      }),
    );
    const statements = await recordedSql(chat.server, jobAt(1, PATH).request, KEY_WIDTH);
    const subject = { chat, statements, bare };
    const rows: Record<string, Figures> = {};
    for (const connections of [1, 8, 32, 64]) Object.assign(rows, await atConnections(report, subject, connections));
    report.table(
      `POST /v1/callback_message, multipart, ${CHATS.toLocaleString('en-US')} chats, every message new, beside an inbox of 500,000 messages`,
      rows,
    );
    for (const connections of [1, 64]) await statementsPerMessage(report, chat, connections);
    report.note(ceilingNote);
    report.note(
      'SQL alone writes one message per transaction; the service writes micro-batches, which is how the ratio can exceed 1.0.',
    );
    report.note(
      "Statements: all that the service's role executed (pg_stat_statements), except those that it also executes when idle.",
    );
    report.note('`-` where the figure belongs to no process of ours.');
  },
};
