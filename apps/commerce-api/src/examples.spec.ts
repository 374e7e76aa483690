import { exampleCases, type ExampleCase } from '@platform/testing';
import { demoShop, useCommerce } from './commerce.fixture';
import { MADE_ID } from './examples';

const PASSWORD = 'a good passphrase';
const commerce = useCommerce();
beforeAll(async () => {
  const { users } = commerce.storeAuth;
  users.set('owner@toko-nusa.example', { password: PASSWORD });
  users.set('two-factor@toko-nusa.example', { password: PASSWORD, secondFactor: true });
  commerce.storeAuth.history.push({
    at: '2026-03-01T07:00:00.000Z',
    type: 'login',
    ip: '203.0.113.7',
    user_agent: 'a browser',
    sid_hash: null,
  });
  await commerce.seed();
});

/** What an example leaves out of its answer: `<id>` stands for any text, `MADE_ID` for any id. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value === MADE_ID || /^<.+>$/.test(value) ? (expect.stringMatching(/./) as unknown) : value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]));
};

/** A fresh login each time: one of the examples ends it. */
const tokenFor = ({ name, guard, method, path }: ExampleCase): string | undefined => {
  if (guard === 'none' || name.endsWith(': no token')) return undefined;
  const readsForBot = (method === 'GET' && path === '/api/products') || path === '/api/products/check-stock';
  return readsForBot
    ? commerce.storeAuth.serviceToken('bot-engine', 'S1')
    : commerce.storeAuth.userToken({ sub: demoShop.owner.user_id });
};

/** Where the paths of features begin whose whole bodies a spec of their own shows, as a generated one does. */
const OWN_SPECS: readonly string[] = [
  '/api/category_product',
  '/api/products/{id}',
  '/api/products/bulk-update',
  '/api/products/export',
  '/api/products/import',
  '/api/upload',
  '/api/variant_product',
  '/api/warehouse',
];
const inOwnSpec = (path: string): boolean => OWN_SPECS.some((own) => path === own || path.startsWith(`${own}/`));
/** Rows that the examples name, besides those of the demo shop. */
const PARAMETERS: Readonly<Record<string, string>> = { slug: 'toko-nusa', group: 'order' };
const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => PARAMETERS[name] ?? '0199f7a0-0000-7000-8000-0000000000ff');

/** In the order in which the documentation shows them, on the demo shop. */
it('commerce-api answers every documented example as documented', async () => {
  for (const example of exampleCases(commerce.app).filter(({ path }) => !inOwnSpec(path))) {
    const { name, method, path, request, status, response } = example;
    const query = method === 'GET' && request ? `?${new URLSearchParams(request as Record<string, string>)}` : '';
    const sent = method === 'GET' ? undefined : request;
    const answer = await commerce.call(method, filled(path) + query, tokenFor(example), sent);
    expect([name, answer.status, answer.body]).toEqual([name, status, expected(response)]);
  }
});

it('commerce-api documents an example of every route', () =>
  expect(
    commerce.app.endpoints
      .filter(({ path, examples }) => path.startsWith('/api/') && !examples?.length)
      .filter(({ path }) => !inOwnSpec(path))
      .map(({ path }) => path),
  ).toEqual([]));
