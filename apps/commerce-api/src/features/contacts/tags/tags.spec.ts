import { expectNoSeqScan, explain, until } from '@platform/testing';
import { ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { NOW, statementsOfRequests, useCommerce } from '../../../commerce.fixture';
import type { Contact } from '../people/public';
import { CONTACTS_OF_TAG, tellContacts } from './tag.changed';
import type { Tag } from './tags.dto';

const commerce = useCommerce();

let numbers = 0;
const tagged = ({ ask }: OwnStore, tags: readonly string[]) =>
  ask<Contact>('POST', '/contact', { name: 'Ani', phone: `62812${String(++numbers).padStart(7, '0')}`, tags });
const namesIn = async ({ ask }: OwnStore) => (await ask<Tag[]>('GET', '/tag')).body.data.map(({ name }) => name);

describe('two names are one tag', () => {
  it.each([
    ['in any case', 'Grosir', 'GROSIR'],
    ['with a dotted capital I', 'İstanbul', 'İstanbul'],
    ['with a sharp s', 'Straße', 'Straße'],
    ['with a sigma at the end', 'ΟΔΟΣ', 'ΟΔΟΣ'],
    ['with a letter and its accent composed and apart', 'Caf\u00e9', 'Cafe\u0301'],
    ['apart and composed', 'Cafe\u0301', 'CAF\u00c9'],
  ])('%s, for contacts that are given both and for who makes or renames one', async (_, one, other) => {
    const store = await ownStore(commerce);
    const answers = [await tagged(store, [one]), await tagged(store, [other]), await tagged(store, [one, other])];
    expect(answers.map(({ status, body }) => [status, body.data.tags.length])).toEqual([
      [201, 1],
      [201, 1],
      [201, 1],
    ]);
    expect(await namesIn(store)).toEqual([one.normalize()]);
    const taken = refused(409, 'name_taken', 'The name is taken');
    expect(await store.ask('POST', '/tag', { name: other })).toEqual(taken);
    const { id } = (await store.ask<Tag>('POST', '/tag', { name: 'Lain' })).body.data;
    expect(await store.ask('PUT', `/tag/${id}`, { name: other })).toEqual(taken);
  });
});

const MANY = `
  WITH made AS (
    INSERT INTO contact (store_id, id, name, version, created_at, updated_at)
    SELECT $1, uuidv7(), 'C' || n, 1, $3, $3 FROM generate_series(1, 1100) n RETURNING id
  ), numbered AS (
    INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at)
    SELECT $1, (6281900000000 + row_number() OVER ())::text, id, true, $3 FROM made
  )
  INSERT INTO contact_tag (store_id, contact_id, tag_id) SELECT $1, id, $2 FROM made`;

/** A tag that 1,100 contacts have. */
const popular = async () => {
  const store = await ownStore(commerce);
  const { id } = (await store.ask<Tag>('POST', '/tag', { name: 'Semua' })).body.data;
  await commerce.database.query(MANY, [store.storeId, id, NOW]);
  return { store, id };
};
const touchedOf = async (storeId: string): Promise<number> => {
  const [row] = await commerce.database.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM contact WHERE store_id = $1 AND version > 1',
    [storeId],
  );
  return row?.n ?? 0;
};
const linksOf = (storeId: string) =>
  commerce.database.query('SELECT 1 FROM contact_tag WHERE store_id = $1', [storeId]);

describe('a tag that very many contacts have', () => {
  it('is renamed by a request that does not touch them, and a job tells all of them', async () => {
    const { store, id } = await popular();
    const statements = await statementsOfRequests(commerce, async () => {
      const renamed = await store.ask('PUT', `/tag/${id}`, { name: 'Kita' });
      expect(renamed).toEqual(succeeded(200, 'Tag updated', { id, name: 'Kita', color: null, contacts: 1_100 }));
    });
    expect(statements).toBeLessThan(10);
    expect(
      await until(
        () => touchedOf(store.storeId),
        (touched) => touched === 1_100,
      ),
    ).toBe(1_100);
  });

  it('is gone with the answer to whoever deletes it, its name is free, and its contacts lose it soon', async () => {
    const { store, id } = await popular();
    const statements = await statementsOfRequests(commerce, async () => {
      expect(await store.ask('DELETE', `/tag/${id}`)).toEqual(succeeded(200, 'Tag deleted', null));
    });
    expect(statements).toBeLessThan(10);
    expect(await namesIn(store)).toEqual([]);
    const [shown] = (await store.ask<Contact[]>('GET', '/contact?per_page=1')).body.data;
    expect(shown?.tags).toEqual([]);
    expect((await store.ask('GET', `/contact?tag_ids=${id}`)).status).toBe(404);
    expect((await store.ask('PUT', `/tag/${id}`, { name: 'x' })).status).toBe(404);
    expect((await store.ask('PUT', `/contact/${shown?.id}/tags`, { tag_ids: [id] })).status).toBe(404);
    expect((await store.ask('POST', '/tag', { name: 'Semua' })).status).toBe(201);
    await until(
      () => linksOf(store.storeId),
      ({ length }) => length === 0,
    );
    const left = 'SELECT 1 FROM tag WHERE store_id = $1 AND id = $2';
    await until(
      () => commerce.database.query(left, [store.storeId, id]),
      ({ length }) => length === 0,
    );
    expect(await touchedOf(store.storeId)).toBe(1_100);
  });

  it('is told by portions, and by a repeat of a job that was ended amid them', async () => {
    const { store, id } = await popular();
    const { storeId } = store;
    await commerce.database.query(`UPDATE tag SET deleted_at = $2, name = id::text WHERE store_id = $1`, [
      storeId,
      NOW,
    ]);
    const sizes: number[] = [];
    const ending = new AbortController();
    const touched = async (_tx: unknown, _by: unknown, ids: readonly string[]) => {
      sizes.push(ids.length);
      if (sizes.length === 2) ending.abort();
    };
    const tell = tellContacts(commerce.app.database, commerce.clock, touched);
    await expect(tell({ storeId, id }, ending.signal)).rejects.toThrow('aborted');
    expect([sizes, (await linksOf(storeId)).length]).toEqual([[500, 500], 100]);
    await tell({ storeId, id }, new AbortController().signal);
    expect([sizes, (await linksOf(storeId)).length]).toEqual([[500, 500, 100], 0]);
  });

  it('is walked by an index', async () => {
    const values = ['S1', '0199f7a0-0000-7000-8000-000000000001', '0199f7a0-0000-7000-8000-000000000002'];
    expectNoSeqScan(await explain(commerce.database, CONTACTS_OF_TAG, values));
  });
});
