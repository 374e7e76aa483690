import { writeFile } from 'node:fs/promises';
import { DownloadFailed } from '@platform/http';
import { until } from '@platform/testing';
import type { Deps } from '../../app';
import type { BotClient } from '../../clients/bot.client';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import type { AutomationPayload } from './automation.payload';
import { AutomationRepository } from './automation.repository';

const PICTURE = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
/** More than any runner has places for. */
const STORES = Array.from({ length: 14 }, (_, index) => `H${index}`);
const ROW = { updated_at: 1 };

/** A host of files: below /hang it answers nothing before it is told to, below /restarts and /slow nothing at first. */
class Files {
  readonly asked: string[] = [];
  goOn: () => void = () => undefined;
  private readonly hanging = new Promise<void>((resolve) => (this.goOn = resolve));

  readonly download: NonNullable<Deps['download']> = async (url, target) => {
    const before = this.asked.filter((one) => one === url).length;
    this.asked.push(url);
    if (url.includes('/hang')) await this.hanging;
    if (url.includes('/gone')) throw new DownloadFailed('the host answered 404', { status: 404 });
    if (url.includes('/away') || (url.includes('/restarts') && before === 0))
      throw new DownloadFailed('the host cannot be reached');
    await writeFile(target, PICTURE);
  };
}

const files = new Files();
let chat: Chat;

const pictureRule = (store_id: string, word: string) => ({
  ...{ ...ROW, store_id, id: word, match: 'exact', keywords: [word], position: 1 },
  reply: { text: `ini ${word}`, url: `https://${store_id.toLowerCase()}.example/${word}.jpg`, type: 'image' },
});
const shops = {
  stores: [...STORES, 'Q'].map((store_id) => ({ ...ROW, store_id, nama: store_id })),
  teams: [...STORES, 'Q'].map((store_id) => ({ ...ROW, store_id, id: '1', nama: 'CS' })),
  devices: [...STORES, 'Q'].map((store_id) => ({
    ...{ ...ROW, store_id, instance: `dev-${store_id}`, default_team_id: '1' },
    ...(store_id === 'Q' ? { bot_agent_id: 'A1' } : {}),
  })),
  rules: [
    ...STORES.map((store_id) => pictureRule(store_id, 'hang')),
    ...['restarts', 'away', 'gone'].map((word) => pictureRule('Q', word)),
    { ...ROW, store_id: 'Q', id: 'text', match: 'exact', keywords: ['ongkir'], reply: { text: 'Ongkir 10rb' } },
  ],
};

beforeAll(async () => {
  const bot: BotClient = {
    ask: async ({ idMessage, message }) => ({
      kind: 'answered',
      bubbles: [
        { id: `t-${idMessage}`, text: `jawab ${message}` },
        { id: `p-${idMessage}`, picture: `https://q.example/${message}.jpg` },
      ],
    }),
  };
  chat = await startChat({ bot, download: files.download });
  await chat.post('/internal/sync', shops, { token: chat.tokens.tokenFor(SERVICE) });
});
afterAll(async () => {
  files.goOn();
  await chat.stop();
});

const customer = (store: string, nohp: string, text: string, more = {}) =>
  chat.inbound({ instanceID: `dev-${store}`, number: `${nohp}@s.whatsapp.net`, text, ...more });
const answers = (nohp: string) =>
  chat.database.query<{ type: string; said: string; file: boolean }>(
    `SELECT m.type, coalesce(m.pesan, m.caption) AS said, m.media IS NOT NULL AS file
     FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.from_me ORDER BY m.seq`,
    [nohp],
  );
const answered = (nohp: string, count: number) =>
  until(
    () => answers(nohp),
    (rows) => rows.length >= count,
  );
const picture = (word: string) => ({ type: 'image', said: `ini ${word}`, file: true });
const text = (said: string) => ({ type: 'chat', said, file: false });

describe('while a host of files hangs for more stores than there are places', () => {
  it('rules of other stores answer, a minute task runs, and its own pictures go when it goes on', async () => {
    const hanging = (path: string) => files.asked.filter((url) => url.includes(path)).length;
    await Promise.all(
      STORES.map((store, index) => customer(store, `62851000000${String(index).padStart(2, '0')}`, 'hang')),
    );
    const promised = JSON.stringify({ fileUrl: '/hang/files/a.pdf', fileName: 'a.pdf', fileSize: 9 });
    await Promise.all(
      STORES.map((store, index) =>
        customer(store, `62852000000${String(index).padStart(2, '0')}`, '', { type: 'document', rawMessage: promised }),
      ),
    );
    await until(() => hanging('hang.jpg') >= 3 && hanging('/hang/files') >= 3);
    await customer('Q', '628600000001', 'ongkir');
    expect(await answered('628600000001', 1)).toEqual([text('Ongkir 10rb')]);
    await chat.database.query(`SELECT chat_backend_jobs.add_job('timers', '{}'::json, job_key => 'now')`);
    const waits = `SELECT 1 FROM chat_backend_jobs.jobs WHERE key = 'now'`;
    await until(async () => (await chat.database.query(waits)).length === 0);
    files.goOn();
    for (const index of STORES.keys())
      expect(await answered(`62851000000${String(index).padStart(2, '0')}`, 1)).toEqual([picture('hang')]);
  });
});

describe('a picture whose host restarts', () => {
  it('goes as a picture, and before the answer to what the customer wrote next', async () => {
    await customer('Q', '628600000002', 'restarts');
    await customer('Q', '628600000002', 'ongkir');
    expect(await answered('628600000002', 2)).toEqual([picture('restarts'), text('Ongkir 10rb')]);
  });

  it('goes as a picture of the bot too', async () => {
    await customer('Q', '628600000003', 'kedua-restarts');
    expect(await answered('628600000003', 2)).toEqual([
      text('jawab kedua-restarts'),
      { type: 'image', said: null, file: true },
    ]);
  });
});

describe('a picture that cannot be had', () => {
  it('goes as its address at once when its host knows no such file', async () => {
    await customer('Q', '628600000004', 'gone');
    expect(await answered('628600000004', 1)).toEqual([text('ini gone\nhttps://q.example/gone.jpg')]);
    expect(files.asked.filter((url) => url.includes('/gone'))).toHaveLength(1);
  });

  it('goes as its address when its host stays away', async () => {
    await customer('Q', '628600000005', 'away');
    expect(await answered('628600000005', 1)).toEqual([text('ini away\nhttps://q.example/away.jpg')]);
    expect(files.asked.filter((url) => url.includes('/away'))).toHaveLength(3);
  });
});

describe('a message on which nobody could ever decide', () => {
  const NOHP = '628600000006';
  const age = (minutes: number) =>
    chat.database.query(
      `UPDATE messages m SET to_bot = 0, waktu = n.waktu - $1 * interval '1 minute' FROM messages n WHERE m.pesan_id = 'LOST' AND n.pesan_id = 'NEXT'`,
      [minutes],
    );
  const isBehind = async () => {
    const [next] = await chat.database.query<AutomationPayload>(
      `SELECT store_id AS "storeId", conversation_id AS "conversationId", seq FROM messages WHERE pesan_id = 'NEXT'`,
    );
    return next && new AutomationRepository(chat.database).isBehind(next);
  };

  it('keeps answers waiting to what came soon after it, and no later one', async () => {
    await customer('Q', NOHP, 'ongkir', { id: 'LOST' });
    await answered(NOHP, 1);
    await customer('Q', NOHP, 'ongkir', { id: 'NEXT' });
    await answered(NOHP, 2);
    await age(1);
    expect(await isBehind()).toBe(true);
    await age(60);
    expect(await isBehind()).toBe(false);
  });
});
