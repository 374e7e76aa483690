import { bareFace } from './bare-face';
import type { Bench, Figures, Report } from './bench.types';
import { chatBackend } from './chat-backend';
import { KEY_WIDTH } from './inbox-data';
import { largeInbox } from './large-inbox';
import { getRequest, httpRequest, measureServer } from './load';
import { followed, replayable } from './order-whole';
import { figureReads, segmentReads } from './reach-reads';
import { againstSql, type Read } from './read-scale';
import { keyMarker, recordedReads } from './recorded-sql';
import { alternate, ratioOf, warmUp } from './rounds';
import { servedShop, type ServedShop } from './shop';
import { SHOP, SHOP_SLUG } from './shop-data';
import { canReplayWrites, ceilingNote, sqlCeiling } from './sql-ceiling';
import { tokenIssuer } from './token-issuer';

const LARGE = 200_000;
/** Kept apart: events and a face need no large shop. */
const SMALL = 20_000;
const CONNECTIONS = [1, 8, 32];
const ROUNDS = 2;
const SECONDS = 2;
/** Of an address, which may tell 120 events a minute; four digits are a group of an IPv6 address. */
const ADDRESS_WIDTH = 4;
const EVENT = 'bench-event-of-the-recording';
const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';

/** Throws unless it is answered with 2xx: what was refused is no measure of anything. */
const asked = async ({ server }: Pick<ServedShop, 'server'>, path: string, request: RequestInit): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, request);
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
};

const CHANGED_DAYS = `SELECT FROM commerce_api.product_daily_change WHERE day < (now() AT TIME ZONE 'UTC')::date LIMIT 1`;

/** As a shop is ten minutes after its orders: the days that are over are summed up. */
const summedUp = async (report: Report, { admin }: ServedShop): Promise<void> => {
  report.progress('days are summed up');
  while ((await admin.query(CHANGED_DAYS)).length > 0) {
    await admin.query(`SELECT FROM commerce_api_jobs.add_job('report.days', '{}', job_key => 'bench')`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await admin.query('VACUUM ANALYZE commerce_api.product_daily, commerce_api.product_daily_change');
};

/** Dashboard, reports and segments of a large shop, each as fast as its SQL lets it be. */
const reads = async (report: Report, shop: ServedShop): Promise<void> => {
  const { headers } = shop;
  await summedUp(report, shop);
  const summary = await shop.server.recordRequests(() => asked(shop, '/api/dashboard/summary', { headers }));
  report.ratio(
    'summary-statements',
    summary.length,
    'statements of /dashboard/summary, with the one that tells who asks : 1',
  );
  const recorded = ({ path }: Read) => recordedReads(shop.server, () => asked(shop, path, { headers }));
  await againstSql(report, { ...shop, reads: [...figureReads(), ...segmentReads()], recorded }, [1]);
};

const visit = (eventId: string, visitor: string): string =>
  JSON.stringify({
    ...{
      event: 'view_content',
      event_id: eventId,
      visitor_id: `V${visitor}`,
      url: 'https://toko.example/?utm_source=ig',
    },
    ...{ store_slug: SHOP_SLUG, consent: true },
  });

/** Events of visitors, each of another address; the same as SQL alone. */
const events = async (report: Report, shop: ServedShop): Promise<void> => {
  if (!canReplayWrites) return report.note('Events are not compared with their SQL: there is no pgbench on the PATH.');
  const { server, url, schema, folder } = shop;
  const headers = { 'Content-Type': 'application/json', 'User-Agent': BROWSER, 'X-Forwarded-For': '2001:{key}::1' };
  const statements = await server.recordRequests(() =>
    asked(shop, '/api/tracking/event', {
      ...{ method: 'POST', headers: { ...headers, 'X-Forwarded-For': '2001:db8::1' } },
      body: visit(EVENT, keyMarker(KEY_WIDTH)),
    }),
  );
  const replay = replayable(statements, EVENT);
  const keys = 10 ** ADDRESS_WIDTH;
  const request = httpRequest('/api/tracking/event', headers, visit('{id}', '{key}'), ADDRESS_WIDTH);
  const job = { request, keys, keyWidth: ADDRESS_WIDTH, seconds: SECONDS, status: 202, expects: '"accepted":true' };
  report.progress('events, warming up');
  await warmUp(() => measureServer(server, { ...job, connections: Math.max(...CONNECTIONS) }));
  const rows: Record<string, Figures> = {};
  for (const connections of CONNECTIONS) {
    report.progress(`events, ${connections} connections`);
    const sql = { ...replay, url, schema, connections, seconds: SECONDS, keys };
    const found = await alternate(
      { http: () => measureServer(server, { ...job, connections }), sql: () => sqlCeiling(sql, folder) },
      ROUNDS,
    );
    rows[`HTTP, ${connections} connections`] = found.http;
    rows[`SQL alone, ${connections} connections`] = found.sql;
    const meaning = `events/s over HTTP : SQL alone, ${connections} connections`;
    report.ratio(`event.${connections}`, ratioOf(found.http, found.sql, 'requests/s'), meaning);
  }
  report.table(
    `POST /api/tracking/event, ${statements.length} ${statements.length === 1 ? 'statement' : 'statements'} each`,
    rows,
  );
};

/** A page of conversations by the face, and by chat-backend that owns them: what each of the two processes needs for it. */
const face = async (report: Report): Promise<void> => {
  const chat = await chatBackend(report);
  await largeInbox(report);
  const { tokenFor } = await tokenIssuer(report);
  const address = `http://127.0.0.1:${chat.server.port}`;
  const shop = await servedShop(report, SMALL, { CHAT_URL: address, TRUST_PROXY: '127.0.0.1' });
  const { server } = shop;
  report.progress('chat-backend hears of the shop');
  await followed(shop);
  const authorization = `Bearer ${tokenFor(['commerce-api', 'chat-backend'], SHOP, 'owner')}`;
  const headers = { 'Content-Type': 'application/json', Authorization: authorization };
  const own = JSON.stringify({ nohp: '-', instance: 'all', team: 'all', limit: '50' });
  const load = { keys: 1, keyWidth: 1, seconds: SECONDS, connections: 4, expects: '"next_cursor":"' };
  const page = '/api/livechat/conversations?limit=50';
  const statements = await recordedReads(server, () => asked(shop, page, { headers }));
  const bare = await report.shared('bare face', () => {
    const { url, schema, folder } = shop;
    return bareFace({ url, schema, statements, owner: { url: `${address}/v1/chat_list`, headers, body: own } }, folder);
  });
  const ways = {
    owner: () => measureServer(chat.server, { ...load, request: httpRequest('/v1/chat_list', headers, own, 1) }),
    face: () => measureServer(server, { ...load, request: getRequest(page, headers) }),
    bare: () => measureServer(bare, { ...load, request: getRequest('/', {}) }),
  };
  for (const way of Object.values(ways)) await warmUp(way);
  const found = await alternate(ways, ROUNDS);
  report.table('A page of 50 conversations, 4 connections', {
    'chat-backend itself': found.owner,
    'commerce-api’s face': found.face,
    'bare face': found.bare,
  });
  const cpu = (one: Figures, other: Figures): number => ratioOf(one, other, 'CPU µs/request');
  report.ratio('face', cpu(found.face, found.owner), 'CPU of the face alone : of chat-backend for its own answer');
  report.ratio('bare-face', cpu(found.bare, found.owner), 'CPU of a bare face : of chat-backend for its own answer');
  report.note(
    `Bare face: node:http, pg and an agent of node:http that send what the face sends, ${statements.length} statements and the call, and no more.`,
  );
};

/** What issue 15 added: how the shop does, visitors, segments, and what others own. */
export const bench: Bench = {
  name: 'reach',
  onlyNamed: 'it first seeds a shop of 200,000 orders (takes minutes, kept in .data/bench)',
  run: async (report) => {
    await reads(report, await servedShop(report, LARGE));
    await events(report, await servedShop(report, SMALL, { TRUST_PROXY: '127.0.0.1' }));
    await face(report);
    report.note(ceilingNote);
  },
};
