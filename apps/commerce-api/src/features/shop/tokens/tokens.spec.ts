import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import { bearer, newApiToken, newMember, newStore, NOW, useCommerce } from '../../../commerce.fixture';
import { TOKENS_LIST } from './tokens.service';

const commerce = useCommerce();
const PATH = '/api/settings/api-tokens';

const shop = async () => {
  const storeId = await newStore(commerce, [{ sku: 'SEPATU' }]);
  return { storeId, owner: commerce.storeAuth.userToken({ store_id: storeId }) };
};
const create = async (token: string, body: object) => {
  const answer = await commerce.call('POST', PATH, token, body);
  return { status: answer.status, body: answer.body as { data: { id: string; token: string }; code?: string } };
};
const reads = async (token: string) => (await commerce.get('/api/products', bearer(token))).status;
const list = async (token: string) => (await commerce.call('GET', PATH, token)).body as { data: object[] };

describe('an API token', () => {
  it('works from its creation until it is revoked, and is shown once', async () => {
    const { owner } = await shop();
    const { status, body } = await create(owner, { name: ' Kasir ', abilities: ['product.read'] });
    const { token, ...shown } = body.data;
    expect({ status, shown }).toEqual({
      status: 201,
      shown: {
        id: expect.any(String),
        name: 'Kasir',
        last4: token.slice(-4),
        abilities: ['product.read'],
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
        created_by: { id: OWNER_ID, name: 'Sari' },
        works: true,
      },
    });
    expect(token).toMatch(/^sk_[0-9a-f]{8}_[\w-]{43}$/);
    expect(await reads(token)).toBe(200);
    expect((await list(owner)).data).toEqual([{ ...shown, last_used_at: NOW }]);
    const removed = await commerce.call('DELETE', `${PATH}/${shown.id}`, owner);
    expect([removed.status, removed.body]).toEqual([
      200,
      { status: 'success', message: 'API token deleted', data: null },
    ]);
    expect(await reads(token)).toBe(401);
    expect((await commerce.call('DELETE', `${PATH}/${shown.id}`, owner)).status).toBe(404);
    const kept = JSON.stringify([
      await commerce.database.query('SELECT * FROM api_token'),
      await commerce.database.query('SELECT * FROM audit_log'),
    ]);
    expect([kept.includes(token), commerce.lines.join('\n').includes(token)]).toEqual([false, false]);
  });

  it('is one of a hundred at most, of many at once, and those that work are listed however many others were made', async () => {
    const { storeId, owner } = await shop();
    const rows = `INSERT INTO api_token (store_id, id, name, last4, hash, abilities, created_by, created_at, updated_at, revoked_at)
      SELECT $1::text, gen_random_uuid(), 'x', '0000', md5($1 || $3::text || n) || md5(n::text), '{}', $4, now(), now(), $2::timestamptz FROM generate_series(1, $5::int) n`;
    const first = (await create(owner, { name: 'first', abilities: ['product.read'] })).body.data;
    await commerce.database.query(rows, [storeId, null, 'open', OWNER_ID, 95]);
    await commerce.database.query(rows, [storeId, NOW, 'over', OWNER_ID, 210]);
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create(owner, { name: 'at once', abilities: ['product.read'] })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [409, 'too_many_tokens']),
    );
    expect(JSON.stringify(await list(owner))).toContain(first.id);
    await commerce.call('DELETE', `${PATH}/${first.id}`, owner);
    expect((await create(owner, { name: 'again', abilities: ['product.read'] })).status).toBe(201);
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const { id, token } = await newApiToken(commerce, theirs.storeId);
    const { status, body } = await commerce.call('DELETE', `${PATH}/${id}`, mine.owner);
    expect({ status, body }).toEqual({
      status: 404,
      body: { status: 'error', message: 'API token not found', code: 'not_found' },
    });
    expect((await list(mine.owner)).data).toEqual([]);
    expect(await reads(token)).toBe(200);
  });

  it('cannot have what its maker lacks, what only people may do, or what does not exist', async () => {
    const { storeId, owner } = await shop();
    const { token, userId } = await newMember(commerce, storeId, 'cs');
    const roleId = uuidv7();
    await commerce.database.query(
      `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'IT', '{token.write,order.read}', $3, $3)`,
      [storeId, roleId, NOW],
    );
    await commerce.database.query('UPDATE membership SET system_role = NULL, role_id = $2 WHERE user_id = $1', [
      userId,
      roleId,
    ]);
    expect((await create(token, { name: 'A', abilities: ['order.read'] })).status).toBe(201);
    expect(await create(token, { name: 'A', abilities: ['order.read', 'product.read'] })).toEqual({
      status: 403,
      body: {
        status: 'error',
        message: 'You cannot grant the ability product.read, which you lack',
        code: 'forbidden',
        ability: 'product.read',
      },
    });
    for (const abilities of [['team.manage'], ['wallet.charge'], ['constructor'], []])
      expect((await create(owner, { name: 'A', abilities })).status).toBe(422);
    expect((await create(owner, { name: 'A', abilities: ['order.read'], expires_at: NOW })).status).toBe(422);
  });

  it('may do no more than its maker may do now, and nothing when the maker is disabled or gone', async () => {
    const { storeId, owner } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    const { token } = await newApiToken(commerce, storeId, { maker: userId });
    const set = (body: object) => commerce.call('PUT', `/api/team/${userId}`, owner, body);
    expect(await reads(token)).toBe(200);
    await set({ role_id: 'finance' });
    expect(await reads(token)).toBe(403);
    await set({ role_id: 'admin' });
    expect(await reads(token)).toBe(200);
    await set({ status: 'disabled' });
    expect(await reads(token)).toBe(401);
    await set({ status: 'active' });
    expect(await reads(token)).toBe(200);
    await commerce.call('DELETE', `/api/team/${userId}`, owner);
    expect(await reads(token)).toBe(401);
  });

  it('is listed with who made it, also when they are gone', async () => {
    const { storeId, owner } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    const { id } = await newApiToken(commerce, storeId, { maker: userId });
    const own = await create(owner, { name: 'Kasir', abilities: ['product.read'] });
    await commerce.call('DELETE', `/api/team/${userId}`, owner);
    expect((await list(owner)).data).toEqual([
      expect.objectContaining({ id: own.body.data.id, created_by: { id: OWNER_ID, name: 'Sari' }, works: true }),
      expect.objectContaining({ id, created_by: { id: userId, name: null }, works: false }),
    ]);
  });
});

it('the list of API tokens and their makers is read by index', async () => {
  const storeId = await newStore(commerce);
  expectNoSeqScan(await explain(commerce.database, TOKENS_LIST, [storeId, NOW]));
});
