import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';

const PDF = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(3_000, 'x')]);
let chat: Chat;
let gateway: Server;
let asked = 0;
let isThere = false;
beforeAll(async () => {
  gateway = createServer((request, response) => {
    asked += 1;
    if (request.url === '/files/0f.pdf') response.end(PDF);
    else if (request.url === '/files/promised' && isThere) response.end(PDF);
    else if (request.url === '/files/promised') response.writeHead(503, { 'retry-after': '60' }).end();
    else response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  chat = await startChat({
    environment: { WA_GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` },
  });
});
afterAll(async () => {
  await chat.stop();
  gateway.close();
});

const receive = (id: string, extras: object) =>
  chat.inbound({ id, type: 'document', text: '', rawMessage: JSON.stringify(extras) });
const mediaOf = async (id: string) =>
  (await chat.database.query<{ media: object | null }>('SELECT media FROM messages WHERE pesan_id = $1', [id]))[0]
    ?.media;

describe('a file that was too large for the callback', () => {
  it('is fetched from the gateway after the message: its url is null until then', async () => {
    const { body } = await receive('BIG', { fileUrl: '/files/0f.pdf', fileName: 'katalog.pdf', fileSize: PDF.length });
    const { data } = body as { data: { newChatInbox: { chatInboxId: string; url: string | null } } };
    expect(data.newChatInbox).toMatchObject({ type: 'document', url: null, filename: null });
    await until(async () => (await mediaOf('BIG')) ?? undefined);
    const { chatInboxId } = data.newChatInbox;
    const detail = (await chat.post('/v1/chat_inboxdetail', { chatInboxId })).body as { data: { url: string } };
    expect(detail.data).toMatchObject({ filename: 'katalog.pdf', mimetype: 'application/pdf', size: PDF.length });
    const path = detail.data.url.slice(detail.data.url.indexOf('/media/'));
    expect(Buffer.from(await (await fetch(chat.url + path)).arrayBuffer()).equals(PDF)).toBe(true);
  });

  it('is fetched later when the gateway has only promised it, four days long', async () => {
    await receive('LATER', { fileUrl: '/files/promised', mediaError: 'the file could not be downloaded yet' });
    const job = await until(async () => {
      const [waiting] = await chat.database.query<{ attempts: number; max: number }>(
        `SELECT attempts, max_attempts AS max FROM chat_backend_jobs.jobs WHERE task_identifier = 'remoteFile' AND last_error IS NOT NULL`,
      );
      return waiting;
    });
    expect([job, await mediaOf('LATER')]).toEqual([{ attempts: 1, max: 25 }, null]);
    isThere = true;
    expect(await until(async () => (await mediaOf('LATER')) ?? undefined)).toMatchObject({
      ...{ filename: 'file.pdf', mimetype: 'application/pdf', size: PDF.length },
    });
  });

  it('is never fetched from a forbidden address', async () => {
    const before = asked;
    await receive('EVIL', { fileUrl: 'https://169.254.169.254/latest' });
    await receive('TURNS', { fileUrl: '/files/turns.pdf' });
    const refused = () => chat.log.filter((line) => line.includes('cannot be copied')).length;
    await until(() => refused() >= 2 || undefined);
    expect([await mediaOf('EVIL'), await mediaOf('TURNS')]).toEqual([null, null]);
    expect(asked).toBe(before + 1);
  });
});
