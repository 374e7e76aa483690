import { Sends } from '@platform/runtime';
import { until } from '@platform/testing';
import { FakeBot } from '../../clients/bot.fake';
import type { Contact } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
let sends: Sends;
let bot: FakeBot;
let contacts: Contact[];

beforeEach(async () => {
  sends = new Sends('held');
  bot = new FakeBot();
  contacts = [];
  const pushContact = async (contact: Contact) => contacts.push(contact) > 0;
  chat = await startLifecycle({
    sends,
    bot,
    commerce: { ...takingCommerce, pushContact },
    environment: { COMMERCE_URL: 'http://127.0.0.1:9' },
  });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
});
afterEach(() => chat.stop());

const rows = () => chat.database.query(`SELECT state, attempts, last_error FROM outbox_row ORDER BY id`);
const sent = () => chat.gateway.calls.map((call) => ('text' in call ? call.text : ''));
const health = async () => (await chat.call('/health')).body;
const told = (texts: number) =>
  until(
    () => contacts.length,
    (count) => count >= texts,
  );

describe('while sends are held', () => {
  it("an agent's message is stored and answered as ever, and its row waits untouched", async () => {
    const ref = await chat.newChat();
    const answer = await chat.post('/v1/send_message', { ...ref, pesan: 'Ada kak', pesan_id: 'A1' });
    expect(answer).toMatchObject({
      status: 200,
      body: { result: true, data: { pesan_id: 'A1', status_ack: 'pending' }, chat_list: { status: 'handle' } },
    });
    await expect(chat.call('/ready')).resolves.toMatchObject({ status: 200 });
    expect([await rows(), sent()]).toEqual([[{ state: 'queued', attempts: 0, last_error: null }], []]);
  });

  it('a customer is heard, the sockets tell of it, inside jobs run, and nobody asks the bot', async () => {
    const { heard } = await chat.listen(chat.people.rina);
    await chat.inbound({ number: '628119999999@s.whatsapp.net', text: 'ada stok?' });
    await until(
      () => heard.map(({ name }) => name),
      (names) => names.includes('updateChatlist'),
    );
    await told(1);
    const jobs = () =>
      chat.database.query(
        `SELECT task_identifier, attempts, locked_by FROM chat_backend_jobs.jobs WHERE task_identifier <> 'timers'`,
      );
    // The end of the contact's job is recorded after the contact was told
    const automation = await until(jobs, ({ length }) => length === 1);
    expect(automation).toEqual([{ task_identifier: 'automation', attempts: 0, locked_by: null }]);
    expect([bot.questions, sent()]).toEqual([[], []]);
  });

  it('/health and /metrics count what waits', async () => {
    const ref = await chat.newChat();
    await chat.post('/v1/send_message', { ...ref, pesan: 'satu' });
    await chat.post('/v1/send_message', { ...ref, pesan: 'dua' });
    const lines = String((await chat.call('/metrics')).body).split('\n');
    expect([await health(), lines.filter((line) => line.startsWith('sends_held'))]).toEqual([
      expect.objectContaining({ status: 'ok', held: 3 }),
      [
        'sends_held{component="outbox chat-backend",service="chat-backend"} 2',
        'sends_held{component="jobs chat_backend_jobs",service="chat-backend"} 1',
      ],
    ]);
  });

  it('a campaign stands still from its first recipient on', async () => {
    const boss = chat.tokens.tokenFor({ sub: 'u-siti', role: 'supervisor', teams: [] });
    const campaign = {
      instance: 'dev1',
      team: '3',
      nama: 'Promo',
      pesan: 'Halo',
      penerima: [{ nohp: '628115555555' }],
    };
    const answer = await chat.post('/v1/send_broadcast', campaign, { token: boss });
    expect(answer).toMatchObject({ body: { result: true, data: { valid: 1 } } });
    expect([await rows(), sent()]).toEqual([[], []]);
    sends.release();
    await until(
      () => sent(),
      (texts) => texts.length === 1,
    );
  });
});

describe('the release of held sends', () => {
  it('sends everything once and in the order of each chat, and the bot answers who still waits', async () => {
    const [one, two] = [await chat.newChat(), await chat.newChat()];
    const texts = ['satu', 'dua', 'tiga', 'empat'];
    for (const pesan of texts) for (const ref of [one, two]) await chat.post('/v1/send_message', { ...ref, pesan });
    const asked = await chat.newChat();
    sends.release();
    await until(rows, (all) => all.length === 9 && all.every(({ state }) => state === 'done'));
    const to = (ref: { nohp: string }) =>
      chat.gateway.calls.flatMap((call) => (call.number === ref.nohp && 'text' in call ? [call.text] : []));
    expect([to(one), to(two)]).toEqual([texts, texts]);
    // An agent has taken the first two over: the bot stays silent there
    expect([to(asked), bot.questions.length]).toEqual([[expect.stringMatching(/^jawab pesan/)], 1]);
    expect((await rows()).map(({ attempts }) => attempts)).toEqual(Array(9).fill(1));
    expect(await health()).not.toHaveProperty('held');
  });
});
