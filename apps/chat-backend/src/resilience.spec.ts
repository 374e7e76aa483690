import { openJobQueue } from '@platform/jobs';
import {
  expectNoSeqScan,
  explain,
  startProgram,
  until,
  type RunningProgram,
  type TestDatabase,
} from '@platform/testing';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatDatabase, form, message, startChat } from './chat.fixture';
import { SCHEMA } from './data-source';
import { openGate } from './database-gate.fixture';
import { DETAIL, INBOX, POSITION, UNSEEN } from './features/inbox/inbox.repository';
import { ASSIGN } from './features/automation/distribution';
import { ingestStatement, STORED } from './features/ingest/ingest.sql';
import { APPLY_STATUS } from './features/ingest/status.repository';
import { LIST as NOTIFICATIONS, READ_ALL, TOTALS } from './features/notifications/notification.sql';
import { SYNC } from './features/sockets/chat.sync';
import { TEAM_UNREAD } from './features/sockets/team.counters';

describe('a database that goes away', () => {
  it('makes a message come back later and loses none; everything else says it could not', async () => {
    const chat = await startChat();
    const door = await openGate(chat.database.url);
    const other = await startChat({ environment: { DATABASE_URL: door.url } });
    const fields = form(message({ id: 'OUTAGE', number: '628100000001@s.whatsapp.net' }));
    await other.call('/v1/callback_message', { body: form(message({ number: '628100000002@s.whatsapp.net' })) });
    door.close();
    const refused = await other.call('/v1/callback_message', { body: fields });
    const internal = { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' };
    expect([refused.status, refused.body, Number(refused.headers.get('retry-after'))]).toEqual([
      503,
      internal,
      expect.any(Number),
    ]);
    expect(
      await other.post('/v1/chat_list', { nohp: '-', instance: 'dev1', team: '3' }, { token: other.tokens.tokenFor() }),
    ).toMatchObject({ status: 200, body: internal });
    expect((await other.call('/ready')).status).toBe(503);
    door.open();
    const taken = await until(
      () => other.call('/v1/callback_message', { body: fields }),
      ({ status }) => status === 200,
    );
    expect(taken.body).toMatchObject({ result: true, data: { newChatInbox: { pesan_id: 'OUTAGE', seq: 1 } } });
    expect(
      (
        await until(
          () => other.call('/ready'),
          ({ status }) => status === 200,
        )
      ).body,
    ).toEqual({ ready: true });
    await other.stop();
    door.end();
    await chat.stop();
  });
});

describe('kill -9', () => {
  const CHATS = 50;
  const PER_CHAT = 20;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await chatDatabase();
  });
  afterAll(() => database.stop?.());

  const boot = (): Promise<RunningProgram> =>
    startProgram({
      main: 'apps/chat-backend/src/main.ts',
      env: {
        APP_ENV: 'test',
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        STORE_AUTH_URL: 'http://127.0.0.1:9',
        SERVICE_CLIENT_SECRET: 'x',
        WA_GATEWAY_URL: 'http://127.0.0.1:9',
        MEDIA_SECRET: 'y',
        MEDIA_DIR: mkdtempSync(join(tmpdir(), 'chat-media-')),
      },
    });

  it('three times under 1,000 messages over 50 chats: each arrives exactly once, in order per chat', async () => {
    let program = await boot();
    let accepted = 0;
    /** A lane of the gateway's outbox: the head again until it is accepted, then the next. */
    const lane = async (chat: number) => {
      for (let index = 0; index < PER_CHAT; index++) {
        const fields = message({
          number: `6281000${String(chat).padStart(5, '0')}@s.whatsapp.net`,
          id: `K-${chat}-${index}`,
          text: `${index}`,
        });
        await until(
          async () =>
            (
              await fetch(`${program.url}/v1/callback_message`, { method: 'POST', body: form(fields) }).catch(
                () => undefined,
              )
            )?.status === 200,
        );
        accepted += 1;
      }
    };
    const lanes = Promise.all(Array.from({ length: CHATS }, (_, chat) => lane(chat)));
    for (const mark of [200, 450, 700]) {
      await until(() => accepted >= mark);
      await program.stop('SIGKILL');
      program = await boot();
    }
    await lanes;
    const rows = await database.query<{
      nohp: string;
      texts: string[];
      seqs: number[];
      unread_count: number;
      last_seq: number;
    }>(
      `SELECT c.nohp, array_agg(m.pesan ORDER BY m.seq) AS texts, array_agg(m.seq ORDER BY m.seq) AS seqs, c.unread_count, c.last_seq
       FROM conversations c JOIN messages m ON m.conversation_id = c.id GROUP BY c.nohp, c.unread_count, c.last_seq`,
    );
    const order = Array.from({ length: PER_CHAT }, (_, index) => index);
    expect(rows).toHaveLength(CHATS);
    for (const row of rows)
      expect(row).toMatchObject({
        texts: order.map(String),
        seqs: order.map((index) => index + 1),
        unread_count: PER_CHAT,
        last_seq: PER_CHAT,
      });
    expect(await program.stop()).toBe(0);
  });
});

describe('hot statements', () => {
  it('use an index on messages and conversations', async () => {
    const chat = await startChat();
    await chat.inbound({ number: '628100000001@s.whatsapp.net' });
    const id = '00000000-0000-7000-8000-000000000000';
    const visible = ['S1', 'dev1', '628100000001', null, ['3'], true];
    const queue = openJobQueue<Record<string, object>>(`${SCHEMA}_jobs`);
    const job = (task: string) => (payload: string, key: string) => queue.expression(task, { payload, key });
    const statements: (readonly [string, readonly unknown[]])[] = [
      [INBOX, [...visible, 50, 0]],
      [UNSEEN, visible],
      [POSITION, [...visible, 'WA1']],
      [DETAIL, ['S1', id, 1, ['3'], true]],
      [STORED, ['S1', 'dev1', 'WA1']],
      [APPLY_STATUS, ['S1', 'dev1', 'WA1', 'WA1', 1, null, '628100000001']],
      [
        ingestStatement(
          {
            ...{ automation: job('automation'), contact: job('contact'), file: job('file') },
            ...{ event: job('commerce.event'), members: job('commerce.event') },
          },
          24,
        ),
        ['[]'],
      ],
      [NOTIFICATIONS, ['S1', 'u-rina', 'infinity', id, 20, null, null, null, null]],
      [TOTALS, ['[]']],
      [READ_ALL, ['S1', 'u-rina', null, null]],
      [TEAM_UNREAD, ['[]']],
      [SYNC, ['S1', '[]', ['3'], true]],
      [ASSIGN, ['S1', id, '3', 'least_busy']],
    ];
    for (const [text, values] of statements)
      expectNoSeqScan(await explain(chat.database, text, values), 'messages', 'conversations', 'notifications');
    await chat.stop();
  });
});
