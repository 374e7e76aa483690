import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan } from '@platform/testing';
import { askOf, invalid, notHere, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { bearer, newApiToken, newMember, newStore, NOW, useCommerce } from '../../../commerce.fixture';
import type { Contact } from './contact.dto';
import { CONTACT_STATEMENTS, contactListing } from './contact.sql';

const commerce = useCommerce();

const fresh = {
  ...{ email: null, birthday: null, source: null, tags: [], custom: {}, blocked: false, opted_out: false },
  ...{ orders_count: 0, spent: 0, last_order_at: null, created_at: NOW, addresses: [], notes: [] },
};
const PHONE = '0812-3456-7890';
const DIGITS = '6281234567890';
const add = async (ask: Ask, more: object = {}): Promise<Contact> =>
  (await ask<Contact>('POST', '/contact', { name: 'Budi', phone: PHONE, ...more })).body.data;
const names = async (ask: Ask, query = '') =>
  (await ask<Contact[]>('GET', `/contact?${query}`)).body.data.map(({ name }) => name);
/** As chat-backend tells of somebody who has written. */
const arrives = (storeId: string, body: object) =>
  commerce.post('/api/contact', body, bearer(commerce.storeAuth.serviceToken('chat-backend', storeId)));
const missing = refused(404, 'not_found', 'Contact not found');
const taken = refused(409, 'phone_taken', 'The number belongs to another contact');

describe('a contact', () => {
  it('is created, found by id and by its number in any form, changed and deleted with all it has', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const wanted = { email: 'Budi@Example.com', birthday: '1990-05-17', source: 'toko', custom: { ukuran: 42 } };
    const created = await ask<Contact>('POST', '/contact', { name: 'Budi', phone: PHONE, ...wanted, tags: ['VIP'] });
    const tag = { id: expect.any(String), name: 'VIP', color: null };
    const view = {
      ...{ ...fresh, ...wanted, email: 'budi@example.com', id: expect.any(String), name: 'Budi', phone: DIGITS },
      tags: [tag],
    };
    expect(created).toEqual(succeeded(201, 'Contact created', view));
    const { id } = created.body.data;
    expect(await ask('GET', `/contact/${id}`)).toEqual(succeeded(200, 'OK', view));
    for (const form of [DIGITS, '081234567890', '%2B62%20812-3456-7890'])
      expect(await ask('GET', `/contact/phone/${form}`)).toEqual(succeeded(200, 'OK', view));
    const change = { name: 'Budi S', email: 'bs@example.com', custom: {}, opted_out: true };
    const changed = { ...view, ...change };
    expect(await ask('PUT', `/contact/${id}`, change)).toEqual(succeeded(200, 'Contact updated', changed));
    await ask('POST', `/contact/${id}/notes`, { text: 'x' });
    expect(await ask('DELETE', `/contact/${id}`)).toEqual(succeeded(200, 'Contact deleted', null));
    expect(await ask('GET', `/contact/${id}`)).toEqual(missing);
    expect(await ask('GET', `/contact/phone/${DIGITS}`)).toEqual(missing);
    const left = await commerce.database.query(
      `SELECT 1 FROM contact_note WHERE store_id = $1 UNION ALL SELECT 1 FROM contact_phone WHERE store_id = $1`,
      [storeId],
    );
    expect(left).toEqual([]);
  });

  it.each([
    ['without a name', { phone: PHONE }, 'name', 'name is a required field'],
    ['without a number', { name: 'Budi' }, 'phone', 'phone is a required field'],
    [
      'with a number that is none',
      { name: 'x', phone: '12' },
      'phone',
      'phone must be a valid E.164 formatted phone number',
    ],
    [
      'with more of its own than 20 members',
      { name: 'x', phone: PHONE, custom: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, at])) },
      'custom',
      'custom must have at maximum 20 members and 8192 bytes',
    ],
  ])('%s is refused', async (_, body, field, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/contact', body)).toEqual(invalid(field, message));
  });

  it('loses what is changed to null and keeps what is left out; a number is never taken away', async () => {
    const { ask } = await ownStore(commerce);
    const known = { name: 'Ani', email: 'a@shop.example', birthday: '1990-01-02', source: 'toko' };
    const { id } = (await ask<Contact>('POST', '/contact', { ...known, phone: '0812-0000-0009' })).body.data;
    const changed = async (body: object) => {
      const { name, email, birthday, source, phone } = (await ask<Contact>('PUT', `/contact/${id}`, body)).body.data;
      return { name, email, birthday, source, phone };
    };
    const phone = '6281200000009';
    expect(await changed({ email: null, phone: null })).toEqual({ ...known, phone, email: null });
    const nothing = { name: null, email: null, birthday: null, source: null };
    expect(await changed({ name: null, birthday: null, source: null })).toEqual({ ...nothing, phone });
    expect(await changed({ name: 'Ani' })).toEqual({ ...nothing, phone, name: 'Ani' });
  });

  it('has a number that nobody else has, whichever way it came to them', async () => {
    const { ask } = await ownStore(commerce);
    const [first, second] = [await add(ask), await add(ask, { phone: '0899-1111-111' })];
    expect(await ask('POST', '/contact', { name: 'Ani', phone: `+${DIGITS}` })).toEqual(taken);
    expect(await ask('PUT', `/contact/${second.id}`, { phone: PHONE })).toEqual(taken);
    expect((await ask<Contact>('GET', '/contact/phone/08991111111')).body.data.id).toBe(second.id);
    const moved = await ask<Contact>('PUT', `/contact/${first.id}`, { phone: '0877-2222-222' });
    expect(moved.body.data.phone).toBe('628772222222');
    expect(await ask('GET', `/contact/phone/${DIGITS}`)).toEqual(missing);
    expect((await ask('PUT', `/contact/${second.id}`, { phone: PHONE })).status).toBe(200);
  });

  it('of another store is unknown here, and its number is free', async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = await add(other.ask, { tags: ['VIP'] });
    const [theirTag] = (await other.ask<{ id: string }[]>('GET', '/tag')).body.data;
    const own = await add(mine.ask);
    const address = { line: 'x' };
    const answers = await Promise.all([
      mine.ask('GET', `/contact/${id}`),
      mine.ask('PUT', `/contact/${id}`, { name: 'x' }),
      mine.ask('DELETE', `/contact/${id}`),
      mine.ask('POST', `/contact/${id}/addresses`, address),
      mine.ask('POST', `/contact/${id}/notes`, { text: 'x' }),
      mine.ask('PUT', `/contact/${id}/block`, { blocked: true }),
      mine.ask('PUT', `/contact/${id}/tags`, { tag_ids: [] }),
      mine.ask('POST', '/contact/merge', { keep_id: own.id, merge_ids: [id] }),
      mine.ask('PUT', `/tag/${theirTag?.id}`, { name: 'x' }),
      mine.ask('DELETE', `/tag/${theirTag?.id}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await mine.ask('PUT', `/contact/${own.id}/tags`, { tag_ids: [theirTag?.id] })).toEqual(
      notHere('tag_ids[0]', 'is not a tag of this store'),
    );
    expect((await mine.ask('POST', '/contact/bulk-tag', { ids: [id], add: [] })).status).toBe(422);
    expect([await names(mine.ask), await names(other.ask, `tag_ids=${theirTag?.id}`)]).toEqual([['Budi'], ['Budi']]);
    expect((await other.ask<Contact>('GET', `/contact/${id}`)).body.data).toMatchObject({ name: 'Budi', notes: [] });
  });
});

describe('somebody who writes to the shop', () => {
  const known = (storeId: string) =>
    commerce.database.query('SELECT name, opted_out_at, version::text FROM contact WHERE store_id = $1', [storeId]);

  it('becomes a contact, without a name when it is their number', async () => {
    const storeId = await newStore(commerce);
    const { status, body } = await arrives(storeId, { phone: DIGITS, name: DIGITS, source: 'chat', opted_out: false });
    const view = { ...fresh, id: expect.any(String), name: null, phone: DIGITS, source: 'chat' };
    expect({ status, body }).toEqual(succeeded(201, 'Contact created', view));
  });

  it('and is known keeps their name and tells what they want; nothing changes where nothing is new', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await add(ask);
    const before = await known(storeId);
    const push = { phone: DIGITS, name: 'Wa Budi', source: 'chat' };
    expect((await arrives(storeId, { ...push, opted_out: false })).status).toBe(200);
    expect(await known(storeId)).toEqual(before);
    const { status, body } = await arrives(storeId, { ...push, opted_out: true });
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'success' })]);
    expect((await ask<Contact>('GET', `/contact/phone/${DIGITS}`)).body.data).toMatchObject({
      ...{ name: 'Budi', source: null, opted_out: true },
    });
  });

  it('twenty times at once is one contact, with a name as soon as one is known', async () => {
    const storeId = await newStore(commerce);
    const pushes = Array.from({ length: 20 }, (_, at) => ({ phone: DIGITS, name: at % 2 ? 'Budi' : DIGITS }));
    const answers = await Promise.all(pushes.map((push) => arrives(storeId, { ...push, source: 'chat' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(await known(storeId)).toMatchObject([{ name: 'Budi' }]);
  });

  it('is nobody for a service that may not write contacts', async () => {
    const token = commerce.storeAuth.serviceToken('bot-engine', await newStore(commerce));
    expect((await commerce.post('/api/contact', { phone: DIGITS }, bearer(token))).status).toBe(403);
  });
});

describe('the list of contacts', () => {
  it('is searched by name, number and email, filtered, sorted and paged', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const budi = await add(ask, { email: 'b@shop.example', tags: ['VIP'], source: 'toko' });
    const ani = await add(ask, { name: 'Ani', phone: '0899-1111-111', tags: ['vip', 'Grosir'] });
    await ask('POST', `/contact/${ani.id}/addresses`, { line: 'Jl. 1', city: 'Bandung' });
    await ask('PUT', `/contact/${budi.id}/block`, { blocked: true });
    await commerce.database.query(
      `UPDATE contact SET orders_count = 3, spent = 9, last_order_at = '2026-02-01T00:00:00Z' WHERE store_id = $1 AND id = $2`,
      [storeId, ani.id],
    );
    const grosir = ani.tags.find(({ name }) => name === 'Grosir')?.id;
    const queries = {
      ...{
        'q=BUD': ['Budi'],
        'q=0899': ['Ani'],
        'q=0888': [],
        'q=628991111': ['Ani'],
        'q=b@shop': ['Budi'],
        'q=an%25': [],
      },
      ...{ 'blocked=true': ['Budi'], 'source=toko': ['Budi'], 'city=bandung': ['Ani'], 'min_orders=3': ['Ani'] },
      ...{ 'last_order_from=2026-02-01': ['Ani'], 'last_order_from=2026-02-02': [], 'sort=name': ['Ani', 'Budi'] },
      ...{ [`tag_ids=${grosir}`]: ['Ani'], 'sort=-spent': ['Ani', 'Budi'], 'sort=-name&per_page=1&page=2': ['Ani'] },
    };
    for (const [query, expected] of Object.entries(queries))
      expect({ query, names: await names(ask, query) }).toEqual({ query, names: expected });
    expect(await ask('GET', '/contact?tag_ids=x')).toEqual(
      invalid('tag_ids', 'tag_ids must be ids, separated by commas'),
    );
    const { addresses: _a, notes: _n, ...row } = budi;
    const meta = { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 };
    expect((await ask('GET', '/contact?q=budi')).body).toEqual({
      ...{ status: 'success', message: 'OK', data: [{ ...row, blocked: true }], meta },
    });
  });

  it('is a file, in which no cell is a formula', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await add(ask, { name: '=1+1', tags: ['VIP', 'Grosir'] });
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const { status, body } = await commerce.get('/api/contact/export', bearer(token));
    expect([status, String(body).replace('\uFEFF', '').split(/\r?\n/).slice(0, 2)]).toEqual([
      200,
      [
        'name,phone,email,birthday,source,tags,blocked,opted_out,orders_count,spent,last_order_at,created_at',
        `'=1+1,${DIGITS},,,,Grosir;VIP,false,false,0,0,,${NOW}`,
      ],
    ]);
  });

  it('is served by indexes, as is one contact', async () => {
    const query = { tag_ids: uuidv7(), q: 'budi', city: 'x' };
    const { rows, count } = contactListing.statements('S1', query);
    const { rows: plain } = contactListing.statements('S1', { sort: '-spent' });
    for (const { text, values } of [rows, count, plain])
      expectNoSeqScan(await explain(commerce.database, text, values), 'contact', 'contact_tag', 'contact_address');
    for (const [text, value] of [
      [CONTACT_STATEMENTS.id, uuidv7()],
      [CONTACT_STATEMENTS.phone, DIGITS],
    ] as const)
      expectNoSeqScan(await explain(commerce.database, text, ['S1', value]), 'contact', 'contact_phone');
  });
});

describe('a member who does not see all chats', () => {
  it('is shown no contacts, nor are API tokens that they have made; one of a member who sees all needs no chat.all', async () => {
    const storeId = await newStore(commerce);
    const { id } = await add(askOf(commerce)(storeId));
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    const needed = refused(403, 'forbidden', 'This needs the ability chat.all', { ability: 'chat.all' });
    for (const [method, path, body] of [
      ['GET', '/contact'],
      ['GET', `/contact/${id}`],
      ['GET', `/contact/phone/${DIGITS}`],
      ['POST', '/contact', { name: 'x', phone: '0899-1111-111' }],
      ['PUT', `/contact/${id}/block`, { blocked: true }],
    ] as const) {
      const answer = await commerce.call(method, `/api${path}`, token, body);
      expect({ status: answer.status, body: answer.body }).toEqual(needed);
    }
    const { token: theirs } = await newApiToken(commerce, storeId, { abilities: ['contact.read'], maker: userId });
    const ofToken = await commerce.call('GET', `/api/contact/${id}`, theirs);
    expect({ status: ofToken.status, body: ofToken.body }).toEqual(needed);
    const { token: script } = await newApiToken(commerce, storeId, { abilities: ['contact.read'] });
    expect((await commerce.call('GET', `/api/contact/${id}`, script)).status).toBe(200);
    expect((await commerce.call('GET', '/api/tag', token)).status).toBe(200);
  });
});

it('/crm is gone', async () => {
  const { ask } = await ownStore(commerce);
  expect(await ask('GET', '/crm')).toEqual(refused(410, 'gone', 'This feature is no longer active'));
});
