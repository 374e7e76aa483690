import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
const ALL = { nohp: '-', instance: 'dev1', team: '3' };

beforeAll(async () => {
  chat = await startChat();
  for (let index = 0; index < 30; index++)
    await chat.inbound({
      number: `6281000001${String(index).padStart(2, '0')}@s.whatsapp.net`,
      name: `Pelanggan ${index}`,
      text: `halo ${index}`,
      timestamp: String(1763620860 + index * 60),
    });
  await chat.inbound({ number: '628200000001@s.whatsapp.net', instanceID: 'vip', name: 'Tuan Besar', text: 'khusus' });
  await chat.inbound({
    number: '628300000001@s.whatsapp.net',
    instanceID: 'dev2',
    name: 'Pelanggan Dua',
    text: 'rahasia',
  });
  await chat.inbound({ number: '120363000000000001@g.us', timestamp: '1763620800', text: 'grup' });
  await chat.database.query(`UPDATE conversations SET status = 1, assignee_id = 'u-rina' WHERE nohp = '628100000105'`);
  await chat.database.query(
    `UPDATE conversations SET unread_count = 0, read_seq = last_seq WHERE nohp LIKE '62810000012%'`,
  );
});
afterAll(() => chat.stop());

interface List {
  data: { chatId: string; nohp: string; nama: string | null; status: string; user_nama: string | null }[];
  indexlist: string[];
  next_cursor: string | null;
}
const list = async (more: object = {}, path = '/v1/chat_list', token?: string) =>
  (await chat.post(path, { ...ALL, ...more }, token === undefined ? {} : { token })).body as List;
const numbers = ({ data }: List) => data.map(({ nohp }) => nohp);

describe('chat_list', () => {
  it('shows the newest first, indexlist in the same order', async () => {
    const body = await list({ limit: '3' });
    expect(numbers(body)).toEqual(['628100000129', '628100000128', '628100000127']);
    expect(body.indexlist).toEqual(body.data.map(({ chatId }) => chatId));
    expect(Object.keys(body)).toEqual(['result', 'data', 'indexlist', 'next_cursor']);
  });

  it('walks through all pages and shows each chat exactly once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: List = await list({ limit: '7', ...(cursor ? { cursor } : {}) });
      seen.push(...page.indexlist);
      cursor = page.next_cursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([31, 31]);
  });

  it('refuses a cursor that was forged or made for another question', async () => {
    const { next_cursor: cursor } = await list({ limit: '5' });
    const refused = {
      status: 422,
      body: { errors: [{ field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' }] },
    };
    expect(await chat.post('/v1/chat_list', { ...ALL, cursor: `x${cursor}` })).toMatchObject(refused);
    expect(await chat.post('/v1/chat_list', { ...ALL, status: 'open', cursor })).toMatchObject(refused);
  });

  it.each([
    ['a team that is not there', { team: '9' }, 'team_not_found'],
    ["another's private team", { team: '4', instance: 'vip' }, 'forbidden_team'],
    ["another store's device", { instance: 'dev2' }, 'device_not_found'],
  ])('refuses %s before it looks at the cursor', async (_, named, code) => {
    const without = await chat.post('/v1/chat_list', { ...ALL, ...named });
    expect(without).toMatchObject({ body: { result: false, code } });
    const { status, body } = await chat.post('/v1/chat_list', { ...ALL, ...named, cursor: 'x' });
    expect({ status, body }).toEqual({ status: without.status, body: without.body });
  });

  it('shows what a device that is gone has brought, and nothing of one that nobody had', async () => {
    const token = chat.tokens.tokenFor({ role: 'owner', teams: [] });
    const ask = (instance: string) => chat.post('/v1/chat_list', { ...ALL, team: '4', instance }, { token });
    const { body: known } = await ask('vip');
    expect(numbers(known as List)).toEqual(['628200000001']);
    await chat.database.query(`DELETE FROM device_route WHERE instance = 'vip'`);
    expect((await ask('vip')).body).toEqual(known);
    expect((await ask('never')).body).toMatchObject({ code: 'device_not_found' });
    await chat.database.query(`INSERT INTO device_route (instance, store_id) VALUES ('vip', 'S1')`);
  });

  it('leaves groups out only for the text "true"', async () => {
    expect(numbers(await list({ not_group: 'true' }))).not.toContain('120363000000000001@g.us');
    expect(numbers(await list({ not_group: '1' }))).toContain('120363000000000001@g.us');
  });

  it('filters by status and by being unread', async () => {
    expect((await list({ status: 'handle' })).data).toMatchObject([
      { nohp: '628100000105', status: 'handle', user_nama: 'Rina' },
    ]);
    expect((await list({ status: 'open' })).data).toHaveLength(30);
    expect(numbers(await list({ status: 'unread', limit: '50' }))).toHaveLength(21);
    expect((await list({ status: 'finish' })).data).toEqual([]);
    expect(await chat.post('/v1/chat_list', { ...ALL, status: 'closed' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'status', tag: 'oneof' }] },
    });
  });

  it.each([
    ['a name', { search: 'langgan 17', searchType: 'nama' }, ['628100000117']],
    ['a number', { search: '0000119', searchType: 'nohp' }, ['628100000119']],
    ['digits alone, as a number', { search: '000118' }, ['628100000118']],
    ['a keyword in either', { keyword: 'halo 22' }, ['628100000122']],
    ['a keyword with a wild card of its own', { keyword: '%' }, []],
    ["another team's customer", { keyword: 'Tuan' }, []],
    ["another store's customer", { keyword: 'Pelanggan Dua' }, []],
  ])('finds %s', async (_, query, expected) => expect(numbers(await list(query))).toEqual(expected));

  it.each([
    ['mine', { filter: { user_id: 'me' } }, ['628100000105']],
    ["nobody's, read", { filter: { user_id: 'none', unread: false }, limit: '2' }, ['628100000129', '628100000128']],
    ['the oldest first', { filter: { sort: 'waktu_asc' }, limit: '1' }, ['120363000000000001@g.us']],
    ['until a day', { filter: { date_to: '2025-11-19' } }, []],
    ['groups', { filter: { is_group: true } }, ['120363000000000001@g.us']],
  ])('filter: %s', async (_, query, expected) => expect(numbers(await list(query))).toEqual(expected));

  it('"all" means what the caller may read: an agent one team, an owner the store', async () => {
    const owner = chat.tokens.tokenFor({ role: 'owner', teams: [] });
    const everything = { instance: 'all', team: 'all', limit: '200' };
    expect((await list(everything)).data).toHaveLength(31);
    expect((await list(everything, '/v1/chat_list', owner)).data).toHaveLength(32);
    expect((await list({ ...everything, status: 'open' }, '/v1/chat_list', owner)).data).toHaveLength(31);
    expect(numbers(await list({ ...everything, keyword: 'Tuan' }, '/v1/chat_list', owner))).toEqual(['628200000001']);
  });

  it('"all" includes teams that are open to the whole store, as long as they are', async () => {
    const everything = { instance: 'all', team: 'all', limit: '200' };
    const open = (isOpen: boolean) =>
      chat.database.query(`UPDATE teams SET private = $1 WHERE store_id = 'S1' AND id = '4'`, [!isOpen]);
    await open(true);
    expect(numbers(await list(everything))).toContain('628200000001');
    expect(numbers(await list({ ...everything, status: 'unread' }))).toContain('628200000001');
    expect(numbers(await list({ ...everything, keyword: 'Tuan' }))).toEqual(['628200000001']);
    expect(numbers(await list())).not.toContain('628200000001');
    await open(false);
    expect(numbers(await list(everything))).not.toContain('628200000001');
  });

  it('"me" is no chat at all for a caller without a user', async () => {
    const mine = { filter: { user_id: 'me' } };
    expect(numbers(await list(mine, '/v1/chat_list_crm', ''))).toEqual([]);
    expect(
      numbers(await list(mine, '/v1/chat_list', chat.tokens.tokenFor({ role: 'bot', typ: 'service+jwt', teams: [] }))),
    ).toEqual([]);
  });

  it('shows nothing of this store to the owner of another one', async () => {
    const stranger = chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] });
    expect(numbers(await list({ instance: 'all', team: 'all' }, '/v1/chat_list', stranger))).toEqual(['628300000001']);
    expect(await list({}, '/v1/chat_list', stranger)).toEqual({
      result: false,
      message: 'device tidak ditemukan',
      code: 'device_not_found',
    });
  });

  it('admin names a store for all devices, crm never sees groups', async () => {
    expect(
      await chat.post('/v1/chat_list_admin', { ...ALL, instance: 'all', team: 'all' }, { token: '' }),
    ).toMatchObject({ status: 422, body: { errors: [{ field: 'filter.store_id', tag: 'required' }] } });
    expect(
      numbers(await list({ instance: 'all', team: 'all', filter: { store_id: 'S2' } }, '/v1/chat_list_admin', '')),
    ).toEqual(['628300000001']);
    expect(numbers(await list({ limit: '100' }, '/v1/chat_list_admin', ''))).toContain('120363000000000001@g.us');
    expect(numbers(await list({ limit: '100' }, '/v1/chat_list_crm', ''))).not.toContain('120363000000000001@g.us');
    expect(await chat.post('/v1/chat_list_crm', { ...ALL, instance: 'all', team: 'all' }, { token: '' })).toMatchObject(
      { status: 422, body: { errors: [{ field: 'instance', tag: 'required' }] } },
    );
  });
});
