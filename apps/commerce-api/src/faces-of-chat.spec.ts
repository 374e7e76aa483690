// chat-backend itself, as a process beside this service: every row of the design's table (5.6) that asks it.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { draftOf, FACES_OF_CHAT, startFacesWorld, TICKET, type FacesShop } from './faces-of-chat.fixture';
import { askAll, mountedBelow, prepared, routeOf, startSwallowing } from './faces.fixture';
import { startSecondProcess } from './second-process.fixture';

const world = useRunning(startFacesWorld);
const named = FACES_OF_CHAT.map((row) => [row.row, row] as const);

/** Below the prefixes of the table, and asking nobody. */
const OURS = ['POST /broadcast/preview-audience', 'POST /wa/link'];

it('every route that asks chat-backend stands in the table', () => {
  const prefixes = ['/livechat/conversations', '/wa', '/broadcast', '/ticketing-feedback', '/report/agents'];
  const mounted = mountedBelow(world.commerce, [...prefixes, '/dashboard/summary']);
  expect([...new Set(FACES_OF_CHAT.map(routeOf)), ...OURS].sort()).toEqual(mounted);
});

describe('with chat-backend', () => {
  it.each(named)('%s is answered', async (row, { ready, good }) => {
    const shop = await world.store();
    const [path, body] = await ready(shop);
    const { status } = await shop.ask(row.split(' ')[0] ?? '', path, body);
    expect(status).toBe(good);
  });

  it.each(named)('%s is refused by the code of what is wrong', async (_, { refused, because }) => {
    const { status, body } = await refused(await world.store());
    expect([status, body.code]).toEqual(because);
  });
});

describe('without chat-backend', () => {
  type Answers = ReadonlyMap<string, readonly [number, string | undefined]>;
  let [slow, down]: [Answers, Answers] = [new Map(), new Map()];
  beforeAll(async () => {
    const asked = await prepared(FACES_OF_CHAT, world.store);
    world.chat.freeze();
    slow = await askAll(asked);
    world.chat.awaken();
    await world.chat.kill();
    down = await askAll(asked);
    await world.chat.restart();
    const { ask } = await world.store();
    await until(async () => (await ask('GET', '/broadcast')).status === 200);
  });

  it.each(named)('%s is a 504 while it is slow', (row, { away }) =>
    expect(slow.get(row)).toEqual(away ?? [504, 'provider_timeout']),
  );
  it.each(named)('%s is a 502 while it is down', (row, { away }) =>
    expect(down.get(row)).toEqual(away ?? [502, 'provider_error']),
  );
});

describe('a request that is repeated after its process was killed between the answer of chat-backend and ours', () => {
  const rows = async (table: string, { there }: FacesShop) =>
    (await there(`SELECT 1 FROM ${table} WHERE store_id = $1`)).length;
  const made = async (ask: FacesShop['ask'], path: string, body: object) =>
    (await ask<{ id: string }>('POST', path, body)).body.data.id;

  it.each([
    ['a ticket', 'tickets', async () => ['/ticketing-feedback', TICKET]],
    [
      'a reply',
      'ticket_replies',
      async ({ ask }) => [
        `/ticketing-feedback/${await made(ask, '/ticketing-feedback', TICKET)}/reply`,
        { text: 'Kami ganti' },
      ],
    ],
    ['a campaign', 'broadcasts', async (shop) => ['/broadcast', draftOf(shop)]],
    [
      'a message',
      'messages',
      async ({ deviceId }) => ['/wa/send-message', { device_id: deviceId, to: '6281234567890', text: 'Siap' }],
    ],
  ] satisfies [string, string, (shop: FacesShop) => Promise<[string, object]>][])(
    'makes %s once',
    async (_, table, ready) => {
      const shop = await world.store();
      const [path, body] = await ready(shop);
      const [before, key] = [await rows(table, shop), uuidv7()];
      const swallowing = await startSwallowing(world.chat.url);
      const doomed = await startSecondProcess(world.commerce, {
        CHAT_URL: swallowing.url,
        SENDS: 'held',
        OWNER_TIMEOUT_MS: '60000',
      });
      const lost = shop
        .askAt(doomed.url)('POST', path, body, key)
        .catch(() => 'lost');
      await until(() => swallowing.swallowed.some((answer) => / 20\d$/.test(answer)));
      await doomed.stop('SIGKILL');
      expect(await lost).toBe('lost');
      expect(await rows(table, shop)).toBe(before + 1);
      const again = [await shop.ask('POST', path, body, key), await shop.ask('POST', path, body, key)];
      expect(again[0]).toEqual(again[1]);
      expect([200, 201, 202]).toContain(again[0]?.status);
      expect(await rows(table, shop)).toBe(before + 1);
      swallowing.stop();
    },
  );
});

it('no table here holds a ticket, a campaign, a message of a customer or an agent', async () => {
  const columns = await world.commerce.database.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'commerce_api'`,
  );
  const theirs =
    /^(tickets?|conversations?|inbox|messages?|chats?|broadcasts?|campaigns?|recipients?|agents?|knowledge|prompts?)(_|$)/;
  // What chat-backend has told of, and the chat teams of the shop
  const ours = ['chat_event', 'chat_team', 'message_template'];
  expect(columns.map(({ name }) => name).filter((name) => theirs.test(name) && !ours.includes(name))).toEqual([]);
});
