import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { installExtensions, openDatabase } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import {
  caller,
  ownCluster,
  runProgramCommand,
  startProgram,
  until,
  type OwnCluster,
  type RunningProgram,
} from '@platform/testing';
import { form, message, SHOPS, startChat } from './chat.fixture';
import { SCHEMA } from './data-source';

const MAIN = 'apps/chat-backend/src/main.ts';
const media = mkdtempSync(join(tmpdir(), 'chat-media-'));
let cluster: OwnCluster;
let gateway: Server;
/** Sends as they came, and what was done for each `pesan_id`: WhatsApp gets a message once. */
const calls: string[] = [];
const sent = new Map<string, string>();
/** Called with the send that came, before it is answered. */
let atSend: (pesanId: string) => Promise<void> = async () => undefined;

const environment = (): Record<string, string> => ({
  APP_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  DATABASE_URL: cluster.url,
  STORE_AUTH_URL: 'http://127.0.0.1:9',
  SERVICE_CLIENT_SECRET: 'x',
  WA_GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
  MEDIA_SECRET: 'y',
  MEDIA_DIR: media,
  OUTBOX_LEASE_S: '2',
  DEVICE_POLL_S: '0',
});
const programs: RunningProgram[] = [];
const boot = async (): Promise<RunningProgram> => {
  const program = await startProgram({ main: MAIN, env: environment() });
  programs.push(program);
  return program;
};
/** One statement on a connection of its own: none may be left open where the server goes away. */
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const database = openDatabase({ url: cluster.url, schema: SCHEMA, poolSize: 1, logger: silentLogger });
  return database.query<Row>(text, values).finally(() => database.stop?.());
};

beforeAll(async () => {
  cluster = await ownCluster();
  await installExtensions(cluster.url);
  gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { pesan_id: id } = JSON.parse(Buffer.concat(chunks).toString()) as { pesan_id: string };
        calls.push(id);
        const duplicate = sent.has(id);
        sent.set(id, sent.get(id) ?? `3EB0${sent.size}`);
        const body = { success: true, message: 'success send message', data: { id: sent.get(id), duplicate } };
        void atSend(id).then(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)));
      });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  expect(await runProgramCommand({ main: MAIN, args: ['migrate'], env: environment() })).toMatchObject({ code: 0 });
  await query(SHOPS);
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop('SIGKILL')));
  gateway.closeAllConnections();
  gateway.close();
  await cluster.stop();
  rmSync(media, { recursive: true, force: true });
});

describe('kill -9 between the gateway’s answer and our commit', () => {
  it('sends the same message again and the customer gets it once', async () => {
    let program = await boot();
    const ref = { nohp: '628910000001', instance: 'dev1', team: '3' };
    await caller(program.url)('/v1/callback_message', {
      body: form(message({ number: `${ref.nohp}@s.whatsapp.net` })),
    });
    let killed = false;
    // The gateway has done it and is about to say so
    atSend = async () => {
      if (!killed) await program.stop('SIGKILL');
      killed = true;
    };
    const body = { ...ref, pesan: 'sekali saja', pesan_id: 'ONCE', user_id: 'u-rina' };
    await caller(program.url)('/v1/send_message_admin', { body }).catch(() => undefined);
    await until(() => killed);
    expect(await query(`SELECT wa_id FROM messages WHERE pesan_id = 'ONCE'`)).toEqual([{ wa_id: null }]);
    program = await boot();
    const [row] = await until(
      () =>
        query<{ wa_id: string; status_ack: number }>(
          `SELECT wa_id, status_ack FROM messages WHERE pesan_id = 'ONCE' AND wa_id IS NOT NULL`,
        ),
      (rows) => rows.length > 0,
    );
    expect(row).toEqual({ wa_id: sent.get('ONCE'), status_ack: 0 });
    expect([calls.filter((id) => id === 'ONCE').length, sent.size]).toEqual([2, 1]);
    expect(await program.stop()).toBe(0);
  });
});

describe('kill -9 and a restart of Postgres under 600 messages with redelivery', () => {
  const CHATS = 30;
  const PER_CHAT = 20;

  it('lose nothing and count nothing twice', async () => {
    let program = await boot();
    let accepted = 0;
    const post = (fields: Record<string, string>) =>
      fetch(`${program.url}/v1/callback_message`, { method: 'POST', body: form(fields) }).catch(() => undefined);
    /** A lane of the gateway's outbox: the head again until it is accepted; every fifth is delivered once more. */
    const lane = async (chat: number) => {
      const number = `6289200${String(chat).padStart(5, '0')}@s.whatsapp.net`;
      for (let index = 0; index < PER_CHAT; index++) {
        const fields = message({ number, id: `R-${chat}-${index}`, text: `${index}` });
        await until(async () => (await post(fields))?.status === 200);
        accepted += 1;
        if (index % 5 === 0) await post(fields);
      }
    };
    const lanes = Promise.all(Array.from({ length: CHATS }, (_, chat) => lane(chat)));
    await until(() => accepted >= 100);
    await cluster.restart();
    await until(() => accepted >= 250);
    await program.stop('SIGKILL');
    program = await boot();
    await until(() => accepted >= 400);
    await cluster.restart();
    await lanes;
    const rows = await query(
      `SELECT c.last_seq, c.unread_count, array_agg(m.pesan ORDER BY m.seq) AS texts, array_agg(m.seq ORDER BY m.seq) AS seqs,
         (SELECT count(*)::int FROM chat_histories h WHERE h.conversation_id = c.id) AS events
       FROM conversations c JOIN messages m ON m.conversation_id = c.id WHERE c.nohp LIKE '6289200%' GROUP BY c.id, c.last_seq, c.unread_count`,
    );
    const order = Array.from({ length: PER_CHAT }, (_, index) => index);
    expect(rows).toHaveLength(CHATS);
    for (const row of rows)
      expect(row).toEqual({
        last_seq: PER_CHAT,
        unread_count: PER_CHAT,
        texts: order.map(String),
        seqs: order.map((index) => index + 1),
        events: 1,
      });
    const ready = await until(
      () => caller(program.url)('/ready'),
      // There is no store-auth in this test
      ({ body }) => JSON.stringify(body) === '{"ready":false,"failing":["token keys"]}',
    );
    expect(ready.status).toBe(503);
    expect(await program.stop()).toBe(0);
  });
});

describe('a row that the database will not take', () => {
  it('fails alone: everything that came with it is stored, in order', async () => {
    const chat = await startChat();
    await chat.database.query(`
      CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a bad row'; END $$;
      CREATE TRIGGER refuse_bad BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.pesan = 'bad') EXECUTE FUNCTION refuse_bad()`);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        chat.inbound({
          number: `62893000000${n % 4}@s.whatsapp.net`,
          id: `ROW-${n}`,
          text: n % 16 === 7 ? 'bad' : `good ${n}`,
        }),
      ),
    );
    const failed = answers.filter(({ body }) => !(body as { result: boolean }).result);
    expect(failed.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 4 }, () => ({
        status: 200,
        body: { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' },
      })),
    );
    const rows = await chat.database.query<{ n: number; last_seq: number; unread_count: number; top: number }>(
      `SELECT count(*)::int AS n, max(m.seq)::int AS top, c.last_seq, c.unread_count FROM conversations c JOIN messages m ON m.conversation_id = c.id GROUP BY c.id, c.last_seq, c.unread_count`,
    );
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(60);
    for (const { n, last_seq, unread_count, top } of rows) expect([last_seq, unread_count, top]).toEqual([n, n, n]);
    await chat.stop();
  });
});
