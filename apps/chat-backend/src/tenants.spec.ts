import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { casesByRoute, walkedRoutes } from './walk.cases.fixture';
import { newWorld, type WalkCase } from './walk.records.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
  await chat.database.query(
    `INSERT INTO users (store_id, user_id, nama) VALUES ('S2', 'u-rina', 'Rina dari S2'); INSERT INTO teams (store_id, id, nama) VALUES ('S2', '4', 'Empat')`,
  );
});
afterAll(() => chat.stop());

const TABLES = [
  'conversations',
  'messages',
  'customers',
  'chat_histories',
  'escalations',
  'handle_gudang',
  'notifications',
  'tickets',
  'ticket_histories',
  'ticket_replies',
  'broadcasts',
  'broadcast_recipients',
  'users',
];
/** Everything of store S1, as one text. */
const storeS1 = async () =>
  (
    await chat.database.query<{ state: string }>(
      TABLES.map(
        (table) =>
          `SELECT '${table} ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS state FROM ${table} t WHERE store_id = 'S1'`,
      ).join(' UNION ALL '),
    )
  ).map(({ state }) => state);

/** Nothing to see of the store that the call is about. */
const UNTOUCHED = ['GET /', 'GET /media/{name}'];
/** A stranger is answered with their own, which is nothing. */
const OWN = ['POST /v1/get_notif', 'POST /v1/get_totalnotif', 'POST /v1/readall_notif'];
/** Open by contract, and the public id itself names the store. */
const BY_ID = ['POST /v1/chat_inboxdetail', 'POST /v1/change_ticket_status'];

const routes = walkedRoutes(offlineService()).filter(([, { name }]) => !UNTOUCHED.includes(name));

const isForm = (body: unknown): body is FormData => body instanceof FormData;
const fieldsOf = (body: unknown): Record<string, unknown> =>
  isForm(body) ? Object.fromEntries([...body].filter(([name]) => name !== 'lampiran')) : { ...(body as object) };

const call = async (method: string, path: string, token: string, body?: unknown) => {
  const before = await storeS1();
  const answer = await chat.call(path, { method, token, ...(body === undefined ? {} : { body }) });
  expect(await storeS1()).toEqual(before);
  return answer;
};

/** Refused in words that tell nothing, with nothing of the store in them. */
const expectNothing = ({ status, body }: { status: number; body: unknown }, nohp: string) => {
  const text = JSON.stringify(body);
  expect([status, text]).toEqual([
    expect.any(Number),
    expect.not.stringMatching(`S1\\.|${nohp}|Budi|ada stok|Toko Satu`),
  ]);
  expect(status).toBeLessThan(500);
};
const REFUSED = /^(device|chat|message|notif|ticket|broadcast|team|user)_not_found$|^forbidden$/;

describe('a token of another store', () => {
  const guarded = routes.filter(([, { guard, spelling }]) => spelling === 'default' && guard !== 'public');

  it.each(guarded)('gets nothing by %s and changes nothing', async (route, { method, name, guard }) => {
    const world = await newWorld(chat, 'default');
    const good = (await casesByRoute[name]?.(world)) as WalkCase;
    const owner = chat.tokens.tokenFor({ sub: 'u-rina', store_id: 'S2', role: 'owner', teams: [] });
    const token = guard === 'service' ? chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' }) : owner;
    const path = (good.path ?? route.split(' ')[1] ?? '').replace('store_id=S2', 'store_id=S1');
    const answer = await call(method, path, token, good.body);
    expectNothing(answer, world.ref.nohp);
    // The scheduler has an envelope of its own (contract)
    const { result, status, code } = answer.body as { result?: boolean; status?: string; code?: string };
    expect([name, result ?? status]).toEqual([name, result === undefined ? 'error' : OWN.includes(name)]);
    if (!OWN.includes(name)) expect(code).toMatch(REFUSED);
  });

  it.each(guarded.filter(([, { guard, name }]) => guard === 'service' && /\{id\}/.test(name)))(
    'does not reach what %s names under a store of its own',
    async (_, { method, name }) => {
      const world = await newWorld(chat, 'default');
      const good = (await casesByRoute[name]?.(world)) as WalkCase;
      const token = chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' });
      const body = good.body === undefined ? undefined : { ...fieldsOf(good.body), store_id: 'S2', instance: 'dev2' };
      const answer = await call(method, (good.path ?? '').replace('store_id=S1', 'store_id=S2'), token, body);
      // The same UUID in another store is another thing, of the caller's own words
      if (/^PUT [^{]*\{id\}$/.test(name)) return expect(JSON.stringify(answer.body)).not.toMatch(/S1\.|Budi|ada stok/);
      expectNothing(answer, world.ref.nohp);
      expect((answer.body as { code?: string }).code).toMatch(REFUSED);
    },
  );
});

describe('a device of another store', () => {
  const open = routes.filter(([, { name, spelling }]) => spelling !== 'default' && !BY_ID.includes(name));

  it.each(open)('opens no chat of this one by %s', async (route, { method, name, spelling }) => {
    const world = await newWorld(chat, spelling);
    const good = (await casesByRoute[name]?.(world)) as WalkCase;
    const fields = fieldsOf(good.body);
    const isCallback = name === 'POST /v1/callback_message';
    const named = isCallback ? { instanceID: 'dev2' } : { instance: 'dev2', chatId: world.ref.chatId };
    const answer = await call(method, route.split(' ')[1] ?? '', '', { ...fields, ...named });
    const { result, code } = answer.body as { result?: boolean; code?: string };
    // A message that arrives on the other device, and what is sent from it, is the other store's own
    const own = isCallback || /broadcast|chat_list$/.test(name);
    if (!own) expect([name, result, code]).toEqual([name, false, expect.stringMatching(REFUSED)]);
    expect(JSON.stringify(answer.body)).not.toMatch(/S1\.|ada stok/);
  });
});

describe('a chat of another store', () => {
  it('is not found under this store’s device and number, whoever asks', async () => {
    const world = await newWorld(chat, 'default');
    const stranger = await chat.inbound({ instanceID: 'dev2', number: `${world.ref.nohp}@s.whatsapp.net` });
    const { chatId } = (stranger.body as { data: { chat_list: { chatId: string } } }).data.chat_list;
    for (const [path, token] of [
      ['/v1/chat_inbox', chat.people.boss],
      ['/v1/chat_inbox_admin', ''],
      ['/v1/chat_inbox_crm', ''],
    ] as const)
      expect((await chat.call(path, { token, body: { ...world.ref, chatId } })).body).toEqual({
        result: false,
        message: 'chat tidak ditemukan',
        code: 'chat_not_found',
      });
  });
});
