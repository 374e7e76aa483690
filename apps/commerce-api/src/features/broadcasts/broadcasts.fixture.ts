import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from '@platform/runtime';
import { freePort, type RunningProgram } from '@platform/testing';
import { askOf } from '../../asked.fixture';
import { newStore, startCommerce, type Commerce } from '../../commerce.fixture';
import { startOwner, type OwnerProcess } from '../../owner.fixture';
import { startSecondProcess } from '../../second-process.fixture';

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** Takes every message: the same id again is the same message. Who was written to, under which ids. */
const startGateway = async () => {
  const ids = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const { pesan_id: id, data } = JSON.parse(text || '{"data":{}}') as {
        pesan_id?: string;
        data: { number: string };
      };
      if (id !== undefined) ids.set(data.number, (ids.get(data.number) ?? new Set()).add(id));
      const sent = { success: true, message: 'success send message', data: { id: `WA-${id}`, devices: [] } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
    });
  });
  return { url: await listening(server), ids, stop: () => void server.close() };
};

/** Passes everything on but what moves a campaign, which it keeps for itself. */
const startWithholding = async (target: string) => {
  const withheld: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    if (url.endsWith('/action')) return void withheld.push(url);
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return { url: await listening(server), withheld, stop: () => (server.closeAllConnections(), void server.close()) };
};

const PEOPLE = `
  WITH made AS (
    INSERT INTO contact (store_id, id, name, blocked, opted_out_at, version, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'Pelanggan ' || n, n > $3::int AND n <= $3::int + $4::int, CASE WHEN n > $3::int + $4::int THEN now() END, n,
      now() - interval '1 hour', now() FROM generate_series(1, $3::int + 2 * $4::int) n RETURNING id, version)
  INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at)
  SELECT $1, $2 || lpad(version::text, 8, '0'), id, true, now() FROM made`;

const DEVICE_THERE = `INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ($1, $2, 'WA', $3)`;
/** They want no messages any more, as they have said there. */
const STOP = `
  INSERT INTO customers (store_id, id, nohp, opt_out, opt_out_by_customer) VALUES ($1, gen_random_uuid(), $2, true, true)
  ON CONFLICT (store_id, nohp) DO UPDATE SET opt_out = true, opt_out_by_customer = true`;

/** A store that both know, with a device, and people in it. */
const storeOf = (commerce: Commerce, chat: OwnerProcess) => async () => {
  const storeId = await newStore(commerce);
  const [ask, device_id, instance] = [askOf(commerce)(storeId), uuidv7(), `dev-${storeId}`];
  const team = 'CS1';
  await commerce.database.query(
    `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
     VALUES ($1, $2, 'CS', 'cs', false, 'manual', now(), now())`,
    [storeId, team],
  );
  await commerce.database.query(
    `INSERT INTO device (store_id, id, instance_id, name, chat_team_id, created_at, updated_at)
     VALUES ($1, $2, $3, 'WA', $4, now(), now())`,
    [storeId, device_id, instance, team],
  );
  const there = chat.database;
  await there.query(`INSERT INTO stores (store_id, nama) VALUES ($1, 'Toko') ON CONFLICT DO NOTHING`, [storeId]);
  await there.query(`INSERT INTO teams (store_id, id, nama) VALUES ($1, $2, 'CS')`, [storeId, team]);
  await there.query(DEVICE_THERE, [storeId, instance, team]);
  await there.query('INSERT INTO device_route (instance, store_id) VALUES ($2, $1)', [storeId, instance]);
  const people = (range: string, wanted: number, unwanted = 0) =>
    commerce.database.query(PEOPLE, [storeId, range, wanted, unwanted]);
  /** Somebody of them takes back, there, that they want messages. */
  const stops = (nohp: string) => there.query(STOP, [storeId, nohp]);
  /** The first of them. */
  const contacts = async (range: string, count: number): Promise<string[]> => {
    const first = `SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone LIKE $2 || '%' ORDER BY phone LIMIT $3`;
    return (await commerce.database.query<{ id: string }>(first, [storeId, range, count])).map(({ id }) => id);
  };
  return { storeId, ask, device_id, people, contacts, stops };
};

/** commerce-api with chat-backend itself, a gateway, and the processes that send; `redis` are settings of all of them. */
export const startBroadcastsWorld = async (redis: Readonly<Record<string, string>> = {}) => {
  const [port, gateway] = [await freePort(), await startGateway()];
  const CHAT_URL = `http://127.0.0.1:${port}`;
  // It answers, and leaves the sending to processes that can be killed
  const commerce = await startCommerce({ CHAT_URL, SENDS: 'held', ...redis }, new Date().toISOString());
  const chat = await startOwner(commerce, 'chat-backend', port, {
    ...{ DEVICE_POLL_S: '0', MEDIA_SECRET: 'm', WA_GATEWAY_URL: gateway.url, OUTBOX_LEASE_S: '1' },
    MEDIA_DIR: mkdtempSync(join(tmpdir(), 'chat-media-')),
    ...redis,
  });
  const withholding = await startWithholding(CHAT_URL);
  const workers = new Set<RunningProgram>();
  return {
    ...{ commerce, chat, gateway, withholding, store: storeOf(commerce, chat) },
    worker: async (chatUrl = CHAT_URL): Promise<RunningProgram> => {
      const worker = await startSecondProcess(commerce, { CHAT_URL: chatUrl, ...redis });
      workers.add(worker);
      return worker;
    },
    /** What the plan of a store counts of its broadcasts this month. */
    counted: async (storeId: string): Promise<number> => {
      const used = `SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'broadcasts'`;
      return (await commerce.database.query<{ used: number }>(used, [storeId]))[0]?.used ?? 0;
    },
    stop: async () => {
      await Promise.all([...workers].map((worker) => worker.stop('SIGKILL')));
      await chat.stop();
      withholding.stop();
      gateway.stop();
      await commerce.stop();
    },
  };
};
