import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '@platform/testing';
import { environment } from '@platform/runtime';
import { io, type Socket } from 'socket.io-client-4-7';
import { message } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { documented } from './features/sockets/sockets.fixture';

let chat: Lifecycle;
const sockets: Socket[] = [];
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await chat.stop();
});

const run = promisify(execFile);
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}
const curl = async (path: string, ...options: string[]): Promise<Answer> => {
  const { stdout } = await run('curl', ['-sS', '-w', '\n%{http_code}', ...options, chat.url + path], {
    env: { PATH: environment.PATH },
  });
  const [body = '', status] = stdout.split(/\n(?=\d+$)/);
  return { status: Number(status), body: JSON.parse(body) as Answer['body'] };
};
const json = (path: string, body: object, token = chat.people.rina) =>
  curl(
    path,
    '-H',
    'Content-Type: application/json',
    '-H',
    `Authorization: Bearer ${token}`,
    '-d',
    JSON.stringify(body),
  );
/** As the gateway, and as somebody at a shell who tries it out. */
const callback = (fields: Record<string, string>) =>
  curl('/v1/callback_message', ...Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`]));

type Heard = { name: string; payload: Record<string, unknown> & { chat_list?: Record<string, unknown> } };
const listen = async (transports: string[]) => {
  const heard: Heard[] = [];
  const socket = documented(io(chat.url, { auth: { token: chat.people.rina }, transports, reconnection: false }));
  sockets.push(socket);
  socket.onAny((name: string, payload: Heard['payload']) => void heard.push({ name, payload }));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return {
    socket,
    next: (name: string, fits: (payload: Heard['payload']) => boolean) =>
      until(() => heard.find((one) => one.name === name && fits(one.payload))),
  };
};

describe.each([
  ['websocket', ['websocket']],
  ['long polling', ['polling']],
  ['polling, then upgraded', ['polling', 'websocket']],
])('a socket.io client of the previous minor version over %s, beside curl', (_, transports) => {
  const nohp = `62812777${transports.length}${transports[0]?.length ?? 0}0001`;
  const ref = { nohp, instance: 'dev1', team: '3' };

  it('walks the inbox: message, join, read, answer, delivery status, history, and what was missed', async () => {
    const rina = await listen(transports);
    const asked = await callback(message({ number: `${nohp}@s.whatsapp.net`, text: 'ada stok?', id: `Q-${nohp}` }));
    expect(asked).toMatchObject({ status: 200, body: { result: true, data: { newChatInbox: { seq: 1 } } } });
    const row = await rina.next('updateChatlist', ({ chat_list: list }) => list?.nohp === nohp);
    const chatId = row?.payload.chat_list?.chatId as string;
    expect(await rina.socket.emitWithAck('chatJoin', { chatId })).toEqual({ result: true });

    expect(await json('/v1/chat_list', ref)).toMatchObject({ status: 200, body: { result: true } });
    expect(await json('/v1/chat_inbox', ref)).toMatchObject({
      body: { data: [{ pesan: 'ada stok?', is_read: false }] },
    });
    expect((await json('/v1/chat_markread', ref)).body).toEqual({ result: true, message: 'success mark as read' });
    await rina.next('updateChatlist', ({ chat_list: list }) => list?.nohp === nohp && list.unread === 0);

    const pesan_id = `A-${nohp}`;
    expect(await json('/v1/send_message', { ...ref, pesan: 'ada kak', pesan_id })).toMatchObject({
      body: { message: 'success send message', data: { status_ack: 'pending' } },
    });
    await rina.next('newMessage', ({ chatId: id, seq }) => id === chatId && seq === 2);
    await rina.next('historyChat', ({ chatId: id }) => id === chatId);
    await until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === pesan_id));
    const ack = { instanceID: 'dev1', result: 'true', report: 'true', number: `${nohp}@s.whatsapp.net`, id: pesan_id };
    expect((await callback({ ...ack, status: 'viewed' })).body).toEqual({ result: true, message: 'updated status' });
    expect((await rina.next('statusMessage', ({ chatId: id }) => id === chatId))?.payload).toEqual({
      chatId,
      pesan_id,
      seq: 2,
      status_ack: 'viewed',
      timestamp: null,
    });

    rina.socket.disconnect();
    await callback(message({ number: `${nohp}@s.whatsapp.net`, text: 'terima kasih' }));
    const back = await listen(transports);
    const missed = (await back.socket.emitWithAck('sync', { chats: { [chatId]: 2 } })) as {
      chats: Record<string, { inbox: { pesan: string }[] }>;
    };
    expect(missed.chats[chatId]?.inbox.map(({ pesan }) => pesan)).toEqual(['terima kasih']);
    back.socket.close();
  });

  it('is refused without a good token, in words it can show', async () => {
    const socket = io(chat.url, { auth: { token: 'nonsense' }, transports, reconnection: false });
    sockets.push(socket);
    const refused = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    expect(refused.message).toBe('Unauthenticated');
    expect(await curl('/v1/chat_list', '-d', '{}', '-H', 'Content-Type: application/json')).toEqual({
      status: 401,
      body: { status: 'error', message: 'Unauthenticated' },
    });
  });
});
