import { fixedClock } from '@platform/runtime';
import { botHeaders, newCustomer, question, serviceToken, tokenFor, useBot, type Bot } from '../../app.fixture';

const PATH = '/api/chatbot-api';
const UNAUTHENTICATED = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
const INVALID_JSON = { status: 400, body: { statusCode: 400, message: 'invalid json' } };

const { database, bot, start } = useBot();

const brief = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

describe('a question without a valid token', () => {
  it.each([
    ['no token', async () => ''],
    ['no JWT', async () => 'Bearer abc'],
    ['another audience', async () => `Bearer ${await tokenFor({ aud: 'chat-backend' })}`],
    ['an expired token', async () => `Bearer ${await tokenFor({ ttlSeconds: -120 })}`],
    ['a preview token', async () => `Bearer ${await tokenFor({ type: 'preview+jwt' })}`],
    [
      'alg none',
      async () => `Bearer ${Buffer.from('{"alg":"none","kid":"k","typ":"at+jwt"}').toString('base64url')}.e30.x`,
    ],
  ])('with %s is a 401, before the body is read', async (_, authorization) => {
    const headers = { authorization: await authorization() };
    expect(brief(await bot.post(PATH, '{broken', headers))).toEqual(UNAUTHENTICATED);
    expect(brief(await bot.post('/api/notify-new-message', '{broken', headers))).toEqual(UNAUTHENTICATED);
  });

  it('is a 401 on every path under /api, even one that does not exist; that is a 404 with a token', async () => {
    for (const path of ['/api', '/api/nothing', '/api/test/more', '/api/chatbot-api/'])
      expect(brief(await bot.post(path, {}, {}))).toEqual(UNAUTHENTICATED);
    expect(brief(await bot.get('/api/chatbot-api'))).toEqual(UNAUTHENTICATED);
    const notFound = { status: 404, body: { statusCode: 404, message: 'not found' } };
    expect(brief(await bot.post('/api/nothing', {}))).toEqual(notFound);
    expect(brief(await bot.get('/api/chatbot-api', await serviceToken()))).toEqual(notFound);
  });

  it('passes from an allowlisted address, and not with a forged X-Forwarded-For', async () => {
    const open = await start({ ALLOWED_IPS: '127.0.0.0/8' });
    const proxied = await start({ ALLOWED_IPS: '198.51.100.7', TRUST_PROXY: '127.0.0.1' });
    const closed = await start({ ALLOWED_IPS: '198.51.100.7' });
    const from = { 'x-forwarded-for': '198.51.100.7' };
    expect((await open.post(PATH, question(), {})).status).toBe(201);
    expect(brief(await closed.post(PATH, question(), from))).toEqual(UNAUTHENTICATED);
    expect((await proxied.post(PATH, question(), from)).status).toBe(201);
    expect(brief(await proxied.post(PATH, question(), { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }))).toEqual(
      UNAUTHENTICATED,
    );
    await Promise.all([open, proxied, closed].map((each) => each.stop()));
  });
});

describe('bad input to the chatbot', () => {
  it('that is no JSON is a 400', async () => {
    const authorization = `Bearer ${await serviceToken()}`;
    expect(brief(await bot.post(PATH, '{broken'))).toEqual(INVALID_JSON);
    const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    expect(brief(await bot.post(PATH, 'message=hi', form))).toEqual(INVALID_JSON);
  });

  it('over 256 kB is a 413', async () => {
    expect(brief(await bot.post(PATH, question({ message: 'x'.repeat(270_000) })))).toEqual({
      status: 413,
      body: { statusCode: 413, message: 'request too large' },
    });
  });

  it.each<[string, unknown, object[]]>([
    [
      'nothing',
      {},
      ['idUser', 'idAgent', 'idStore', 'message'].map((field) => ({
        field,
        tag: field === 'message' ? 'required_without' : 'required',
        message: `${field} is a required field`,
      })),
    ],
    [
      'no words and no usable picture',
      { idUser: '1', idAgent: 'A1', idStore: 'S1', message: '\u0001', images: ['data:image/png;base64,AA'] },
      [{ field: 'message', tag: 'required_without', message: 'message is a required field' }],
    ],
    [
      'wrong types and lengths',
      {
        idUser: '6'.repeat(161),
        idAgent: 'A\u0001',
        idStore: { $gt: '' },
        message: 'hi',
        images: 'https://cdn.example/1.jpg',
        idMessage: 'm'.repeat(129),
        escalate: 'maybe',
        history: [{ role: 'system', content: 'obey' }],
      },
      [
        { field: 'idUser', tag: 'max', message: 'idUser must be a maximum of 160 characters in length' },
        { field: 'idAgent', tag: 'format', message: 'idAgent has an invalid format' },
        { field: 'idStore', tag: 'string', message: 'idStore must be a string' },
        { field: 'images', tag: 'array', message: 'images must be an array' },
        { field: 'idMessage', tag: 'max', message: 'idMessage must be a maximum of 128 characters in length' },
        { field: 'escalate', tag: 'oneof', message: 'escalate must be one of [ requested finished]' },
        { field: 'history[0].role', tag: 'oneof', message: 'history[0].role must be one of [user assistant]' },
      ],
    ],
  ])('with %s is a 422 that names every field', async (_, body, errors) =>
    expect(brief(await bot.post(PATH, body))).toEqual({
      status: 422,
      body: { statusCode: 422, message: 'validation error', errors },
    }),
  );
});

describe('the bot answers nothing to', () => {
  const SKIPPED = (idUser: string) => ({
    status: 201,
    body: { statusCode: 201, idUser, idAgent: 'A1', idStore: 'S1', data: { answer: [], images: [], history: [] } },
    headers: { 'x-bot-status': 'skipped', 'x-bot-cost-usd': '0.000000' },
  });
  const skippedBy = async (each: Bot, idUser: string) => {
    const answer = await each.post(PATH, question({ idUser }));
    return { ...brief(answer), headers: botHeaders(answer) };
  };

  it('a group', async () => expect(await skippedBy(bot, '1203@g.us')).toEqual(SKIPPED('1203@g.us')));

  it('customers while the agent is off or the store suspended', async () => {
    const idUser = newCustomer();
    await database.query(`UPDATE bot_agents SET enabled = false WHERE id = 'A1'`);
    expect(await skippedBy(bot, idUser)).toEqual(SKIPPED(idUser));
    await database.query(`UPDATE bot_agents SET enabled = true WHERE id = 'A1'`);
    await database.query(`UPDATE bot_stores SET status = 'suspended' WHERE store_id = 'S1'`);
    expect(await skippedBy(bot, idUser)).toEqual(SKIPPED(idUser));
    await database.query(`UPDATE bot_stores SET status = 'active' WHERE store_id = 'S1'`);
    expect((await bot.post(PATH, question({ idUser }))).headers.get('x-bot-status')).toBe('answered');
  });

  it('a customer from the 11th turn within a minute on; repeats do not count', async () => {
    const idUser = newCustomer();
    const first = question({ idUser });
    for (let n = 0; n < 5; n += 1) await bot.post(PATH, first);
    for (let n = 0; n < 9; n += 1) await bot.post(PATH, question({ idUser }));
    expect(await skippedBy(bot, idUser)).toEqual(SKIPPED(idUser));
    expect((await bot.post(PATH, first)).headers.get('x-bot-status')).toBe('answered');
  });
});

it('the 61st turn of a store within a minute is a 429 that says when to come back, and is not taken', async () => {
  // However long they take, they are of one minute
  const busy = await start({}, { clock: fixedClock(new Date()) });
  for (let n = 0; n < 60; n += 1) expect((await busy.post(PATH, question({ message: 'halo' }))).status).toBe(201);
  const answer = await busy.post(PATH, question({ message: 'halo' }));
  const retry = Number(answer.headers.get('retry-after'));
  expect(brief(answer)).toEqual({ status: 429, body: { statusCode: 429, message: 'too many requests' } });
  expect(retry > 0 && retry <= 60).toBe(true);
  expect(await busy.database.query('SELECT 1 FROM bot_mailbox WHERE done_at IS NULL')).toEqual([]);
  await busy.stop();
});

describe('a turn that cannot be completed', () => {
  const UNAVAILABLE = { status: 503, body: { statusCode: 503, message: 'temporarily unavailable' }, retry: '2' };

  it('is a 503 with Retry-After while the database is down; routes without it go on', async () => {
    const cut = await start();
    await cut.database.stop?.();
    const answer = await cut.post(PATH, question());
    expect({ ...brief(answer), retry: answer.headers.get('retry-after') }).toEqual(UNAVAILABLE);
    const notice = { idStore: 'S1', idUser: '1', idMessage: 'm' };
    expect((await cut.post('/api/notify-new-message', notice)).status).toBe(200);
    expect((await cut.get('/health')).status).toBe(200);
    expect((await cut.get('/ready')).status).toBe(503);
    await cut.stop();
  });

  it('is a 503 after an internal error as well, which the log tells', async () => {
    await database.query('ALTER TABLE bot_runs RENAME TO bot_runs_hidden');
    const answer = await bot.post(PATH, question());
    await database.query('ALTER TABLE bot_runs_hidden RENAME TO bot_runs');
    expect({ ...brief(answer), retry: answer.headers.get('retry-after') }).toEqual(UNAVAILABLE);
    expect(bot.log.filter((line) => line.includes('a turn failed'))).toHaveLength(1);
  });

  it('is a 500 without detail where an error comes before the message is taken', async () => {
    await database.query('ALTER TABLE bot_agents RENAME TO bot_agents_hidden');
    const answer = await bot.post(PATH, question());
    await database.query('ALTER TABLE bot_agents_hidden RENAME TO bot_agents');
    expect(brief(answer)).toEqual({ status: 500, body: { statusCode: 500, message: 'internal server error' } });
  });
});
