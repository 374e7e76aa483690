// A customer orders at the bot and pays: the whole service beside commerce-api itself, a fake chat-backend and the sandbox model.
import { uuidv7 } from '@platform/runtime';
import { startLlmSandbox, until, useDatabase, useRunning } from '@platform/testing';
import { newCustomer, startBot, TABLES } from '../../app.fixture';
import { startFakeChat } from '../../clients/chat.fake';
import { REAL_SECRET, startRealCommerce } from '../../clients/commerce.real.fixture';

const database = useDatabase(TABLES);
const commerce = useRunning(() => startRealCommerce());
const chat = useRunning(() => startFakeChat());
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const bot = useRunning(() =>
  startBot(
    {
      ...{ DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1`, BOT_WINDOW_MS: '0', CHAT_URL: chat.url },
      ...{ STORE_AUTH_URL: commerce.storeAuth.url, SERVICE_CLIENT_ID: 'bot-engine', SERVICE_CLIENT_SECRET: 'x' },
      ...{ COMMERCE_URL: commerce.url, STORE_SOURCE: 'commerce', ENGINE_BOT_SECRET: REAL_SECRET },
    },
    { silent: true },
  ),
);

/** A store of commerce-api with an agent, and a customer of it. */
const customer = async () => {
  const storeId = await commerce.newStore();
  await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ($1, 'A1', 'Nusa', 'Kamu Nusa.')`, [
    storeId,
  ]);
  const who = { idUser: newCustomer(), idAgent: 'A1', idStore: storeId, instanceID: 'dev1', team: '3' };
  const says = async (message: string): Promise<string> => {
    const { status, body } = await bot.post('/api/chatbot-api', { ...who, message, idMessage: uuidv7() });
    expect(status).toBe(201);
    return (body as { data: { answer: string[] } }).data.answer.join('\n');
  };
  return { storeId, says, nohp: who.idUser };
};

it('a customer gets a quote, agrees, gets the address at which to pay, pays, and hears of it', async () => {
  const { storeId, says, nohp } = await customer();
  const quoted = await says('pesan topi 2 pcs, nama Budi Santoso, alamat Jl. Dago 101, Coblong, kota Bandung');
  expect(quoted).toContain('Rp35.000');
  expect(await commerce.orders(storeId)).toEqual([]);
  const ordered = await says('iya lanjut');
  const [order, ...more] = await commerce.orders(storeId);
  expect([order?.total, more]).toEqual([35_000, []]);
  expect(ordered).toMatch(/https:\/\/shop\.example\/pay\//);
  const orderNumber = order?.number ?? '';
  expect(await says(`pesanan ${orderNumber} sudah dibayar belum?`)).toMatch(/menunggu|belum/i);
  await commerce.pay(storeId, orderNumber);
  const notice = { idEvent: `bot:${orderNumber}`, event: 'payment.paid', orderNumber, idStore: storeId };
  const { status, body } = await bot.post('/api/webhook/payment-notification', notice);
  expect([status, body]).toMatchObject([201, { data: { orderStatus: 'paid', notified: true } }]);
  const text = `Pembayaran ${orderNumber} sebesar Rp35.000 sudah kami terima`;
  const sent = await until(
    () => chat.sent.filter((each) => each.nohp === nohp),
    (all) => all.length > 0,
  );
  expect(sent.map(({ content }) => content)).toEqual([{ text }]);
});
