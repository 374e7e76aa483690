import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan } from '@platform/testing';
import {
  bearer,
  madeApiToken,
  newApiToken as apiTokenOf,
  newMember,
  newStore,
  NOW,
  useCommerce,
  type ApiTokenRow,
} from '../../../commerce.fixture';
import { systemRoleNames, systemRoles } from '../../../roles';
import { Access, ACCESS_STATEMENTS } from './access';

const commerce = useCommerce();
const SKU = 'SEPATU';

const read = async (token: string, headers: Record<string, string> = {}) => {
  const { status, body } = await commerce.get('/api/products?view=variants', bearer(token, headers));
  const { data, code, message } = body as { data?: { sku: string }[]; code?: string; message?: string };
  return { status, ...(data ? { skus: data.map(({ sku }) => sku) } : { code, message }) };
};
const seen = { status: 200, skus: [SKU] };
const stranger = { status: 403, code: 'forbidden', message: 'You are not an active member of this store' };
const unauthenticated = { status: 401, code: 'unauthenticated', message: 'Unauthenticated' };
const withoutAbility = { status: 403, code: 'forbidden', message: 'This needs the ability product.read' };

const shop = () => newStore(commerce, [{ sku: SKU }]);
const newApiToken = (storeId: string, row: ApiTokenRow = {}) => apiTokenOf(commerce, storeId, row);
const change = (text: string, values: readonly unknown[]) => commerce.database.query(text, values);

describe('a member', () => {
  it.each(systemRoleNames)('with the role %s may do what that role allows', async (role) => {
    const storeId = await shop();
    // A store has one owner
    await change(`DELETE FROM membership WHERE store_id = $1`, [storeId]);
    const { token } = await newMember(commerce, storeId, role);
    const reads = (systemRoles[role] as readonly string[]).includes('product.read');
    expect(await read(token)).toEqual(reads ? seen : withoutAbility);
  });

  it("may do what a role of the store's own allows, from the moment on that it does", async () => {
    const storeId = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'finance');
    const roleId = uuidv7();
    await change(
      `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Kasir', '{order.read}', $3, $3)`,
      [storeId, roleId, NOW],
    );
    await change('UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2', [
      storeId,
      userId,
      roleId,
    ]);
    expect(await read(token)).toEqual(withoutAbility);
    await change(`UPDATE role SET abilities = '{product.read}' WHERE store_id = $1`, [storeId]);
    expect(await read(token)).toEqual(seen);
    await change(`UPDATE role SET abilities = '{}' WHERE store_id = $1`, [storeId]);
    expect(await read(token)).toEqual(withoutAbility);
  });

  it('who is demoted has lost the ability with the next request, whatever the token says', async () => {
    const storeId = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'admin');
    expect(await read(token)).toEqual(seen);
    await change(`UPDATE membership SET system_role = 'finance' WHERE store_id = $1 AND user_id = $2`, [
      storeId,
      userId,
    ]);
    expect(await read(token)).toEqual(withoutAbility);
    expect(await read(commerce.storeAuth.userToken({ sub: userId, store_id: storeId, role: 'owner' }))).toEqual(
      withoutAbility,
    );
  });

  it('who is disabled or removed may do nothing with the next request', async () => {
    const storeId = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'admin');
    await change(`UPDATE membership SET status = 'disabled' WHERE store_id = $1 AND user_id = $2`, [storeId, userId]);
    expect(await read(token)).toEqual(stranger);
    await change('DELETE FROM membership WHERE store_id = $1 AND user_id = $2', [storeId, userId]);
    expect(await read(token)).toEqual(stranger);
  });

  it('of another store is a stranger, even with a token for this one, and sees nothing of a store that does not exist', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const { userId } = await newMember(commerce, mine, 'admin');
    const tokenFor = (store_id: string) => commerce.storeAuth.userToken({ sub: userId, store_id });
    expect(await read(tokenFor(theirs))).toEqual(stranger);
    expect(await read(tokenFor('nowhere'))).toEqual(stranger);
    expect(await read(commerce.storeAuth.userToken({ sub: "'; DROP TABLE store", store_id: mine }))).toEqual(stranger);
  });
});

it('what one person asks for at once is admitted by two statements, the second of which is read after all had come', async () => {
  const storeId = await shop();
  const { userId } = await newMember(commerce, storeId, 'admin');
  let statements = 0;
  const sql = {
    prepared: async (...asked: Parameters<Sql['prepared']>) => {
      statements += 1;
      const rows = await commerce.database.prepared(...asked);
      // While the first is under way the member goes
      if (statements === 1) await change('DELETE FROM membership WHERE user_id = $1', [userId]);
      return rows;
    },
  } as Sql;
  const access = new Access(sql, { now: () => new Date(NOW) });
  const told = await Promise.allSettled(Array.from({ length: 10 }, () => access.member(storeId, userId)));
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', ...Array(9).fill('rejected')]);
  expect(statements).toBe(2);
});

describe('an API token', () => {
  it('may do in its store what it was given, and nothing else', async () => {
    const storeId = await shop();
    expect(await read((await newApiToken(storeId)).token)).toEqual(seen);
    expect(await read((await newApiToken(storeId, { abilities: ['order.read'] })).token)).toEqual(withoutAbility);
  });

  it('is refused in another store than its own, however that is named', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const { token } = await newApiToken(mine);
    expect(await read(token, { 'x-store-id': theirs })).toEqual({
      status: 403,
      code: 'forbidden',
      message: 'The token belongs to another store',
    });
    expect(await read(token, { 'x-store-id': mine })).toEqual(seen);
  });

  it('that was revoked, has expired, was never made or is misspelt is nobody', async () => {
    const storeId = await shop();
    const { token } = await newApiToken(storeId);
    for (const dead of [
      (await newApiToken(storeId, { revoked: NOW })).token,
      (await newApiToken(storeId, { expires: NOW })).token,
      madeApiToken(),
      token.slice(0, -1),
      `${token}x`,
      token.toUpperCase(),
    ])
      expect(await read(dead)).toEqual(unauthenticated);
  });

  it("is not let in where a user's login is needed", async () => {
    const { token } = await newApiToken(await shop(), { abilities: ['product.read', 'team.manage'] });
    const { status, body } = await commerce.get('/api/test', bearer(token));
    expect({ status, body }).toEqual({
      status: 403,
      body: { status: 'error', message: 'This needs a login of a user', code: 'token_not_allowed' },
    });
    expect((await commerce.get('/api/test', bearer(madeApiToken()))).status).toBe(401);
  });

  it('notes its use once a minute', async () => {
    const storeId = await shop();
    const { token, id } = await newApiToken(storeId);
    const used = async () => {
      const [row] = await commerce.database.query<{ at: Date; version: string }>(
        'SELECT last_used_at AS at, xmin::text AS version FROM api_token WHERE store_id = $1 AND id = $2',
        [storeId, id],
      );
      return row;
    };
    await read(token);
    const first = await used();
    expect(first?.at).toEqual(commerce.clock.now());
    await read(token);
    expect(await used()).toEqual(first);
    commerce.clock.advance(61_000);
    await read(token);
    expect((await used())?.at).toEqual(commerce.clock.now());
  });
});

describe('a suspended store', () => {
  it('is closed to its members, its API tokens and services; whoever lacks the ability is told that first', async () => {
    const storeId = await shop();
    const tokens = [
      (await newMember(commerce, storeId, 'admin')).token,
      (await newApiToken(storeId)).token,
      commerce.storeAuth.serviceToken('bot-engine', storeId),
    ];
    const finance = (await newMember(commerce, storeId, 'finance')).token;
    await change(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    for (const token of tokens)
      expect(await read(token)).toEqual({
        status: 403,
        code: 'store_suspended',
        message: 'The store is suspended',
      });
    expect(await read(finance)).toEqual(withoutAbility);
  });

  it('that is only closed to customers works for everybody else', async () => {
    const storeId = await shop();
    await change(`UPDATE store SET status = 'closed' WHERE store_id = $1`, [storeId]);
    expect(await read((await newMember(commerce, storeId, 'admin')).token)).toEqual(seen);
  });
});

it('a service that names a store which does not exist finds nothing there', async () => {
  const token = commerce.storeAuth.serviceToken('bot-engine');
  expect(await read(token, { 'x-store-id': 'nowhere' })).toEqual({ status: 200, skus: [] });
  const { status, body } = await commerce.get('/api/store', bearer(token, { 'x-store-id': 'nowhere' }));
  expect({ status, body }).toEqual({
    status: 404,
    body: { status: 'error', message: 'Store not found', code: 'not_found' },
  });
});

it('a store has one owner', async () => {
  const storeId = await shop();
  await expect(newMember(commerce, storeId, 'owner')).rejects.toThrow('membership_owner');
});

it.each(Object.entries(ACCESS_STATEMENTS))('the %s is found by keys', async (_, { text, values }) =>
  expectNoSeqScan(await explain(commerce.database, text, values)),
);

it('an admin may do everything but what concerns the money, the plan, the tokens and the identity of the owner', () =>
  expect(systemRoles.owner.filter((ability) => !systemRoles.admin.includes(ability))).toEqual([
    'wallet.withdraw',
    'billing.write',
    'token.write',
    'kyc.write',
  ]));
