import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  runProgramCommand,
  startProgram,
  testDatabase,
  until,
  type RunningProgram,
  type TestDatabase,
} from '@platform/testing';
import { startChat, type Chat } from './chat.fixture';

// The real gateway in a process of its own, on its simulated phone network: what this service asks of it, and what comes back
const MAIN = 'apps/wa-gateway/src/main.ts';
const BUDI = '6281234567890';
const REF = { nohp: BUDI, instance: 'dev1', team: '3' };
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 'a')]);
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(2_000, 'b')]);
const PDF = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(2_000, 'c')]);
const OGG = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(2_000, 'd')]);

const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
let chat: Chat;
let gateway: RunningProgram;
let gatewayDatabase: TestDatabase;
let relay: Server;

/** Stands at an address that is known before this service is, and leads to it. */
const startRelay = async (target: () => string): Promise<Server> => {
  const server = createServer((incoming, outgoing) => {
    const onward = forward(
      target() + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

beforeAll(async () => {
  relay = await startRelay(() => chat?.url ?? 'http://127.0.0.1:9');
  const address = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  gatewayDatabase = await testDatabase({ schema: 'wa_gateway_e2e' });
  const env = {
    APP_ENV: 'development',
    DATABASE_URL: gatewayDatabase.url,
    WEBHOOK_URL: `${address}/v1`,
    FILES_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    SEND_RATE: '0',
    SEND_RATE_REPLY: '0',
  };
  const shop = { instance: 'dev1', device: { nama: 'Toko', nohp: '628110000001' } };
  for (const args of [['migrate'], ['seed', JSON.stringify(shop)]])
    expect(await runProgramCommand({ main: MAIN, args, env })).toMatchObject({ code: 0 });
  gateway = await startProgram({ main: MAIN, env });
  chat = await startChat({
    gateway: undefined,
    environment: {
      WA_GATEWAY_URL: gateway.url,
      MEDIA_BASE_URL: address,
      DEVICE_POLL_S: '1',
      BROADCAST_MAX_PER_MINUTE: '6000',
    },
  });
  await sim('/sim/phones', JSON.stringify({ nohp: BUDI, name: 'Budi' }));
});
afterAll(async () => {
  await gateway.stop();
  await chat.stop();
  await gatewayDatabase.stop?.();
  relay.closeAllConnections();
  relay.close();
  rmSync(folder, { recursive: true, force: true });
});

const sim = async (path: string, body: string | FormData) => {
  const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
  const answer = await fetch(gateway.url + path, { method: 'POST', body, headers });
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
};
const customerSends = (bytes: Buffer, name: string) => {
  const data = new FormData();
  data.append('from', BUDI);
  data.append('to', 'dev1');
  data.append('text', name);
  data.append('file', new Blob([new Uint8Array(bytes)]), name);
  return sim('/sim/messages', data);
};
interface Shown {
  content: { kind: string; text?: string; caption?: string; media?: { key: string; fileName?: string } };
}
const phoneShows = async (matches: (shown: Shown['content']) => boolean) =>
  until(async () => {
    const answer = await fetch(`${gateway.url}/sim/inbox?nohp=${BUDI}`);
    const { data } = (await answer.json()) as { data: { messages: Shown[] } };
    return data.messages.map(({ content }) => content).find(matches);
  });
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const inbox = async () =>
  ((await chat.post('/v1/chat_inbox', REF)).body as { data?: Record<string, string | null>[] }).data ?? [];

it('hears from the gateway how its device is', () =>
  until(async () => {
    const [row] = await chat.database.query<{ status: string }>(`SELECT status FROM devices WHERE instance = 'dev1'`);
    return row?.status === 'connected' || undefined;
  }));

describe('a customer’s file', () => {
  it.each([
    ['image', 'foto.jpg', JPEG],
    ['video', 'film.mp4', MP4],
    ['document', 'harga.pdf', PDF],
    ['audio', 'suara.ogg', OGG],
  ])('of kind %s is in the inbox, byte by byte', async (type, name, bytes) => {
    await customerSends(bytes, name);
    const record = await until(async () => (await inbox()).find(({ caption }) => caption === name));
    expect(record).toMatchObject({ type, caption: name, fromMe: false, size: bytes.length });
    expect((await bytesAt(record?.url ?? '')).equals(bytes)).toBe(true);
  });

  it('of more than 16 MB follows its message', async () => {
    const large = Buffer.concat([PDF, Buffer.alloc(16 * 1024 * 1024)]);
    await customerSends(large, 'besar.pdf');
    const record = await until(async () => (await inbox()).find(({ caption, url }) => caption === 'besar.pdf' && url));
    expect((await bytesAt(record?.url ?? '')).equals(large)).toBe(true);
  });
});

describe('every kind of send', () => {
  const uri = (bytes: Buffer) => `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  const send = async (kind: string, fields: object) => {
    const { body } = await chat.post(`/v1/send_${kind}`, { ...REF, pesan_id: `E-${kind}`, ...fields });
    expect(body).toMatchObject({ result: true, message: `success send ${kind}` });
    return `E-${kind}`;
  };

  it.each([
    ['image', 'image', { file: uri(JPEG), caption: 'baru' }, JPEG, { caption: 'baru' }],
    ['video', 'video', { file: uri(MP4) }, MP4, {}],
    ['document', 'document', { file: uri(PDF), filename: 'harga.pdf' }, PDF, { media: { fileName: 'harga.pdf' } }],
    ['audio', 'voice', { file: uri(OGG), ptt: true }, OGG, {}],
  ])('%s reaches the phone, byte by byte', async (kind, shownAs, fields, bytes, shown) => {
    await send(kind, fields);
    const content = await phoneShows((one) => one.kind === shownAs);
    expect(content).toMatchObject(shown);
    expect((await bytesAt(`${gateway.url}/files/${content?.media?.key}`)).equals(bytes)).toBe(true);
  });

  it('text, link and location reach the phone, and their delivery comes back', async () => {
    const ids = [
      await send('message', { pesan: 'Halo kak' }),
      await send('link', { url: 'https://toko.example/a', pesan: 'Ini' }),
      await send('location', { latitude: '-6.2', longitude: '106.8', locationName: 'Toko' }),
      await send('express', { pesan: 'Segera', nohp: BUDI }),
    ];
    for (const text of ['Halo kak', 'Ini\nhttps://toko.example/a', 'Segera'])
      await phoneShows((one) => one.text === text);
    expect(await phoneShows((one) => one.kind === 'location')).toEqual({
      kind: 'location',
      latitude: -6.2,
      longitude: 106.8,
      name: 'Toko',
    });
    await until(async () => {
      const records = (await inbox()).filter(({ pesan_id }) => ids.includes(pesan_id ?? ''));
      return (records.length === 4 && records.every(({ status_ack }) => status_ack === 'delivered')) || undefined;
    });
  });
});

describe('a campaign', () => {
  it("reaches every phone once by the device's campaign lane, and learns who has none", async () => {
    const phones = Array.from({ length: 8 }, (_, n) => `62813000000${n}0`);
    const [nobody, ...known] = phones;
    for (const nohp of known) await sim('/sim/phones', JSON.stringify({ nohp, name: 'Pelanggan' }));
    const body = {
      ...{ instance: 'dev1', team: '3', nama: 'Promo', pesan: 'Promo untuk {{nama}}' },
      ...{ limit_per_minute: 6000, jeda_min: 0, jeda_max: 0 },
      penerima: phones.map((nohp, n) => ({ nohp, nama: `P${n}` })),
    };
    const token = chat.tokens.tokenFor({ sub: 'u-siti', role: 'supervisor', teams: [] });
    const { body: answer } = await chat.post('/v1/send_broadcast', body, { token });
    expect(answer).toMatchObject({ result: true, data: { valid: 8 } });
    const counters = () => chat.database.query('SELECT status, terkirim, delivered, gagal FROM broadcasts');
    await until(counters, ([row]) => row?.delivered === 7 && row.gagal === 1);
    expect(await until(counters, ([row]) => row?.status === 'done')).toEqual([
      { status: 'done', terkirim: 7, delivered: 7, gagal: 1 },
    ]);
    const failed = await chat.database.query('SELECT nohp FROM broadcast_recipients WHERE status = 4');
    expect(failed).toEqual([{ nohp: nobody }]);
    for (const [n, nohp] of known.entries()) {
      const inboxOf = await fetch(`${gateway.url}/sim/inbox?nohp=${nohp}`);
      const { data } = (await inboxOf.json()) as { data: { messages: Shown[] } };
      expect(data.messages.map(({ content }) => content.text)).toEqual([`Promo untuk P${n + 1}`]);
    }
  });
});

it('a request has one trace in the logs of both services, over the rows that wait, until the gateway calls back', async () => {
  const traceId = 'c0ffee'.padEnd(32, '0');
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': 'asked-by-a-client' };
  const { status } = await chat.post('/v1/send_express', { ...REF, pesan: 'jejak' }, { headers });
  expect(status).toBe(200);
  const requests = (lines: readonly string[]) =>
    lines
      .filter((line) => line.includes(traceId) && line.includes('"message":"request"'))
      .map((line) => JSON.parse(line) as { route: string; requestId: string });
  const seen = () => [...requests(chat.log), ...requests(gateway.output().split('\n'))].map(({ route }) => route);
  const expected = ['/v1/send_express', '/api/send-message', '/v1/callback_message'];
  await until(seen, (routes) => expected.every((route) => routes.includes(route)));
  expect(requests(chat.log)[0]?.requestId).toBe('asked-by-a-client');
});
