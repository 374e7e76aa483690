import { until } from '@platform/testing';
import type { BotAnswer, BotClient, BotQuestion } from '../../clients/bot.client';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';

const PLACES = 4;
const PER_STORE = 2;
/** More than there are places for. */
const STORES = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6'];
const CUSTOMERS = 6;
const ROW = { updated_at: 1 };

/** Takes every question and answers none before it is told to go on, as a stopped process does. */
class HangingBot implements BotClient {
  readonly asked: string[] = [];
  readonly mostOf = new Map<string, number>();
  private readonly underWay = new Map<string, number>();
  goOn: () => void = () => undefined;
  private readonly stopped = new Promise<void>((resolve) => (this.goOn = resolve));

  async ask({ idStore, idMessage, message }: BotQuestion): Promise<BotAnswer> {
    this.asked.push(idMessage);
    this.count(idStore, 1);
    await this.stopped;
    this.count(idStore, -1);
    return { kind: 'answered', bubbles: [{ id: `bot-${idMessage}`, text: `jawab ${message}` }] };
  }

  private count(store: string, change: number): void {
    const now = (this.underWay.get(store) ?? 0) + change;
    this.underWay.set(store, now);
    this.mostOf.set(store, Math.max(this.mostOf.get(store) ?? 0, now));
  }
}

const environment = { BOT_TURNS: String(PLACES), BOT_TURNS_PER_STORE: String(PER_STORE) };
let bot: HangingBot;
let chat: Chat;
/** A second process of the service on the same database. */
let twin: Chat;

const quiet = (id: string, more: object) => ({
  ...ROW,
  store_id: 'Q',
  instance: `q-${id}`,
  default_team_id: id,
  ...more,
});
const shops = {
  stores: [...STORES, 'Q'].map((store_id) => ({ ...ROW, store_id, nama: store_id })),
  teams: [
    ...STORES.map((store_id) => ({ ...ROW, store_id, id: '1', nama: 'CS' })),
    { ...ROW, store_id: 'Q', id: '1', nama: 'Bot' },
    { ...ROW, store_id: 'Q', id: '2', nama: 'Bagi', distribution: 'round_robin' },
  ],
  devices: [
    ...STORES.map((store_id) => ({
      ...ROW,
      ...{ store_id, instance: `dev-${store_id}`, default_team_id: '1', bot_agent_id: 'A1' },
    })),
    quiet('1', { bot_agent_id: 'A1' }),
    quiet('2', {}),
  ],
  users: [{ ...ROW, store_id: 'Q', user_id: 'u-q', nama: 'Q' }],
  team_members: [{ ...ROW, store_id: 'Q', team_id: '2', user_id: 'u-q' }],
  rules: [{ ...ROW, store_id: 'Q', id: 'r', match: 'exact', keywords: ['ongkir'], reply: { text: 'Ongkir 10rb' } }],
  welcomes: [{ ...ROW, store_id: 'Q', enabled: true, text: 'Selamat datang', once_per_hours: 24 }],
};

beforeEach(async () => {
  bot = new HangingBot();
  chat = await startChat({ bot, environment });
  twin = await startChat({ bot, environment: { ...environment, DATABASE_URL: chat.database.url } });
  await chat.post('/internal/sync', shops, { token: chat.tokens.tokenFor(SERVICE) });
});
afterEach(async () => {
  bot.goOn();
  await twin.stop();
  await chat.stop();
});

const numberOf = (store: string, customer: number) =>
  `6285${STORES.indexOf(store)}${String(customer).padStart(6, '0')}`;
/** One question of every customer in every store. */
const ask = () =>
  Promise.all(
    STORES.flatMap((store) =>
      Array.from({ length: CUSTOMERS }, (_, customer) =>
        chat.inbound({
          ...{ instanceID: `dev-${store}`, number: `${numberOf(store, customer)}@s.whatsapp.net` },
          ...{ id: `${store}-${customer}`, text: 'ada?' },
        }),
      ),
    ),
  );
const said = (nohp: string) =>
  chat.database.query<{ pesan: string }>(
    `SELECT m.pesan FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.from_me ORDER BY m.seq`,
    [nohp],
  );
const customer = async (device: string, nohp: string, text: string) => {
  await chat.inbound({ instanceID: device, number: `${nohp}@s.whatsapp.net`, text });
};

describe('while the bot hangs for more stores than there are places', () => {
  it('another store greets, answers by a rule and hands its chats out', async () => {
    await ask();
    await until(() => bot.asked.length >= PLACES);
    await customer('q-1', '628600000001', 'halo');
    await until(async () => (await said('628600000001')).length === 1);
    await customer('q-1', '628600000001', 'ongkir');
    await customer('q-2', '628600000002', 'halo');
    const assigned = `SELECT 1 FROM conversations WHERE nohp = '628600000002' AND assignee_id = 'u-q'`;
    await until(async () => (await chat.database.query(assigned)).length === 1);
    await until(async () => (await said('628600000001')).length === 2);
    expect((await said('628600000001')).map(({ pesan }) => pesan)).toEqual(['Selamat datang', 'Ongkir 10rb']);
  });

  it('one store has no more than its share in both processes, and everybody is answered once when it goes on', async () => {
    await ask();
    await until(() => bot.asked.length >= 2 * PLACES);
    bot.goOn();
    const answers = () =>
      chat.database.query<{ pesan_id: string }>(
        `SELECT m.pesan_id FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp LIKE '6285%' AND m.role = 'bot'`,
      );
    const all = STORES.flatMap((store) => Array.from({ length: CUSTOMERS }, (_, n) => `bot-${store}-${n}`)).sort();
    const got = await until(answers, ({ length }) => length >= all.length);
    expect(got.map(({ pesan_id: id }) => id).sort()).toEqual(all);
    expect([...bot.asked].sort()).toEqual(all.map((id) => id.slice('bot-'.length)));
    expect(Math.max(...bot.mostOf.values())).toBeLessThanOrEqual(PER_STORE);
  });
});
