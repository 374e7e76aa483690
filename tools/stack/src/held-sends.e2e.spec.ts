// End to end and slow: the demo is played on a real stack whose sends are held, then the stack starts again with them released.
import { agentCalls, gatewayCalls, login, openSocket } from './demo-calls';
import { DEMO_DEVICE } from './demo-shop';
import { readStackFile, type StackFile } from './stack-file';
import { newStackPlace, until, type Command, type StackPlace } from './stack.fixture';

const [BUDI, SARI, TONO] = ['6281277700011', '6281277700012', '6281277700013'] as const;
const QUESTION = 'Halo, sepatu lari hitam ukuran 42 masih ada?';
const REPLIES = ['Halo Kak Budi, dengan Rina.', 'Masih ada 7 pasang.', 'Mau saya simpankan satu?'];
const NOTICE = 'Pesanan Kakak sudah dikirim.';

let place: StackPlace;
let stack: Command | undefined;
let file: StackFile;

const start = async (sends: 'held' | 'released'): Promise<void> => {
  stack = place.runWith({ SENDS: sends }, 'start');
  await stack.shows('npm run demo');
  file = readStackFile(place.folder)!;
};
const stop = async (): Promise<void> => {
  if (stack?.child.exitCode === null) process.kill(-stack.child.pid!, 'SIGTERM');
  await stack?.ended;
};

beforeAll(async () => {
  place = await newStackPlace();
});
afterAll(async () => {
  await stop();
  place.remove();
});

const customer = (nohp: string) => gatewayCalls(file.services['wa-gateway']!, file.demo.instance, nohp);
const phone = async (nohp: string) => (await customer(nohp).phone()).map(({ text, content }) => text ?? content.kind);
const phones = async () => [await phone(BUDI), await phone(SARI), await phone(TONO)];
const health = async (service: 'chat-backend' | 'wa-gateway') =>
  (await (await fetch(`${file.services[service]}/health`)).json()) as { status: string; held?: number };

const link = async (): Promise<void> => {
  const shop = customer(BUDI);
  await shop.logout();
  await shop.newDevice(DEMO_DEVICE.nama);
  await shop.scan((await shop.qrcode()).qr, DEMO_DEVICE.nohp);
  await until('the link', async () => (await shop.status()) === 'connected');
};

/** Straight to the gateway, as a client of its own would. */
const notify = async (nohp: string): Promise<unknown> => {
  const body = { pesan_id: `notice ${nohp}`, role: 'system', data: { number: nohp, text: NOTICE } };
  const answer = await fetch(`${file.services['wa-gateway']}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
};

it('the demo is played while sends are held, and nothing reaches a phone', async () => {
  await start('held');
  await link();
  const token = await login(file);
  const { socket, seen } = await openSocket(file.services['chat-backend']!, token);
  const agent = agentCalls(file, token, BUDI);
  for (const [nohp, name] of [
    [BUDI, 'Budi'],
    [SARI, 'Sari'],
    [TONO, 'Tono'],
  ] as const)
    await customer(nohp).makePhone(name);

  for (const nohp of [BUDI, SARI]) {
    await customer(nohp).write(QUESTION);
    await until('the event on the socket', () =>
      seen.some(({ name, payload }) => name === 'updateChatlist' && JSON.stringify(payload).includes(nohp)),
    );
  }
  for (const reply of REPLIES) {
    const { data } = await agent.send(reply);
    expect(data).toMatchObject({ pesan: reply, status_ack: 'pending' });
  }
  await agent.markRead();
  const { data, chat_list: list } = await agent.inbox();
  expect([data.map(({ pesan }) => pesan), list.status, list.unread]).toEqual([[QUESTION, ...REPLIES], 'handle', 0]);
  expect(await notify(TONO)).toMatchObject({ success: true, data: { status: 'pending', delivery: 'engine' } });
  socket.disconnect();

  // Three replies and two questions to the bot; one message at the gateway
  expect([(await health('chat-backend')).held, (await health('wa-gateway')).held]).toEqual([5, 1]);
  expect(await phones()).toEqual([[], [], []]);
});

it('after the release everything arrives, once and in order', async () => {
  await stop();
  await start('released');
  await until('the arrival', async () => (await phones()).flat().length >= 6);
  const agent = agentCalls(file, await login(file), BUDI);
  await until('the ticks', async () =>
    (await agent.inbox()).data.filter(({ role }) => role === 'agent').every((sent) => sent.status_ack === 'delivered'),
  );
  const fromBot = expect.stringContaining('Sepatu Lari Nusa Hitam 42');
  expect(await phones()).toEqual([REPLIES, [fromBot, 'image'], [NOTICE]]);
  expect(await health('chat-backend')).not.toHaveProperty('held');
  expect(await health('wa-gateway')).not.toHaveProperty('held');
});
