import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import type { Contact } from '../people/public';
import type { Tag } from '../tags/tags.dto';
import { tagListing } from '../tags/tags.sql';

const commerce = useCommerce();

const add = async (ask: Ask, phone: string, more: object = {}): Promise<Contact> =>
  (await ask<Contact>('POST', '/contact', { name: 'Budi', phone, ...more })).body.data;
const tagsOf = async (ask: Ask, id: string) =>
  (await ask<Contact>('GET', `/contact/${id}`)).body.data.tags.map(({ name }) => name);
const missing = refused(404, 'not_found', 'Contact not found');

describe('merged contacts', () => {
  it('are one: every number leads to it, with what the kept one lacked and what any of them said against messages', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const keep = await add(ask, '62811000001', { tags: ['VIP'] });
    const other = await add(ask, '62811000002', {
      name: 'B',
      email: 'b@shop.example',
      tags: ['Grosir'],
      opted_out: true,
    });
    await ask('POST', `/contact/${other.id}/addresses`, { line: 'Jl. 1' });
    await ask('POST', `/contact/${other.id}/notes`, { text: 'Sore' });
    const merged = await ask<Contact>('POST', '/contact/merge', { keep_id: keep.id, merge_ids: [other.id, other.id] });
    const kept = {
      ...{ ...keep, email: 'b@shop.example', opted_out: true, tags: [...other.tags, ...keep.tags] },
      addresses: [{ id: expect.any(String), line: 'Jl. 1' }],
      notes: [{ id: expect.any(String), text: 'Sore', author: expect.any(String), created_at: NOW }],
    };
    expect(merged).toEqual(succeeded(200, 'Contacts merged', kept));
    for (const phone of ['62811000001', '0811000002'])
      expect(await ask('GET', `/contact/phone/${phone}`)).toEqual(succeeded(200, 'OK', kept));
    expect(await ask('GET', `/contact/${other.id}`)).toEqual(missing);
    expect(await ask('POST', '/contact', { name: 'x', phone: '62811000002' })).toMatchObject({ status: 409 });
    expect(await auditedIn(commerce, storeId)).toEqual(['contact.write contact: merged']);
  });

  it('are no merge with itself or with somebody unknown', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await add(ask, '62811000001');
    const merge = (merge_ids: string[]) => ask('POST', '/contact/merge', { keep_id: id, merge_ids });
    expect(await merge([id])).toEqual(invalid('merge_ids', 'merge_ids must not contain keep_id'));
    expect([await merge([uuidv7()]), await merge(['x'])]).toEqual([missing, missing]);
  });

  it('both ways at once leave one of the two', async () => {
    const { ask } = await ownStore(commerce);
    const [a, b] = [await add(ask, '62811000001'), await add(ask, '62811000002')];
    const merge = (keep_id: string, id: string) => ask('POST', '/contact/merge', { keep_id, merge_ids: [id] });
    const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await ask<[]>('GET', '/contact')).body.data).toHaveLength(1);
  });
});

describe('tags', () => {
  it('are created, renamed for all who have them, and deleted from them', async () => {
    const { ask } = await ownStore(commerce);
    const created = await ask<Tag>('POST', '/tag', { name: 'VIP', color: '#ffaa00' });
    const view = { id: expect.any(String), name: 'VIP', color: '#ffaa00', contacts: 0 };
    expect(created).toEqual(succeeded(201, 'Tag created', view));
    const taken = refused(409, 'name_taken', 'The name is taken');
    expect(await ask('POST', '/tag', { name: 'vip' })).toEqual(taken);
    const { id } = created.body.data;
    const contact = await add(ask, '62811000001', { tags: ['vip', 'Grosir'] });
    expect(await ask('PUT', `/tag/${id}`, { name: 'Emas' })).toEqual(
      succeeded(200, 'Tag updated', { ...view, name: 'Emas', contacts: 1 }),
    );
    expect(await ask('PUT', `/tag/${id}`, { name: 'grosir' })).toEqual(taken);
    expect(await tagsOf(ask, contact.id)).toEqual(['Emas', 'Grosir']);
    const meta = { current_page: 1, per_page: 15, total: 2, last_page: 1, from: 1, to: 2 };
    expect((await ask('GET', '/tag')).body).toMatchObject({ data: [{ name: 'Emas' }, { contacts: 1 }], meta });
    expect(await ask('DELETE', `/tag/${id}`)).toEqual(succeeded(200, 'Tag deleted', null));
    expect(await tagsOf(ask, contact.id)).toEqual(['Grosir']);
    expect((await ask('DELETE', `/tag/${id}`)).status).toBe(404);
  });

  it('are set for one contact and added to and taken from many', async () => {
    const { ask } = await ownStore(commerce);
    const [a, b] = [await add(ask, '62811000001', { tags: ['A'] }), await add(ask, '62811000002')];
    const { id: tag } = (await ask<Tag>('POST', '/tag', { name: 'B' })).body.data;
    const set = await ask<Contact>('PUT', `/contact/${a.id}/tags`, { tag_ids: [tag] });
    expect(set).toEqual(succeeded(200, 'Contact updated', { ...a, tags: [{ id: tag, name: 'B', color: null }] }));
    const bulk = (more: object) => ask('POST', '/contact/bulk-tag', { ids: [a.id, b.id], ...more });
    const changed = (count: number) => succeeded(200, 'Contacts updated', { changed: count });
    expect(await bulk({ add: [tag], remove: a.tags.map(({ id }) => id) })).toEqual(changed(1));
    expect(await bulk({ remove: [tag] })).toEqual(changed(2));
    expect(await bulk({})).toEqual(invalid('add', 'add or remove must name a tag'));
    expect(await bulk({ ids: [a.id, uuidv7()], add: [tag] })).toEqual(
      notHere('ids[1]', 'is not a contact of this store'),
    );
    expect(await bulk({ add: [uuidv7()] })).toEqual(notHere('add[0]', 'is not a tag of this store'));
    expect([await tagsOf(ask, a.id), await tagsOf(ask, b.id)]).toEqual([[], []]);
  });

  it('are served by an index', async () => {
    const { rows, count } = tagListing.statements('S1', {});
    for (const { text, values } of [rows, count])
      expectNoSeqScan(await explain(commerce.database, text, values), 'tag', 'contact_tag');
  });
});

describe('addresses, notes and the block of a contact', () => {
  it('are added, changed and removed', async () => {
    const { ask } = await ownStore(commerce);
    const contact = await add(ask, '62811000001');
    const at = `/contact/${contact.id}`;
    const address = { name: 'Rumah', phone: '0812-3456-7890', line: 'Jl. 1', city: 'Bandung' };
    const shown = { ...address, id: expect.any(String), phone: '6281234567890' };
    const added = await ask<{ id: string }>('POST', `${at}/addresses`, address);
    expect(added).toEqual(succeeded(201, 'Address created', shown));
    const place = `${at}/addresses/${added.body.data.id}`;
    expect(await ask('PUT', place, { line: 'Jl. 2' })).toEqual(
      succeeded(200, 'Address updated', { id: added.body.data.id, line: 'Jl. 2' }),
    );
    const note = { id: expect.any(String), text: 'Sore', author: expect.any(String), created_at: NOW };
    expect(await ask('POST', `${at}/notes`, { text: ' Sore ' })).toEqual(succeeded(201, 'Note created', note));
    const blocked = {
      ...contact,
      blocked: true,
      addresses: [{ id: added.body.data.id, line: 'Jl. 2' }],
      notes: [note],
    };
    expect(await ask('PUT', `${at}/block`, { blocked: true, reason: 'spam' })).toEqual(
      succeeded(200, 'Contact updated', blocked),
    );
    expect(await ask('DELETE', place)).toEqual(succeeded(200, 'Address deleted', null));
    const gone = refused(404, 'not_found', 'Address not found');
    expect([await ask('DELETE', place), await ask('PUT', place, { line: 'x' })]).toEqual([gone, gone]);
  });
});
