import type { Bench, Figures, Report, Started } from './bench.types';
import { SCHEMA, serve } from './chat-backend';
import { STORE } from './inbox-data';
import { otherShapes, readsOf } from './inbox-reads';
import { againstSql, growth, type Served } from './read-scale';
import { scratchFolder } from './scratch-folder';
import { seededInbox } from './seeded-inbox';
import type { MeasuredServer } from './server-process';
import { ceilingNote, sqlCeiling } from './sql-ceiling';
import { tokenIssuer } from './token-issuer';

const LARGE = 1_000_000;
const SMALL = 10_000;
const SECONDS = 1;
/** Conversations before the deep page. */
const DEPTH = 50_000;

type Inbox = Served & Started;

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
    const size = `${conversations.toLocaleString('en-US')} conversations`;
    return { size, server, url, schema: SCHEMA, folder, headers, reads, stop: () => server.stop() };
  });
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
