import type { Bench, Report } from './bench.types';
import { chatBackend, type ChatBackend } from './chat-backend';
import { KEY_WIDTH, TEAMS } from './inbox-data';
import { largeInbox } from './large-inbox';
import { percentiles } from './rounds';
import type { ScreensJob, ScreensResult } from './screens-load.types';
import { askChild, forkScript } from './server-process';
import { servedShop, type ServedShop } from './shop';
import { SHOP } from './shop-data';
import { AGENT_TEAM, agentEmail, agentId } from './token-issuer';

const AGENTS = 200;
const CUSTOMERS = 20;
const ORDERS = 20_000;
const SECONDS = 30;
const PACES = [2, 5];
/** What the inbox promises (200 agents, p99). */
const LIMIT_MS = 300;

/** As the shop knows its agents. */
const JOIN = `
  WITH agent AS (SELECT id, n FROM unnest($1::uuid[]) WITH ORDINALITY AS a (id, n)),
  known AS (INSERT INTO commerce_api.person (user_id, name, email, created_at, updated_at)
    SELECT id, 'Agent ' || n, id || '@bench.example', now(), now() FROM agent ON CONFLICT DO NOTHING)
  INSERT INTO commerce_api.membership (store_id, user_id, system_role, chat_team_ids, created_at, updated_at)
    SELECT $2, id, 'cs', ARRAY[$3], now(), now() FROM agent ON CONFLICT DO NOTHING`;

/** Chats of the agents' team in the large inbox: every twentieth. */
const numberOf = (n: number): string => `6282${String(n * TEAMS).padStart(KEY_WIDTH, '0')}`;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const addressOf = ({ server }: Pick<ChatBackend, 'server'>): string => `http://127.0.0.1:${server.port}`;

const shopWithAgents = async (report: Report, chat: string): Promise<ServedShop> => {
  const shop = await servedShop(report, ORDERS, { CHAT_URL: chat, TRUST_PROXY: '127.0.0.1' });
  await shop.admin.query(JOIN, [upTo(AGENTS).map(agentId), SHOP, AGENT_TEAM]);
  return shop;
};

interface Scene {
  readonly chat: ChatBackend;
  readonly shop: ServedShop;
}

const measure = async (report: Report, { chat, shop }: Scene, perSecond: number): Promise<void> => {
  report.progress(`${AGENTS} agents, ${perSecond} messages a second`);
  const used = async () => Promise.all([shop.server.cpuMicroseconds(), chat.server.cpuMicroseconds()]);
  const before = await used();
  const job: ScreensJob = {
    ...{ desk: addressOf(shop), chat: addressOf(chat), device: 'dev2' },
    ...{ emails: upTo(AGENTS).map(agentEmail), numbers: upTo(CUSTOMERS).map(numberOf) },
    ...{ messages: perSecond * SECONDS, perSecond },
  };
  const child = forkScript(['tools/bench/src/screens-load.child.ts'], {}, 'inherit');
  const { missing, opened, rows, bubbles } = await askChild<ScreensResult>(child, job);
  if (missing > 0) throw new Error(`${missing} rows or bubbles never reached a page`);
  const [desk, backend] = (await used()).map((after, n) => (after - (before[n] ?? 0)) / 1e6);
  const [row, bubble] = [percentiles(rows), percentiles(bubbles)];
  report.table(`${AGENTS} agents with the inbox open, ${perSecond} messages a second`, {
    'row of the list': row,
    'bubble of the open chat': bubble,
  });
  for (const [name, figures] of Object.entries({ row, bubble }))
    report.ratio(
      `${name}.${perSecond}`,
      figures['p99 ms'] / LIMIT_MS,
      `p99 of a ${name} : ${LIMIT_MS} ms, ${perSecond} messages/s`,
    );
  report.note(
    `${perSecond} messages a second: all pages open after ${opened.toFixed(1)} s; CPU ${desk?.toFixed(1)} s of commerce-api, ${backend?.toFixed(1)} s of chat-backend, signing in included.`,
  );
};

/** Measures from a customer's message to the HTML of it on the pages of a large team. */
export const bench: Bench = {
  name: 'agents-screens',
  onlyNamed: 'it first seeds a shop of 20,000 orders (kept in .data/bench) and an inbox of 50,000 chats',
  run: async (report) => {
    const chat = await chatBackend(report);
    await largeInbox(report);
    const shop = await shopWithAgents(report, addressOf(chat));
    for (const perSecond of PACES) await measure(report, { chat, shop }, perSecond);
    report.note(
      'Every page is one agent with a session of their own; the bench fails unless every page got every row, and every bubble of its chat.',
    );
    report.note('Two cores are shared by both services, their databases and the 200 listeners.');
  },
};
