import { sidHashOf } from '@platform/auth';
import { bearer, newStore, useCommerce } from './commerce.fixture';

const commerce = useCommerce();
beforeAll(() => commerce.seed());

const skus = async (headers: Record<string, string>) => {
  const { status, body } = await commerce.get('/api/products?view=variants', headers);
  const { data, code } = body as { data?: { sku: string }[]; code?: string };
  return { status, ...(data ? { skus: data.map(({ sku }) => sku) } : { code }) };
};
const own = { status: 200, skus: ['SEPATU-HITAM-42'] };
const unauthenticated = { status: 401, body: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' } };

describe('the token guard', () => {
  it.each([
    ['no token', () => ({})],
    ['a malformed token', () => bearer('garbage')],
    ['an expired token', () => bearer(commerce.storeAuth.userToken({}, -3600))],
    ['a token for another service', () => bearer(commerce.storeAuth.userToken({ aud: ['chat-backend'] }))],
    [
      'a service token for another service',
      () => bearer(commerce.storeAuth.serviceToken('bot-engine', 'S1', 'chat-backend')),
    ],
  ])('refuses %s', async (_, headers) => {
    for (const answer of [
      await commerce.get('/api/products', headers()),
      await commerce.post('/api/products/check-stock', { items: [{ sku: 'SEPATU-HITAM-42' }] }, headers()),
    ])
      expect({ status: answer.status, body: answer.body }).toEqual(unauthenticated);
  });

  it.each(['bot-engine', 'store-auth'])('lets %s read the store it names', async (client) => {
    expect(await skus(bearer(commerce.storeAuth.serviceToken(client), { 'x-store-id': 'S1' }))).toEqual(own);
    expect(await skus(bearer(commerce.storeAuth.serviceToken(client, 'S1')))).toEqual(own);
  });

  it.each(['chat-backend', 'ads-client', 'wa-gateway'])('refuses %s, which has no such ability', async (client) => {
    const { status, body } = await commerce.get('/api/products', bearer(commerce.storeAuth.serviceToken(client, 'S1')));
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        status: 'error',
        message: 'This needs the ability product.read',
        code: 'forbidden',
        ability: 'product.read',
      },
    });
  });

  it('asks a token that is good for any store to name one', async () => {
    const { status, body } = await commerce.get('/api/products', bearer(commerce.storeAuth.serviceToken('bot-engine')));
    const message = 'X-Store-Id is a required header for a token without a store';
    expect({ status, body }).toEqual({
      status: 422,
      body: { status: 'error', message, code: 'validation', errors: { 'X-Store-Id': [message] } },
    });
  });

  it('refuses a header that names another store than the token, of users and of services', async () => {
    const other = await newStore(commerce);
    for (const token of [commerce.storeAuth.userToken({}), commerce.storeAuth.serviceToken('bot-engine', 'S1')])
      expect(await skus(bearer(token, { 'x-store-id': other }))).toEqual({ status: 403, code: 'forbidden' });
  });

  it("shows a store's token only that store's products", async () => {
    const other = await newStore(commerce, [{ sku: 'THEIRS' }]);
    expect(await skus(bearer(commerce.storeAuth.userToken({ store_id: other })))).toEqual({
      status: 200,
      skus: ['THEIRS'],
    });
    expect(await skus(bearer(commerce.storeAuth.userToken({})))).toEqual(own);
  });
});

it('the token guard refuses a login that was revoked before the start', async () => {
  const token = commerce.storeAuth.userToken({ sid: 'ended' });
  expect(await skus(bearer(token))).toEqual(own);
  commerce.storeAuth.events.push({
    type: 'revoke',
    sid_hash: sidHashOf('ended'),
    exp: Date.parse('2027-01-01') / 1000,
  });
  const restarted = commerce.app.components.flat().find(({ name }) => name === 'revocations') as
    { refresh?(): Promise<void> } | undefined;
  await restarted?.refresh?.();
  expect(await skus(bearer(token))).toEqual({ status: 401, code: 'unauthenticated' });
});
