// End to end and slow: one `npm start`; a customer's phone talks to the bot through all services, and buys.
import { uuidv7 } from '@platform/runtime';
import { caller } from '@platform/testing';
import { repliesTo } from './conversation';
import { agentCalls, eventually, gatewayCalls, login, type PhoneMessage } from './demo-calls';
import { startPlatform, type Platform } from './platform.fixture';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 'a')]);
const voice = (text: string) => Buffer.from(`OggS\u0000\u0001SANDBOX-SPEECH: ${text}\u0000${'x'.repeat(4_000)}`);
const DETAILS = 'nama Budi, alamat Jl. Dago 1, kota Bandung';

/** Long enough for a burst on a machine that is busy, short enough to be waited for before every answer. */
const BOT_WINDOW_MS = '1000';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ BOT_WINDOW_MS });
  const owner = await login({ ...platform, demo: { ...platform.demo, agents: [] } });
  const enabled = await platform.commerce('/api/payment/methods/a', {
    method: 'PUT',
    token: owner,
    body: { enabled: true },
  });
  expect(enabled.status).toBe(200);
});
afterAll(() => platform.stop());

let customers = 0;
const newCustomer = async () => {
  const nohp = `6281277710${String((customers += 1)).padStart(3, '0')}`;
  const gateway = gatewayCalls(platform.services['wa-gateway'] ?? '', platform.demo.instance, nohp);
  await gateway.makePhone('Budi');
  const told = (act: () => Promise<unknown>) => repliesTo(gateway, act, 'the logs of bot-engine and chat-backend');
  return {
    nohp,
    gateway,
    says: (text: string) => told(() => gateway.write(text)),
    sends: (file: Buffer, text?: string) => told(() => gateway.send(file, text)),
    saysAtOnce: (texts: readonly string[]) => told(() => Promise.all(texts.map((text) => gateway.write(text)))),
    isTold: (text: RegExp) =>
      eventually('The message', 'the log of bot-engine', async () =>
        (await gateway.phone()).find(({ text: shown }) => text.test(shown ?? '')),
      ),
    agent: async () => agentCalls(platform, await login(platform), nohp),
  };
};
type Customer = Awaited<ReturnType<typeof newCustomer>>;

const words = (messages: readonly PhoneMessage[]): string => messages.map(({ text }) => text ?? '').join('\n');
const kinds = (messages: readonly PhoneMessage[]): string[] => messages.map(({ content: { kind } }) => kind);

/** Turns of a customer as the engine keeps them, oldest first. */
const turnsOf = async ({ agent }: Customer) => {
  const { chat_list: list } = await (await agent()).inbox();
  const token = await platform.tokensOf('commerce-api').for('bot-engine');
  const ask = caller(platform.services['bot-engine'] ?? '');
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await ask(`/internal${path}`, {
      token,
      headers: { 'x-store-id': platform.demo.store_id },
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return (body as { data: T }).data;
  };
  const rows = await read<{ id: string; status: string }[]>(`/runs?chat_id=${encodeURIComponent(list.chatId)}`);
  const turns = await Promise.all(rows.map(({ id }) => read<{ lines: string[]; status: string }>(`/runs/${id}`)));
  return turns.toReversed();
};

/** What the model was asked last that holds this. */
const askedOf = async (holds: string): Promise<string> => {
  const { body } = await caller(platform.sandboxes.llm ?? '')('/__sandbox/requests', {});
  const requests = (body as { requests: object[] }).requests.map((request) => JSON.stringify(request));
  return requests.findLast((request) => request.includes(holds)) ?? '';
};

const pay = async (invoice: string): Promise<void> => {
  const { status, body } = await caller(platform.sandboxes.doku ?? '')('/__sandbox/pay', {
    body: { invoice },
    method: 'POST',
  });
  expect({ status, body }).toMatchObject({ status: 200 });
};

it('a customer asks, sees a picture, is told what sending costs, orders after a quote, pays, and hears that it arrived', async () => {
  const budi = await newCustomer();
  const found = await budi.says('Halo, sepatu lari hitam ukuran 42 masih ada?');
  expect([words(found), kinds(found)]).toEqual([
    expect.stringMatching(/Sepatu Lari Nusa Hitam 42.*Rp250\.000/s),
    expect.arrayContaining(['image']),
  ]);
  expect(words(await budi.says('ongkir ke Dago berapa?'))).toMatch(/Rp18\.000/);
  const quoted = words(await budi.says(`saya mau pesan 1 pasang, ${DETAILS}`));
  expect(quoted).toMatch(/Rp268\.000/);
  const ordered = words(await budi.says('ya'));
  const [number = ''] = /INV-\d{6}-\w{6}/.exec(ordered) ?? [];
  expect(ordered).toMatch(/https?:\/\//);
  await pay(`${number}-1`);
  expect((await budi.isTold(/sudah kami terima/)).text).toBe(
    `Pembayaran ${number} sebesar Rp268.000 sudah kami terima`,
  );
  const turns = await turnsOf(budi);
  expect(turns.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
});

it('a picture and a voice note are understood, and what was said is what is kept', async () => {
  const siti = await newCustomer();
  expect(words(await siti.sends(JPEG))).toMatch(/image\/jpeg \d+ byte/);
  expect(words(await siti.sends(voice('botol minum masih ada?')))).toMatch(/Botol Minum Nusa.*Rp120\.000/s);
  expect((await turnsOf(siti)).map(({ lines }) => lines)).toEqual([['[gambar]'], ['[suara] botol minum masih ada?']]);
});

it('a burst is one turn', async () => {
  const tono = await newCustomer();
  await tono.saysAtOnce(['halo kak', 'mau tanya', 'kaos biru L masih ada?']);
  const turns = await turnsOf(tono);
  expect(turns).toHaveLength(1);
  expect(turns[0]?.lines.toSorted()).toEqual(['halo kak', 'kaos biru L masih ada?', 'mau tanya']);
});

it('whoever asks for a person gets one; when that one is done, the bot goes on, knows what was said, and does not hand over again', async () => {
  const ani = await newCustomer();
  const agent = await ani.agent();
  expect(words(await ani.says('saya mau bicara dengan admin'))).not.toBe('');
  await eventually('The escalation', 'the log of bot-engine', async () =>
    (await agent.inbox()).chat_list.status_escalate === 'requested' ? true : undefined,
  );
  const canary = `Bisa kak, kode ${uuidv7()}`;
  await repliesTo(ani.gateway, () => agent.send(canary), 'the log of chat-backend');
  await ani.gateway.write('siap, saya catat kodenya');
  await eventually('The message', 'the log of chat-backend', async () =>
    (await agent.inbox()).data.find(({ pesan }) => pesan === 'siap, saya catat kodenya'),
  );
  await agent.finish();
  const back = await ani.says('botol minum masih ada?');
  expect(words(back)).toMatch(/Botol Minum Nusa/);
  expect((await turnsOf(ani)).map(({ status }) => status)).toEqual(['handover', 'done']);
  expect((await askedOf('botol minum masih ada?')).split(canary)).toHaveLength(2);
});
