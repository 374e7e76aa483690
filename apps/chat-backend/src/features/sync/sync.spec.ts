import { SERVICE, startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const push = async (body: object, claims: object = SERVICE) =>
  (await chat.post('/internal/sync', body, { token: chat.tokens.tokenFor(claims) })).body;
const counted = (applied: number, skipped = 0) => ({
  result: true,
  message: 'success sync',
  data: { applied, skipped },
});
const rows = (sql: string) => chat.database.query(sql);

const ROW = { store_id: 'S3', updated_at: 10 };
const SHOP = {
  stores: [{ ...ROW, nama: 'Toko Tiga', tz: 'Asia/Makassar', foreign: 'dropped' }],
  users: [{ ...ROW, user_id: 'u1', nama: 'Ani', email: 'a@shop.example', role: 'agent' }],
  teams: [
    { ...ROW, id: '7', nama: 'CS', distribution: 'round_robin', hours: [{ day: 1, open: '08:00', close: '17:00' }] },
  ],
  team_members: [{ ...ROW, team_id: '7', user_id: 'u1' }],
  devices: [{ ...ROW, instance: 'dev3', nama: 'Tiga', default_team_id: '7' }],
  rules: [{ ...ROW, id: 'r1', position: 1, match: 'exact', keywords: ['halo'], reply: { text: 'Hai' } }],
  templates: [{ ...ROW, id: 't1', nama: 'Promo', isi: 'Halo {{nama}}' }],
  welcomes: [{ ...ROW, enabled: true, text: 'Selamat datang', once_per_hours: 24 }],
};

describe('a push', () => {
  it('makes a store that then takes messages, and changes nothing when repeated', async () => {
    expect(await push(SHOP)).toEqual(counted(8));
    expect(await push(SHOP)).toEqual(counted(0, 8));
    const { body } = await chat.inbound({ instanceID: 'dev3', number: '628100000001@s.whatsapp.net' });
    expect(body).toMatchObject({ result: true, data: { chat_list: { team: '7', instance: 'dev3' } } });
    expect(await rows(`SELECT nama, tz FROM stores WHERE store_id = 'S3'`)).toEqual([
      { nama: 'Toko Tiga', tz: 'Asia/Makassar' },
    ]);
  });

  it('that is older than what is known is passed over, also in one call and behind a removal', async () => {
    const user = (updated_at: number, more: object) => ({ ...ROW, user_id: 'u2', updated_at, ...more });
    expect(await push({ users: [user(2, { nama: 'B' }), user(1, { nama: 'A' })] })).toEqual(counted(1, 1));
    expect(await push({ users: [user(3, { deleted: true })] })).toEqual(counted(1));
    expect(await push({ users: [user(2, { nama: 'B' })] })).toEqual(counted(0, 1));
    expect(await rows(`SELECT * FROM users WHERE user_id = 'u2'`)).toEqual([]);
    expect(await push({ users: [user(4, { nama: 'C' })] })).toEqual(counted(1));
    expect(await rows(`SELECT nama FROM users WHERE user_id = 'u2'`)).toEqual([{ nama: 'C' }]);
  });

  it('with a version that was seen is a repeat, whatever it holds: who pushes lets versions rise', async () => {
    const user = (nama: string, updated_at: number) => ({ ...ROW, user_id: 'u4', nama, updated_at });
    expect(await push({ users: [user('A', 5)] })).toEqual(counted(1));
    expect(await push({ users: [user('B', 5)] })).toEqual(counted(0, 1));
    expect(await push({ users: [user('B', 6)] })).toEqual(counted(1));
    expect(await rows(`SELECT nama FROM users WHERE user_id = 'u4'`)).toEqual([{ nama: 'B' }]);
  });

  it('twenty versions of one row at once leave the newest', async () => {
    const versions = Array.from({ length: 20 }, (_, index) => ({
      ...ROW,
      user_id: 'u3',
      nama: `V${index}`,
      updated_at: index,
    }));
    await Promise.all(versions.map((user) => push({ users: [user] })));
    expect(await rows(`SELECT nama FROM users WHERE user_id = 'u3'`)).toEqual([{ nama: 'V19' }]);
  });

  it('is heard by the next message: a device that moves to another team', async () => {
    await push({
      teams: [{ ...ROW, id: '8' }],
      devices: [{ ...ROW, instance: 'dev3', default_team_id: '8', updated_at: 11 }],
    });
    const { body } = await chat.inbound({ instanceID: 'dev3', number: '628100000002@s.whatsapp.net' });
    expect(body).toMatchObject({ data: { chat_list: { team: '8' } } });
  });

  it('of a device that is another store’s takes nothing', async () => {
    expect(await push({ devices: [{ ...ROW, instance: 'dev1', nama: 'mine now' }] })).toEqual(counted(0, 1));
    expect(await rows(`SELECT store_id FROM device_route WHERE instance = 'dev1'`)).toEqual([{ store_id: 'S1' }]);
    expect(await push({ devices: [{ ...ROW, instance: 'dev3', deleted: true, updated_at: 12 }] })).toEqual(counted(1));
    expect((await chat.inbound({ instanceID: 'dev3' })).body).toMatchObject({ code: 'device_not_found' });
  });
});

describe('a pushed customer', () => {
  const NUMBER = '6281000000010';
  const customer = (more: object) => ({ ...ROW, store_id: 'S1', nohp: NUMBER, ...more });
  const stored = () =>
    rows(`SELECT id, contact_id, nama, opt_out, tags FROM customers WHERE store_id = 'S1' AND nohp = '${NUMBER}'`);

  it('is matched by number, whatever its id: ours stays, theirs is kept beside it', async () => {
    await chat.inbound({ number: `${NUMBER}@s.whatsapp.net`, name: 'Budi' });
    const [before] = await stored();
    expect(await push({ customers: [customer({ id: 'c-9', nohp: '+62 810 0000 0010', tags: ['vip'] })] })).toEqual(
      counted(1),
    );
    expect(
      await push({ customers: [customer({ id: 'c-10', nohp: '0810 0000 0010', updated_at: 11, tags: ['vip'] })] }),
    ).toEqual(counted(1));
    expect(await stored()).toEqual([
      { id: before?.id, contact_id: 'c-10', nama: 'Budi', opt_out: false, tags: ['vip'] },
    ]);
  });

  it('stays opted out when the customer wrote so, and can be erased without losing the chat', async () => {
    await rows(`UPDATE customers SET opt_out = true, opt_out_by_customer = true WHERE nohp = '${NUMBER}'`);
    await push({ customers: [customer({ updated_at: 12, opt_out: false, nama: 'Budi S' })] });
    expect(await stored()).toMatchObject([{ nama: 'Budi S', opt_out: true }]);
    await push({ customers: [customer({ updated_at: 13, deleted: true })] });
    expect(await stored()).toMatchObject([{ nama: null, contact_id: null, opt_out: true, tags: [] }]);
    const { body } = await chat.post('/v1/chat_inbox', { nohp: NUMBER, instance: 'dev1', team: '3' });
    expect(body).toMatchObject({ result: true, customer: { nama: null } });
  });

  it('shows its orders and its warehouse record in the chat', async () => {
    const order = {
      ...ROW,
      store_id: 'S1',
      id: 'o1',
      nohp: NUMBER,
      order_number: 'N-1',
      status: 'paid',
      total: 5_000_000_000,
      created_at: '2026-11-20T01:00:00Z',
    };
    const handling = { ...ROW, store_id: 'S1', id: 'h1', nohp: NUMBER, gudang_id: 'g1', order_id: 'o1' };
    expect(
      await push({ orders: [order], handle_gudang: [handling, { ...handling, id: 'h2', nohp: '628999' }] }),
    ).toEqual(counted(2, 1));
    const { body } = await chat.post('/v1/chat_inbox', { nohp: NUMBER, instance: 'dev1', team: '3' });
    expect(body).toMatchObject({
      chat_order: { order_number: 'N-1', total: 5_000_000_000, waktu: '2026-11-20 08:00' },
      handle_gudang: { handleGudangId: 'h1', gudang_id: 'g1', status: 'pending' },
      chat_list: { order_status: 'paid' },
    });
  });
});

describe('who may push', () => {
  it('is a sibling service, for the store of its token or for any', async () => {
    expect(await push({ users: [{ ...ROW, user_id: 'u9' }] }, { ...SERVICE, store_id: 'S3' })).toEqual(counted(1));
    expect(await push({ users: [{ ...ROW, user_id: 'u9', updated_at: 11 }] }, { ...SERVICE, store_id: 'S1' })).toEqual({
      result: false,
      message: 'tidak punya akses',
      code: 'forbidden',
    });
  });

  it.each([
    ['a person', { role: 'owner' }],
    ['a bot', { ...SERVICE, role: 'bot' }],
    ['a service for another audience', { ...SERVICE, aud: ['bot-engine'] }],
  ])('is not %s', async (_, claims) =>
    expect(await push({}, claims)).toEqual({ status: 'error', message: 'Unauthenticated' }),
  );

  it('is told what is wrong with a row', async () => {
    const answer = await chat.post(
      '/internal/sync',
      { stores: [{ ...ROW, tz: 'Mars/Olympus' }], rules: Array.from({ length: 501 }, () => ({ ...ROW, id: 'r' })) },
      { token: chat.tokens.tokenFor(SERVICE) },
    );
    expect([answer.status, answer.body]).toEqual([
      422,
      { errors: [{ field: 'rules', tag: 'max', message: 'rules must contain at maximum 500 items' }] },
    ]);
    expect(await push({ stores: [{ ...ROW, tz: 'Mars/Olympus' }] })).toEqual({
      errors: [{ field: 'stores[0].tz', tag: 'timezone', message: 'stores[0].tz must be a valid time zone' }],
    });
    // PostgreSQL reads the sign the other way round
    expect(await push({ stores: [{ ...ROW, tz: '+07:00' }] })).toMatchObject({ errors: [{ tag: 'timezone' }] });
    const orders = [{ ...ROW, id: 'O1', nohp: '6281234567890', updated_at: 9_000_000_000_000_000 }];
    expect(await push({ orders })).toMatchObject({ errors: [{ field: 'orders[0].updated_at', tag: 'max' }] });
  });
});
