import type { Figures, Report } from './bench.types';
import { chatBackend, SCHEMA, type ChatBackend } from './chat-backend';
import { countStatements } from './database';
import { KEY_WIDTH, TEAMS } from './inbox-data';
import { largeInbox } from './large-inbox';
import { httpRequest, measureServer, offerLoad } from './load';
import type { LoadJob } from './load.types';
import { keyMarker, recordedSql } from './recorded-sql';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { ceilingNote, sqlCeiling } from './sql-ceiling';
import { tokenIssuer } from './token-issuer';

const ROUNDS = 4;
const SECONDS = 1;

export interface ChatRead {
  readonly path: string;
  /** With the placeholder `{key}`. */
  readonly body: object;
  readonly keys: number;
  readonly expects: string;
}

const teams = [...Array.from({ length: TEAMS }, (_, n) => String(n).padStart(KEY_WIDTH, '0')), keyMarker(KEY_WIDTH)];

interface Subject {
  readonly chat: ChatBackend;
  readonly jobAt: (connections: number) => Omit<LoadJob, 'port'>;
}

const subjectOf = async (report: Report, { path, body, keys, expects }: ChatRead): Promise<Subject> => {
  const chat = await chatBackend(report);
  await largeInbox(report);
  const { tokenFor } = await tokenIssuer(report);
  const authorization = `Bearer ${tokenFor('chat-backend', 'S2', teams)}`;
  const headers = { 'Content-Type': 'application/json', Authorization: authorization };
  const request = httpRequest(path, headers, JSON.stringify(body), KEY_WIDTH);
  return {
    chat,
    jobAt: (connections) => ({ connections, seconds: SECONDS, request, keys, keyWidth: KEY_WIDTH, expects }),
  };
};

const statementsPerRequest = async (report: Report, { chat, jobAt }: Subject): Promise<void> => {
  let requests = 0;
  const executed = await countStatements(chat.cluster.admin, SCHEMA, async () => {
    requests = (await offerLoad({ ...jobAt(8), port: chat.server.port })).requests;
  });
  report.ratio('statements', executed / requests, 'SQL statements : requests');
};

/** Compares one read of the large inbox over HTTP with its SQL alone. */
export const compareRead = async (report: Report, read: ChatRead): Promise<void> => {
  const subject = await subjectOf(report, read);
  const { chat, jobAt } = subject;
  const { path: folder } = await scratchFolder(report);
  const statements = await recordedSql(chat.server, jobAt(1).request, KEY_WIDTH);
  const rows: Record<string, Figures> = {};
  for (const connections of [8, 32]) {
    report.progress(`${connections} connections`);
    const sql = { url: chat.url, schema: SCHEMA, connections, seconds: SECONDS, statements, keys: read.keys };
    const ways = {
      http: () => measureServer(chat.server, jobAt(connections)),
      sql: () => sqlCeiling(sql, folder),
    };
    const found = await alternate(ways, ROUNDS);
    rows[`HTTP, ${connections} connections`] = found.http;
    rows[`SQL alone, ${connections} connections`] = found.sql;
    report.ratio(
      `sql.${connections}`,
      ratioOf(found.http, found.sql, 'requests/s'),
      `requests/s over HTTP : SQL alone, ${connections} connections`,
    );
  }
  report.table(`POST ${read.path}`, rows);
  await statementsPerRequest(report, subject);
  report.note(ceilingNote);
};
