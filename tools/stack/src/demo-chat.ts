import type { Socket } from 'socket.io-client';
import { repliesAfter, repliesTo } from './conversation';
import {
  agentCalls,
  eventually,
  gatewayCalls,
  LIMIT_MS,
  login,
  openSocket,
  signIn,
  type PhoneMessage,
  type SeenEvent,
} from './demo-calls';
import { DEMO_DEVICE } from './demo-shop';
import { says } from './demo-lines';
import { ShopClient } from './shop-client';
import type { StackFile } from './stack-file';
import { shown } from './workspace';

const CUSTOMER = 'Budi';
const QUESTION = 'Halo, sepatu lari hitam ukuran 42 masih ada?';
const SHIPPING = 'Ongkir ke Dago berapa?';
const ORDER = 'Saya pesan 1 pasang, nama Budi, alamat Jl. Dago 1, kota Bandung';
const AGREED = 'Ya, setuju';
const PERSON = 'Saya mau bicara dengan admin';
const REPLY = 'Halo Kak Budi, dengan Rina. Pesanannya sudah saya lihat, ada yang bisa saya bantu?';
const TICKS: Readonly<Record<string, string>> = { pending: '…', sent: '✓', delivered: '✓✓', viewed: '✓✓ viewed' };
const PNG = '89504e470d0a1a0a';

const note = (text: string): void => says('', `  ${text}`);

interface Scene {
  readonly stack: StackFile;
  readonly nohp: string;
  readonly logs: string;
  readonly gateway: ReturnType<typeof gatewayCalls>;
  readonly agent: ReturnType<typeof agentCalls>;
  readonly socket: Socket;
  readonly seen: SeenEvent[];
}

/** An unused number, so that the demo can be repeated. */
const freshNumber = (): string => `62812${String(Date.now()).slice(-9)}`;

const linkAgain = async ({ gateway, logs }: Scene, { nama, nohp: phone }: typeof DEMO_DEVICE): Promise<void> => {
  await gateway.logout();
  await gateway.newDevice(nama);
  const { qrcode, qr } = await gateway.qrcode();
  const picture = Buffer.from(qrcode.replace(/^data:image\/png;base64,/, ''), 'base64');
  if (!picture.toString('hex').startsWith(PNG)) throw new Error('The QR code is no PNG picture.');
  await gateway.scan(qr, phone);
  await eventually('The link', `${logs}/wa-gateway.log`, async () =>
    (await gateway.status()) === 'connected' ? true : undefined,
  );
  says('gateway', `QR code shown (a PNG of ${picture.length} bytes), scanned by ${phone}: linked`);
};

const customerAsks = async ({ gateway, agent, seen, logs, nohp }: Scene): Promise<string> => {
  await gateway.makePhone(CUSTOMER);
  const since = performance.now();
  const { id } = await gateway.write(QUESTION);
  says(CUSTOMER, QUESTION);
  const event = await eventually("The event on the agent's socket", `${logs}/chat-backend.log`, async () =>
    seen.find(
      ({ name, payload }) => name === 'updateChatlist' && (payload.chat_list as { nohp?: string }).nohp === nohp,
    ),
  );
  note(`Rina's client sees ${event.name} on its socket, ${Math.round(event.at - since)} ms later`);
  const { data, chat_list: list } = await agent.inbox();
  const stored = data.filter(({ pesan_id }) => pesan_id === id);
  if (stored.length !== 1) throw new Error(`The message is stored ${stored.length} times, not once.`);
  note(`stored once as ${stored[0]?.chatInboxId}; unread ${list.unread}, status ${list.status}`);
  return list.chatId;
};

const botLogs = (logs: string): string => `${logs}/bot-engine.log and ${logs}/chat-backend.log`;

const botSays = (messages: readonly PhoneMessage[]): void => {
  for (const { text, content } of messages) says('Nusa (bot)', text ?? `(${content.kind})`);
};

const botAnswers = async ({ gateway, stack, logs }: Scene): Promise<void> => {
  botSays(await repliesAfter(gateway, 0, botLogs(logs)));
  note(`received on ${CUSTOMER}'s phone through device ${stack.demo.instance}`);
};

/** A quote, an order after it, and the wish for a person. */
const botSells = async ({ gateway, agent, logs }: Scene): Promise<string> => {
  let number: string | undefined;
  for (const text of [SHIPPING, ORDER, AGREED, PERSON]) {
    says(CUSTOMER, text);
    const replies = await repliesTo(gateway, () => gateway.write(text), botLogs(logs));
    botSays(replies);
    number ??= /INV-\d{6}-\w{6}/.exec(replies.map((reply) => reply.text ?? '').join(' '))?.[0];
  }
  if (number === undefined) throw new Error(`The bot took no order. See ${botLogs(logs)}`);
  await eventually('The escalation', botLogs(logs), async () =>
    (await agent.inbox()).chat_list.status_escalate === 'requested' ? true : undefined,
  );
  note("the bot asks the supervisors' team for help, and says no more");
  return number;
};

/** So that the demo can be played as often as one likes. */
const orderIsCancelled = async ({ stack }: Scene, number: string): Promise<void> => {
  const { services, demo } = stack;
  const token = await signIn(services['store-auth'] ?? '', demo.owner);
  const owner = new ShopClient(services['commerce-api'] ?? '').as(token);
  const { id: order_id } = await owner.call<{ id: string }>('GET', `/order/number/${number}`);
  await owner.call('POST', '/order/change_status', { order_id, status: 'cancelled' });
  note(`nobody pays ${number} in a demo: cancelled, its pair is for sale again`);
};

/** Every status of one message on the agent's socket, in order, until it is `last`. */
const ladder = async ({ seen, logs }: Scene, messageId: string, last: string): Promise<string[]> => {
  const statuses = () =>
    seen.flatMap(({ name, payload }) =>
      name === 'statusMessage' && payload.pesan_id === messageId ? [String(payload.status_ack)] : [],
    );
  await eventually(`Status ${last}`, `${logs}/wa-gateway.log`, async () =>
    statuses().includes(last) ? true : undefined,
  );
  return statuses();
};

const agentTakesOver = async (scene: Scene, chatId: string): Promise<void> => {
  const { socket, agent, gateway, logs } = scene;
  await socket.timeout(LIMIT_MS).emitWithAck('chatJoin', { chatId });
  const { data: sent } = await agent.send(REPLY);
  const { chat_list: list } = await agent.inbox();
  if (list.status !== 'handle')
    throw new Error(`The conversation is ${list.status} after the agent's reply, not handle.`);
  note(`${list.user_nama} takes over: open -> handle, the bot is silent from here on`);
  says('Rina', REPLY);
  await ladder(scene, sent.pesan_id, 'delivered');
  await eventually("The agent's reply on the phone", `${logs}/wa-gateway.log`, async () =>
    (await gateway.phone()).find(({ text }) => text === REPLY),
  );
  await gateway.read();
  const statuses = await ladder(scene, sent.pesan_id, 'viewed');
  const steps = [sent.status_ack, ...statuses].filter((status, index, all) => all.indexOf(status) === index);
  note(steps.map((status) => (status === 'viewed' ? TICKS.viewed : `${TICKS[status] ?? ''} ${status}`)).join('  ->  '));
};

const agentReads = async ({ agent }: Scene): Promise<void> => {
  const before = (await agent.inbox()).chat_list.unread;
  await agent.markRead();
  const after = (await agent.inbox()).chat_list.unread;
  if (after !== 0) throw new Error(`Unread is ${after} after chat_markread, not 0.`);
  note(`Rina marks the conversation as read: unread ${before} -> ${after}`);
};

const setTheScene = async (stack: StackFile, folder: string): Promise<Scene> => {
  const nohp = freshNumber();
  const gateway = gatewayCalls(stack.services['wa-gateway'] ?? '', stack.demo.instance, nohp);
  const token = await login(stack);
  const { socket, seen } = await openSocket(stack.services['chat-backend'] ?? '', token);
  return { stack, nohp, logs: shown(`${folder}/logs`), gateway, agent: agentCalls(stack, token, nohp), socket, seen };
};

/** The main job, as a customer and an agent would see it: prints the conversation. Throws with what did not happen, and where to look. */
export const playConversation = async (stack: StackFile, folder: string): Promise<void> => {
  const scene = await setTheScene(stack, folder);
  try {
    await linkAgain(scene, DEMO_DEVICE);
    const chatId = await customerAsks(scene);
    await botAnswers(scene);
    const number = await botSells(scene);
    await agentTakesOver(scene, chatId);
    await agentReads(scene);
    await orderIsCancelled(scene, number);
    console.log(
      '\nDone: the question arrived once, the bot answered and took an order, a person took over, and everything was read.',
    );
  } finally {
    scene.socket.disconnect();
  }
};
