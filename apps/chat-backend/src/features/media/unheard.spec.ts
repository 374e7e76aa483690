import { startGate, until, untilWaiting, type Gate } from '@platform/testing';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { form, message, startChat, type Chat } from '../../chat.fixture';

const PHONE = '628100000001';
const PDF = Buffer.from('%PDF-1.7 a document');
const REF = { nohp: PHONE, instance: 'dev1', team: '3' };

let [chat, behind]: Chat[] = [];
let gate: Gate;
beforeEach(async () => {
  chat = await startChat();
  gate = await startGate(chat.database.url);
  behind = await startChat({ environment: { DATABASE_URL: gate.url } });
  await behind.inbound({ number: `${PHONE}@s.whatsapp.net` });
});
afterEach(async () => {
  await behind?.stop();
  await gate.close();
  await chat?.stop();
});

type Send = (chat: Chat) => Promise<{ readonly status: number }>;

const inbound: Send = ({ call }) =>
  call('/v1/callback_message', {
    body: form({ ...message({ number: `${PHONE}@s.whatsapp.net`, type: 'document' }), file: new Blob([PDF]) } as never),
  });
const outbound: Send = ({ post }) =>
  post('/v1/send_document', {
    ...{ ...REF, pesan_id: 'SENT', filename: 'a.pdf' },
    file: `data:application/octet-stream;base64,${PDF.toString('base64')}`,
  });

const NAMED = `SELECT media->>'name' AS name FROM messages WHERE media ? 'name'`;

/** Commits what `send` writes, and breaks the connection before anybody hears of it; resolves to the answer and the file's name. */
const unheard = async (send: Send) => {
  const { database } = chat as Chat;
  let sent: ReturnType<Send> | undefined;
  await database.tx(async (tx) => {
    await tx.query('LOCK TABLE messages IN EXCLUSIVE MODE');
    sent = send(behind as Chat);
    await untilWaiting(tx, sent);
    gate.hang(true);
  });
  const [row] = await until(
    () => database.query<{ name: string }>(NAMED),
    (found) => found.length > 0,
  );
  await gate.close();
  const answer = await sent;
  gate.hang(false);
  await gate.open();
  return { status: answer?.status, name: row?.name ?? '' };
};

it.each([
  ['that a customer sent', inbound, 503],
  ['that an agent sent', outbound, 500],
])('a file %s stays with its message when nobody heard of its commit', async (_, send, status) => {
  const told = await unheard(send);
  expect([told.status, existsSync(join((behind as Chat).mediaDirectory, told.name))]).toEqual([status, true]);
});
