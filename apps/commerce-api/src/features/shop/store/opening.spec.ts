import { until } from '@platform/testing';
import { bearer, newApiToken, newMember, newStore, useCommerce } from '../../../commerce.fixture';

const commerce = useCommerce();

type Shown = { readonly status: number; readonly body: { readonly data: { id: string; slug: string }; code?: string } };
const open = async (token: string, name: string, key?: string): Promise<Shown> => {
  const headers = bearer(token, key === undefined ? {} : { 'idempotency-key': key });
  const { status, body } = await commerce.post('/api/store', { name }, headers);
  return { status, body: body as Shown['body'] };
};
/** The owner of a store whose plan has room for so many stores. */
const owner = async (allowed: number) => {
  const storeId = await newStore(commerce);
  await commerce.database.query(`INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'stores', 1, $2)`, [
    ...[storeId, allowed],
  ]);
  return { storeId, ...(await newMember(commerce, storeId, 'admin')) };
};
const owned = (userId: string) =>
  commerce.database.query(
    `SELECT s.name, m.system_role AS role, (SELECT count(*)::int FROM warehouse w WHERE w.store_id = s.store_id) AS warehouses
     FROM store s JOIN membership m ON m.store_id = s.store_id AND m.user_id = $1 WHERE s.owner_user_id = $1 ORDER BY s.name`,
    [userId],
  );

describe('another store', () => {
  it('is its opener’s, with a warehouse, a slug and a log of its own, and store-auth hears of it', async () => {
    const { token, userId } = await owner(2);
    const { status, body } = await open(token, 'Toko Nusa Dua');
    const { id, slug } = body.data;
    const view = {
      ...{ id, slug, name: 'Toko Nusa Dua', url: `https://shop.example/s/${slug}`, currency: 'IDR', status: 'open' },
      ...{ timezone: 'Asia/Jakarta', logo_url: null, description: '', phone: null, address: null, hours: [] },
      kyc_status: null,
    };
    expect({ status, body }).toEqual({
      ...{ status: 201, body: { status: 'success', message: 'Store created', data: view } },
    });
    expect(slug).toMatch(/^toko-nusa-dua/);
    expect(await owned(userId)).toEqual([{ name: 'Toko Nusa Dua', role: 'owner', warehouses: 1 }]);
    const [team, ...others] = await commerce.database.query<{ id: string }>(
      'SELECT id, name, kind, private, distribution, hours FROM chat_team WHERE store_id = $1',
      [id],
    );
    const usual = { name: 'CS', kind: 'cs', private: true, distribution: 'manual', hours: null };
    expect([team, others]).toEqual([{ id: team?.id, ...usual }, []]);
    expect(
      await commerce.database.query(
        `SELECT kind, row_id FROM sync_pending WHERE store_id = $1 AND kind IN ('teams', 'team_members') ORDER BY kind DESC`,
        [id],
      ),
    ).toEqual([
      { kind: 'teams', row_id: team?.id },
      { kind: 'team_members', row_id: `${team?.id} ${userId}` },
    ]);
    const told = await until(
      async () => [commerce.storeAuth.pushed.get(id), commerce.storeAuth.pushed.get(`${id} ${userId}`)],
      (both) => both.every(Boolean),
    );
    expect(told).toMatchObject([
      { nama: 'Toko Nusa Dua', status: 'open' },
      { role: 'owner', status: 'active', teams: [team?.id] },
    ]);
    const there = commerce.storeAuth.userToken({ sub: userId, store_id: id });
    const logs = await commerce.call('GET', '/api/logs', there);
    expect(logs.body).toMatchObject({ data: [{ action: 'settings.write', subject: { type: 'store', id } }] });
  });

  it('is one for one key, of ten at once and of ten later', async () => {
    const { token, userId } = await owner(5);
    const ten = () => Promise.all(Array.from({ length: 10 }, () => open(token, 'Sekali', 'k1')));
    const first = await ten();
    expect(first.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const later = await ten();
    expect(new Set(later.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    expect(await owned(userId)).toHaveLength(1);
    expect(await open(token, 'Lain', 'k1')).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } });
  });

  it('is never one more than the plan allows, of twenty at once', async () => {
    const { token, userId } = await owner(3);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => open(token, `Toko ${at}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.find(({ status }) => status !== 201)).toEqual({
      status: 402,
      body: {
        ...{ status: 'error', message: 'The plan allows 3 (stores)', code: 'plan_limit' },
        ...{ metric: 'stores', limit: 3 },
      },
    });
    expect(await owned(userId)).toHaveLength(2);
  });

  it('is opened by a person alone', async () => {
    const { storeId } = await owner(2);
    const { token } = await newApiToken(commerce, storeId, { abilities: ['settings.write'] });
    expect(await open(token, 'Toko')).toMatchObject({ status: 403, body: { code: 'token_not_allowed' } });
  });
});
