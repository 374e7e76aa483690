import { botHeaders, newCustomer, question, serviceToken, tokenFor, useBot } from '../../app.fixture';

const PATH = '/api/chatbot-api';
const SHOE = 'Ada kak, Sepatu Lari Nusa Hitam 42 Rp250.000, stok 7.';
const PICTURE = 'https://cdn.example/s1.jpg';
const GREETING = 'Halo kak, selamat datang di Toko Nusa! Kami buka 09.00-21.00. Ada yang bisa kami bantu?';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/;

const { database, llm, bot } = useBot();

const asked = (text: string) =>
  llm.requests.filter(({ body }) => JSON.stringify((body.messages as unknown[]).at(-1)).includes(text)).length;
const runs = (customer: string) =>
  database.query(
    `SELECT r.status FROM bot_runs r JOIN bot_conversations c ON (c.store_id, c.id) = (r.store_id, r.conv_id) WHERE c.id_user = $1`,
    [customer],
  );

describe('an answer of the bot', () => {
  it('has exactly the documented body, and everything else in headers', async () => {
    const sent = question();
    const answer = await bot.post(PATH, { ...sent, unknownField: { any: 'thing' } });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        statusCode: 201,
        idUser: sent.idUser,
        idAgent: 'A1',
        idStore: 'S1',
        data: {
          answer: [SHOE],
          images: [PICTURE],
          history: [
            { role: 'user', content: 'kak sepatu lari hitam ada?' },
            { role: 'assistant', content: SHOE },
          ],
        },
      },
    });
    const headers = botHeaders(answer);
    expect(headers).toEqual({
      'x-bot-status': 'answered',
      'x-bot-cost-usd': expect.stringMatching(/^0\.00\d{4}$/),
      'x-bot-turn-id': expect.stringMatching(UUID),
      'x-bot-message-ids': `bot-${headers['x-bot-turn-id']}-0,bot-${headers['x-bot-turn-id']}-img-0`,
    });
    expect(headers['x-bot-cost-usd']).not.toBe('0.000000');
  });

  it('accepts numeric ids and echoes them as texts', async () => {
    const answer = await bot.post(PATH, question({ idUser: 6281299990001 }));
    expect(answer.body).toMatchObject({ statusCode: 201, idUser: '6281299990001' });
  });

  it('answers whoever hides the number, however long the id is that stands for it', async () => {
    const idUser = `ID.ENT.${'x'.repeat(128)}@bsuid`;
    const { status, body } = await bot.post(PATH, question({ idUser }));
    expect([status, body]).toEqual([201, expect.objectContaining({ idUser })]);
  });

  it("gives the store's prices and stock, and greets in its name", async () => {
    const say = async (message: string) => (await bot.post(PATH, question({ message }))).body;
    expect(await say('sandal biru ada?')).toMatchObject({
      data: { answer: ['Ada kak, Sandal Nusa Biru 40 Rp90.000, habis.'], images: [] },
    });
    expect(await say('halo')).toMatchObject({ data: { answer: [GREETING] } });
  });

  it('treats a number with and without suffix as one conversation, and echoes it as sent', async () => {
    const idUser = newCustomer();
    await bot.post(PATH, question({ idUser, message: 'halo' }));
    const { body } = await bot.post(PATH, question({ idUser: `${idUser}@s.whatsapp.net` }));
    expect(body).toMatchObject({ idUser: `${idUser}@s.whatsapp.net` });
    expect((body as { data: { history: unknown[] } }).data.history).toHaveLength(4);
  });

  it('is based on the last 20 lines, and on no line of another customer', async () => {
    const idUser = newCustomer();
    const seeded = Array.from({ length: 20 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `baris lama ${n}`,
    }));
    const first = await bot.post(PATH, question({ idUser, message: 'halo', history: seeded }));
    expect((first.body as { data: { history: unknown[] } }).data.history).toEqual([
      ...seeded.slice(2),
      { role: 'user', content: 'halo' },
      { role: 'assistant', content: GREETING },
    ]);
    await bot.post(PATH, question({ idUser, history: [{ role: 'user', content: 'terlambat' }] }));
    const [system, ...told] = llm.requests.at(-2)?.body.messages as { role: string; content: string }[];
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('Kamu adalah Nusa.') });
    expect(told).toEqual([
      ...seeded.slice(2),
      { role: 'user', content: 'halo' },
      { role: 'assistant', content: GREETING },
      { role: 'user', content: 'kak sepatu lari hitam ada?' },
    ]);
  });

  it('takes note of pictures that are not ours, and fetches none', async () => {
    const images = ['https://cdn.example/1.jpg', 'ftp://cdn.example/2.jpg', 'http://cdn.example/3.jpg'];
    const { status, body } = await bot.post(PATH, question({ message: '', images }));
    expect(status).toBe(201);
    expect((body as { data: { history: unknown[] } }).data.history[0]).toEqual({
      role: 'user',
      content: '[gambar] [gambar]',
    });
  });

  it('is given to a long text, truncated and without control characters, instead of a refusal', async () => {
    const { status, body } = await bot.post(
      PATH,
      question({ message: `sepatu\u0000 lari\u0007\n${'😀'.repeat(4000)}` }),
    );
    expect(status).toBe(201);
    const { content } = (body as { data: { history: { content: string }[] } }).data.history[0] ?? { content: '' };
    expect(content.slice(0, 12)).toBe('sepatu lari\n');
    expect([...content].length).toBeLessThanOrEqual(4000);
    // Throws at half a surrogate pair
    expect(encodeURIComponent(content)).toContain('%F0%9F%98%80');
  });

  it('is stored with its numbers and a row for each request, without any text of the prompt', async () => {
    const sent = question({ instanceID: 'dev1', chatId: 'S1.c1', team: '3' });
    const answer = await bot.post(PATH, sent);
    const turn = answer.headers.get('x-bot-turn-id');
    expect(
      await database.query(`SELECT instance_id, chat_id, team FROM bot_conversations WHERE id_user = $1`, [
        sent.idUser,
      ]),
    ).toEqual([{ instance_id: 'dev1', chat_id: 'S1.c1', team: '3' }]);
    const rows = await database.query<{ cost_micros: string }>(
      `SELECT * FROM llm_requests WHERE run_id = $1 ORDER BY id`,
      [turn],
    );
    const cost = rows.reduce((sum, { cost_micros }) => sum + Number(cost_micros), 0);
    expect(cost).toBe(Math.round(Number(answer.headers.get('x-bot-cost-usd')) * 1e6));
    const [row] = rows;
    expect(row).toEqual({
      store_id: 'S1',
      id: expect.stringMatching(UUID),
      agent_id: 'A1',
      run_id: turn,
      purpose: 'chat',
      provider: 'openai',
      model: 'sandbox-rules-main',
      status: 'ok',
      tokens_in: expect.any(Number),
      tokens_cached: 0,
      tokens_out: expect.any(Number),
      cost_micros: expect.any(String),
      ms: expect.any(Number),
      http_status: 200,
      request_id: expect.stringMatching(/^req_sandbox_/),
      created_at: expect.any(Date),
    });
  });
});

describe('a repeated message', () => {
  it('gets the stored answer with the same ids, even after the conversation went on', async () => {
    const sent = question({ message: 'ulangi sepatu lari' });
    const first = await bot.post(PATH, sent);
    await bot.post(PATH, question({ idUser: sent.idUser, message: 'jam buka?' }));
    const second = await bot.post(PATH, { ...sent, message: 'something else' });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(botHeaders(second)).toEqual({ ...botHeaders(first), 'x-bot-replayed': 'true' });
    expect(asked('ulangi sepatu lari')).toBe(1);
  });

  it('20 times at once makes one run, one call of the model and 20 equal answers', async () => {
    const sent = question({ message: 'serentak sepatu lari' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => bot.post(PATH, sent)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get('x-bot-message-ids'))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('x-bot-replayed') === null)).toHaveLength(1);
    expect(asked('serentak sepatu lari')).toBe(1);
    expect(await runs(sent.idUser)).toEqual([{ status: 'done' }]);
  });

  it('is recognised by Idempotency-Key when no idMessage is sent', async () => {
    const headers = { authorization: `Bearer ${await serviceToken()}` };
    const keyed = { ...question(), idMessage: undefined };
    const first = await bot.post(PATH, keyed, { ...headers, 'idempotency-key': 'k-1' });
    const second = await bot.post(PATH, { ...keyed, message: 'lain' }, { ...headers, 'idempotency-key': 'k-1' });
    expect(second.body).toEqual(first.body);
  });

  it('is another message when its id comes in another conversation', async () => {
    const [one, other] = [question({ idMessage: 'same' }), question({ idMessage: 'same' })];
    const turns = [await bot.post(PATH, one), await bot.post(PATH, other)];
    expect(new Set(turns.map(({ headers }) => headers.get('x-bot-turn-id'))).size).toBe(2);
  });
});

describe('tenants of the chatbot', () => {
  const NOT_FOUND = { statusCode: 404, message: 'store not found' };

  it("a store is hidden from another store's user, and from no other caller", async () => {
    const sent = question();
    const as = async (token: string) => {
      const { status, body } = await bot.post(PATH, sent, { authorization: `Bearer ${token}` });
      return status === 201 ? status : { status, body };
    };
    expect(await as(await tokenFor({ store: 'S1' }))).toBe(201);
    expect(await as(await tokenFor({ store: 'S2' }))).toEqual({ status: 404, body: NOT_FOUND });
    expect(await as(await tokenFor({ store: 'S2', role: 'owner' }))).toEqual({ status: 404, body: NOT_FOUND });
    expect(await as(await tokenFor({ store: 'S2', role: 'bot', type: 'service+jwt' }))).toBe(201);
    expect(await as(await serviceToken())).toBe(201);
  });

  it('an unknown store, an unknown agent and an agent of another store are a 404', async () => {
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('S2', 'Toko Lain')`);
    await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ('S2', 'A2', 'Lain', 'p')`);
    const of = async (more: object) => {
      const { status, body } = await bot.post(PATH, question({ ...more }));
      return { status, body };
    };
    const noAgent = { status: 404, body: { statusCode: 404, message: 'agent not found' } };
    expect(await of({ idStore: 'S9' })).toEqual({ status: 404, body: NOT_FOUND });
    expect(await of({ idAgent: 'A9' })).toEqual(noAgent);
    expect(await of({ idAgent: 'A2' })).toEqual(noAgent);
    expect((await of({ idStore: 'S2', idAgent: 'A2' })).status).toBe(201);
  });

  it('a customer of two stores has two separate conversations', async () => {
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('S3', 'Toko Tiga') ON CONFLICT DO NOTHING`);
    await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ('S3', 'A1', 'Tiga', 'p')`);
    const idUser = newCustomer();
    await bot.post(PATH, question({ idUser, idMessage: 'm1' }));
    const { body } = await bot.post(PATH, question({ idUser, idMessage: 'm1', idStore: 'S3', message: 'halo' }));
    expect((body as { data: { history: { content: string }[] } }).data.history.map(({ content }) => content)).toEqual([
      'halo',
      expect.stringContaining('Toko Tiga'),
    ]);
  });
});
