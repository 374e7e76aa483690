import { runProgramCommand, startProgram, testDatabase, until, type TestDatabase } from '@platform/testing';
import { FakeBot } from './clients/bot.fake';
import { chatDatabase, SERVICE, startChat, type Chat } from './chat.fixture';
import { openGate, type Gate } from './database-gate.fixture';

const REF = { nohp: '6281234567890', instance: 'dev1', team: '3' };
const INTERNAL = { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' };
let crm: TestDatabase;
let door: Gate;
let chat: Chat;
const bot = new FakeBot();

beforeAll(async () => {
  crm = await chatDatabase();
  await crm.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
  door = await openGate(crm.url);
  chat = await startChat({ bot, environment: { CRM_DATABASE_URL: door.url } });
});
afterAll(async () => {
  await chat.stop();
  door.end();
  await crm.stop?.();
});

const post = async (path: string, body: object) => (await chat.post(`/v1/${path}`, body, { token: '' })).body;
const texts = (database: Pick<TestDatabase, 'query'>) =>
  database.query('SELECT pesan, wa_id IS NOT NULL AS sent FROM messages ORDER BY seq');

describe('a data source of its own for `_crm`', () => {
  it('is what `_crm` reads and writes, and is followed up by its own outbox and jobs', async () => {
    await chat.call('/v1/callback_message_crm', {
      body: {
        instanceID: 'dev1',
        result: true,
        report: false,
        number: `${REF.nohp}@s.whatsapp.net`,
        id: 'CRM1',
        text: 'halo crm',
        type: 'chat',
      },
    });
    expect(await post('send_message_crm', { ...REF, pesan: 'dari crm' })).toMatchObject({ result: true });
    await until(
      () => texts(crm),
      (rows) => rows.length === 3 && rows.every(({ sent }, index) => sent === index > 0),
    );
    expect((await texts(crm)).map(({ pesan }) => pesan).sort()).toEqual(['dari crm', 'halo crm', 'jawab halo crm']);
    expect(chat.gateway.calls).toHaveLength(2);
    expect(bot.questions).toHaveLength(1);
    expect(await texts(chat.database)).toEqual([]);
    expect(await post('chat_inbox_crm', REF)).toMatchObject({ result: true, chat_list: { last_seq: 3 } });
    for (const path of ['chat_inbox_admin', 'chat_inbox'])
      expect((await chat.post(`/v1/${path}`, REF)).body).toMatchObject({ code: 'chat_not_found' });
  });

  it('takes what commerce-api pushes, as the other does; a push that one cannot take is refused until both have it', async () => {
    const token = chat.tokens.tokenFor(SERVICE);
    const push = async (nama: string, updated_at: number) => {
      const body = { teams: [{ store_id: 'S1', id: '7', nama, updated_at }] };
      const { status, body: answer } = await chat.post('/internal/sync', body, { token });
      return { status, answer };
    };
    const names = () =>
      Promise.all(
        [chat.database, crm].map((one) => one.query(`SELECT nama FROM teams WHERE store_id = 'S1' AND id = '7'`)),
      );
    const done = (applied: number, skipped: number) => ({
      status: 200,
      answer: { result: true, message: 'success sync', data: { applied, skipped } },
    });
    expect(await push('Gudang', 1)).toEqual(done(1, 0));
    expect(await names()).toEqual([[{ nama: 'Gudang' }], [{ nama: 'Gudang' }]]);
    door.close();
    expect(await push('Gudang Timur', 2)).toEqual({ status: 503, answer: INTERNAL });
    door.open();
    await until(
      () => push('Gudang Timur', 2),
      ({ status }) => status === 200,
    );
    expect(await push('Gudang Timur', 2)).toEqual(done(0, 1));
    expect(await names()).toEqual([[{ nama: 'Gudang Timur' }], [{ nama: 'Gudang Timur' }]]);
  });

  it('turns /ready red when it is lost and answers internal, while the other routes go on', async () => {
    expect((await chat.call('/ready')).status).toBe(200);
    door.close();
    const { status, body } = await until(
      () => chat.call('/ready'),
      (answer) => answer.status === 503,
    );
    expect({ status, body }).toEqual({
      status: 503,
      body: { ready: false, failing: expect.arrayContaining(['chat-backend crm (CRM_DATABASE_URL)']) },
    });
    expect((body as { failing: string[] }).failing.every((name) => name.endsWith('(CRM_DATABASE_URL)'))).toBe(true);
    const lost = await chat.post('/v1/chat_inbox_crm', REF, { token: '' });
    expect([lost.status, lost.body]).toEqual([200, INTERNAL]);
    const sent = await chat.post('/v1/send_message_crm', { ...REF, pesan: 'hilang' }, { token: '' });
    expect([sent.status, sent.body]).toEqual([500, INTERNAL]);
    expect((await chat.inbound()).body).toMatchObject({ result: true });
    expect((await chat.post('/v1/chat_inbox', REF)).body).toMatchObject({ result: true });
    door.open();
    await until(
      () => chat.call('/ready'),
      (answer) => answer.status === 200,
    );
    expect(await post('chat_inbox_crm', REF)).toMatchObject({ result: true });
  });
});

describe('the start', () => {
  const env = (CRM_DATABASE_URL: string) => ({
    APP_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: chat.database.url,
    CRM_DATABASE_URL,
    STORE_AUTH_URL: 'http://127.0.0.1:9',
    SERVICE_CLIENT_SECRET: 'x',
    WA_GATEWAY_URL: 'http://127.0.0.1:9',
    MEDIA_SECRET: 'y',
    MEDIA_DIR: chat.mediaDirectory,
  });
  const main = 'apps/chat-backend/src/main.ts';

  it('fails when nothing answers at the source of `_crm`', async () => {
    await expect(startProgram({ main, env: env('postgres://nobody:x@127.0.0.1:1/none') })).rejects.toThrow(
      /chat-backend crm \(CRM_DATABASE_URL\) did not start: .*ECONNREFUSED/,
    );
  });

  it('waits for the migrations of the source of `_crm`', async () => {
    const empty = await testDatabase({ schema: 'chat_backend', migrations: [] });
    const starting = startProgram({ main, env: env(empty.url) });
    expect(await runProgramCommand({ main, args: ['migrate'], env: env(empty.url) })).toMatchObject({ code: 0 });
    const program = await starting;
    expect(await program.stop()).toBe(0);
    await empty.stop?.();
  });

  it('has nothing to migrate on a schema that a newer build migrated: the command says so and fails', async () => {
    const newer = await chatDatabase();
    await newer.query(`INSERT INTO migrations (timestamp, name) VALUES (1899000000000, 'Later1899000000000')`);
    const { code, output } = await runProgramCommand({ main, args: ['migrate'], env: env(newer.url) });
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('is newer than this build: it holds Later1899000000000'),
    ]);
    await newer.stop?.();
  });

  it('finds both sources migrated by one command', async () => {
    const empty = await testDatabase({ schema: 'chat_backend', migrations: [] });
    expect(await runProgramCommand({ main, args: ['migrate'], env: env(empty.url) })).toMatchObject({ code: 0 });
    const program = await startProgram({ main, env: env(empty.url) });
    expect(await program.stop()).toBe(0);
    await empty.stop?.();
  });
});
