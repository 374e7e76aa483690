import { environment, uuidv7 } from '@platform/runtime';
import { useDatabase, useRunning, until } from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { seed, startBot, TABLES, tokenFor, type Bot } from '../../app.fixture';
import { FAKE_SECRET, fakeShop, startFakeCommerce } from '../../clients/commerce.fake';

const PATH = '/api/webhook/payment-notification';
const TOTALS = { subtotal: 20_000, discount: 0, shipping: 15_000, fee: 0, total: 1_235_000, currency: 'IDR' };
const database = useDatabase(TABLES);
const fake = useRunning(() => startFakeCommerce([fakeShop('S1')]));
const { REDIS_URL } = environment;
const start = () => {
  const settings = { DATABASE_URL: database.url, COMMERCE_URL: fake.url, ENGINE_BOT_SECRET: FAKE_SECRET };
  return startBot({ ...settings, ...(REDIS_URL && { REDIS_URL }) }, { silent: true });
};
const bot = useRunning(async () => {
  await seed(database.url);
  return start();
});
const sockets: Socket[] = [];

afterEach(() => {
  fake.moods.length = 0;
  sockets.splice(0).forEach((socket) => socket.close());
});

let orders = 0;
/** An order at commerce; taken in a conversation of this service, unless told otherwise. */
const ordered = async ({ taken = true, handover = false } = {}) => {
  const orderNumber = `INV-261120-P${String((orders += 1)).padStart(5, '0')}`;
  const order = { key: orderNumber, hash: '', storeId: 'S1', phone: '', totals: TOTALS };
  fake.orders.all.push({ orderNumber, ...order, status: 'pending', paidAt: null, waybill: null });
  const id = uuidv7();
  if (!taken) return { orderNumber, id };
  await database.query(
    `INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key, instance_id, chat_id, team, handover_at, resume_at)
     VALUES ('S1', $1, 'A1', $2, $2, 'dev1', 'S1.chat', '3', $3, $4)`,
    [id, orderNumber, handover ? new Date() : null, handover ? new Date(Date.now() + 3_600_000) : null],
  );
  await database.query(
    `INSERT INTO bot_checkouts (store_id, id, conv_id, run_id, confirm_token, cart_hash, args, quote, total, state, order_number)
     VALUES ('S1', $1, $2, $1, $3, '', '{}', '{}', 1235000, 'pending', $3)`,
    [uuidv7(), id, orderNumber],
  );
  return { orderNumber, id };
};
const become = (orderNumber: string, status: string): void => {
  const order = fake.orders.all.find((each) => each.orderNumber === orderNumber);
  if (order) order.status = status;
};
const notice = (orderNumber: string, more: object = {}) => ({
  ...{ idEvent: `bot:${orderNumber}`, event: 'payment.paid', orderNumber, idStore: 'S1', amount: 1_235_000 },
  ...{ currency: 'IDR', paidAt: '2026-03-01T08:00:00.000Z', provider: 'a', ...more },
});
const tell = async (orderNumber: string, more: object = {}, process: Pick<Bot, 'post'> = bot) => {
  const answer = await process.post(PATH, notice(orderNumber, more));
  return { status: answer.status, body: answer.body };
};
const answered = (orderNumber: string, orderStatus: string, notified: boolean, duplicate = false) => ({
  status: 201,
  body: { status: 201, message: 'success', data: { orderNumber, orderStatus, notified, duplicate } },
});
/** What the buyer is sent, and what the conversation remembers of it. */
const toldTo = async (id: string) => {
  const sent = await database.query<{ payload: { content: { text: string }; onlyIfOpen: boolean } }>(
    'SELECT payload FROM outbox_row WHERE starts_with(lane, $1)',
    [id],
  );
  const lines = await database.query<{ content: string }>('SELECT content FROM bot_messages WHERE conv_id = $1', [id]);
  expect(lines.map(({ content }) => content)).toEqual(sent.map(({ payload }) => payload.content.text));
  return sent.map(({ payload: { content, onlyIfOpen } }) => [content.text, onlyIfOpen]);
};
const recorded = (orderNumber: string) =>
  database.query<object>('SELECT status, outcome, notified FROM bot_payment_events WHERE order_number = $1', [
    orderNumber,
  ]);
const paidText = (orderNumber: string) => [
  ...[`Pembayaran ${orderNumber} sebesar Rp1.235.000 sudah kami terima`, false],
];

describe('a notification of a payment', () => {
  it('twenty times at once is one message and one event for clients', async () => {
    const { orderNumber, id } = await ordered();
    become(orderNumber, 'paid');
    const socket = io(bot.url, { transports: ['websocket'], reconnection: false });
    sockets.push(socket);
    const heard: unknown[] = [];
    socket.on('newMessage', (event: unknown) => heard.push(event));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const copies = Array.from({ length: 20 }, () => tell(orderNumber));
    const all = await Promise.all(copies);
    const duplicates = all.filter(({ body }) => (body as { data: { duplicate: boolean } }).data.duplicate);
    expect(duplicates).toEqual(Array.from({ length: 19 }, () => answered(orderNumber, 'paid', true, true)));
    expect(all.find((each) => !duplicates.includes(each))).toEqual(answered(orderNumber, 'paid', true));
    expect(await toldTo(id)).toEqual([paidText(orderNumber)]);
    const event = { idStore: 'S1', chatId: 'S1.chat', type: 'chat', timestamp: expect.any(Number) as number };
    expect(
      await until(
        () => heard,
        (events) => events.length > 0,
      ),
    ).toEqual([{ ...event, idMessage: `bot-pay-${orderNumber}-paid` }]);
  });

  it('that is forged sends nothing, and swallows nothing of the real one later', async () => {
    const { orderNumber, id } = await ordered();
    for (const event of ['payment.paid', 'payment.failed', 'payment.expired'])
      expect(await tell(orderNumber, { event })).toEqual(answered(orderNumber, 'pending', false));
    expect(await toldTo(id)).toEqual([]);
    become(orderNumber, 'paid');
    expect(await tell(orderNumber)).toEqual(answered(orderNumber, 'paid', true));
    expect(await toldTo(id)).toEqual([paidText(orderNumber)]);
  });

  it.each([503, 'hang'] as const)('while commerce answers %s is for later, and nothing is recorded', async (does) => {
    const { orderNumber, id } = await ordered();
    become(orderNumber, 'paid');
    fake.moods.push({ does });
    const { status, body, headers } = await bot.post(PATH, notice(orderNumber));
    expect([status, body, headers.get('retry-after')]).toEqual([
      ...[503, { status: 503, message: 'temporarily unavailable' }, '5'],
    ]);
    expect([await recorded(orderNumber), await toldTo(id)]).toEqual([[], []]);
    fake.moods.length = 0;
    // The breaker of the calls lets one through after its pause
    const answer = await until(
      () => tell(orderNumber),
      (each) => each.status === 201,
    );
    expect(answer).toEqual(answered(orderNumber, 'paid', true));
  });

  it('is told while a person has the chat, when it was paid and not when it has ended', async () => {
    const [paid, expired, open] = [
      await ordered({ handover: true }),
      await ordered({ handover: true }),
      await ordered(),
    ];
    become(paid.orderNumber, 'paid');
    become(expired.orderNumber, 'expired');
    become(open.orderNumber, 'cancelled');
    expect(await tell(paid.orderNumber)).toEqual(answered(paid.orderNumber, 'paid', true));
    expect(await tell(expired.orderNumber)).toEqual(answered(expired.orderNumber, 'expired', false));
    expect(await tell(open.orderNumber)).toEqual(answered(open.orderNumber, 'cancelled', true));
    expect([await toldTo(paid.id), await toldTo(expired.id), await toldTo(open.id)]).toEqual([
      [paidText(paid.orderNumber)],
      [],
      [[`Pesanan ${open.orderNumber} dibatalkan.`, true]],
    ]);
    const states = await database.query<{ state: string }>(
      'SELECT state FROM bot_checkouts WHERE order_number = ANY ($1) ORDER BY order_number',
      [[paid, expired, open].map((each) => each.orderNumber)],
    );
    expect(states.map(({ state }) => state)).toEqual(['paid', 'expired', 'cancelled']);
  });

  it('of an order that was not taken here, or not for this store, tells nobody', async () => {
    const [elsewhere, here] = [await ordered({ taken: false }), await ordered()];
    for (const { orderNumber } of [elsewhere, here]) become(orderNumber, 'paid');
    expect(await tell(elsewhere.orderNumber)).toEqual(answered(elsewhere.orderNumber, 'paid', false));
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('S2', 'Lain') ON CONFLICT DO NOTHING`);
    expect(await tell(here.orderNumber, { idStore: 'S2' })).toEqual(answered(here.orderNumber, 'paid', false));
    expect(await tell(here.orderNumber)).toEqual(answered(here.orderNumber, 'paid', true));
  });

  it('by a user says nothing of orders that the bot of their store has not taken', async () => {
    const [mine, elsewhere] = [await ordered(), await ordered({ taken: false })];
    const asUser = async (store: string, orderNumber: string, idStore: string) => {
      const authorization = `Bearer ${await tokenFor({ store, role: 'agent' })}`;
      const { status, body } = await bot.post(PATH, notice(orderNumber, { idStore }), { authorization });
      return [status, (body as { message: string }).message];
    };
    for (const { orderNumber } of [mine, elsewhere]) become(orderNumber, 'paid');
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('S2', 'Lain') ON CONFLICT DO NOTHING`);
    const asked = fake.seen.length;
    expect(await asUser('S2', mine.orderNumber, 'S1')).toEqual([404, 'store not found']);
    expect(await asUser('S2', mine.orderNumber, 'S2')).toEqual([404, 'order not found']);
    expect(await asUser('S1', elsewhere.orderNumber, 'S1')).toEqual([404, 'order not found']);
    expect([fake.seen.length, await recorded(mine.orderNumber)]).toEqual([asked, []]);
    expect(await asUser('S1', mine.orderNumber, 'S1')).toEqual([201, 'success']);
  });

  it('that is forged without end fills no table', async () => {
    const { orderNumber } = await ordered();
    for (let n = 0; n < 25; n += 1) await tell(orderNumber, { idEvent: `forged ${n}` });
    expect((await recorded(orderNumber)).length).toBe(20);
    become(orderNumber, 'paid');
    expect(await tell(orderNumber)).toEqual(answered(orderNumber, 'paid', true));
  });

  it.each<[string, object, number, object]>([
    ['of an order that nobody knows', { orderNumber: 'INV-261120-NOSUCH' }, 404, { message: 'order not found' }],
    ['of an unknown store', { idStore: 'nowhere' }, 404, { message: 'store not found' }],
    [
      'without its event',
      { idEvent: undefined },
      422,
      {
        message: 'validation error',
        errors: [{ field: 'idEvent', tag: 'required', message: 'idEvent is a required field' }],
      },
    ],
    ['of another kind', { event: 'payment.maybe' }, 422, { message: 'validation error', errors: [expect.anything()] }],
  ])('%s is refused', async (_, more, status, body) => {
    const { orderNumber } = await ordered();
    expect(await tell(orderNumber, more)).toEqual({ status, body: { status, ...body } });
  });

  it('needs a token and JSON', async () => {
    const { status, body } = await bot.post(PATH, notice('x'), {});
    expect([status, body]).toEqual([401, { status: 'error', message: 'Unauthenticated' }]);
    expect((await bot.post(PATH, '{broken')).body).toEqual({ status: 400, message: 'invalid json' });
  });
});

const withRedis = (): void => {
  it('a notification at two processes at once reaches the buyer once', async () => {
    const other = await start();
    const { orderNumber, id } = await ordered();
    become(orderNumber, 'paid');
    const all = await Promise.all([bot, other, bot, other].map((process) => tell(orderNumber, {}, process)));
    await other.stop();
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await toldTo(id)).toEqual([paidText(orderNumber)]);
  });
};

if (REDIS_URL) withRedis();
else process.stderr.write('REDIS_URL is not set: payments were announced to one process only.\n');
