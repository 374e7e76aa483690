import { startProgram, until, type RunningProgram, type TestDatabase } from '@platform/testing';
import { createServer, type Server } from 'node:http';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatDatabase } from '../../chat.fixture';
import { CONTENT, people } from './broadcasts.fixture';

const RECIPIENTS = 300;
const KILLS = 5;

/** The gateway's answers to sends: the same id again is the same message (wa-gateway design 2.2). */
const startGateway = async (): Promise<{ server: Server; url: string; ids: Map<string, Set<string>> }> => {
  const ids = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { pesan_id: id, data } = JSON.parse(text || '{"data":{}}') as {
        pesan_id?: string;
        data: { number: string };
      };
      if (id !== undefined) ids.set(data.number, (ids.get(data.number) ?? new Set()).add(id));
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ success: true, message: 'success send message', data: { id: `WA-${id}`, devices: [] } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ids };
};

const boot = (database: TestDatabase, gatewayUrl: string): Promise<RunningProgram> =>
  startProgram({
    main: 'apps/chat-backend/src/main.ts',
    env: {
      ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', DATABASE_URL: database.url },
      ...{ STORE_AUTH_URL: 'http://127.0.0.1:9', SERVICE_CLIENT_SECRET: 'x', WA_GATEWAY_URL: gatewayUrl },
      ...{ MEDIA_SECRET: 'y', MEDIA_DIR: mkdtempSync(join(tmpdir(), 'chat-media-')), OUTBOX_LEASE_S: '1' },
    },
  });

describe('a campaign whose process is killed five times', () => {
  it('reaches every recipient once and none twice', async () => {
    const database = await chatDatabase();
    const { server, url, ids } = await startGateway();
    const numbers = people(RECIPIENTS, '6281').map(({ nohp }) => nohp);
    let program = await boot(database, url);
    const answer = await fetch(`${program.url}/v1/send_broadcast_crm`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...CONTENT, penerima: [...people(RECIPIENTS, '6281'), ...people(50, '6281')] }),
    });
    expect(await answer.json()).toMatchObject({ result: true, data: { total: 350, valid: RECIPIENTS, duplikat: 50 } });
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(() => ids.size >= (kill * RECIPIENTS) / (KILLS + 1));
      await program.stop('SIGKILL');
      program = await boot(database, url);
    }
    const campaign = () =>
      database.query<{ status: string }>(`SELECT b.status, b.valid, b.terkirim, b.gagal,
        (SELECT count(*)::int FROM broadcast_recipients r WHERE r.status = 1) AS sent,
        (SELECT count(*)::int FROM messages m WHERE m.broadcast_id = b.id::text AND m.wa_id IS NOT NULL) AS messages FROM broadcasts b`);
    const rows = await until(campaign, ([row]) => row?.status === 'done');
    expect([...ids.keys()].sort()).toEqual(numbers);
    expect([...ids.values()].filter((one) => one.size > 1)).toEqual([]);
    const all = { valid: RECIPIENTS, terkirim: RECIPIENTS, sent: RECIPIENTS, messages: RECIPIENTS };
    expect(rows).toEqual([{ status: 'done', gagal: 0, ...all }]);
    expect(await program.stop()).toBe(0);
    server.close();
    await database.stop?.();
  });
});
