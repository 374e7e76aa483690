import { uuidv7 } from '@platform/runtime';
import { exampleCases, until, type ExampleCase } from '@platform/testing';
import { demoShop, newApiToken, newMember, NOW, useCommerce } from './commerce.fixture';
import { NEW_ID } from './examples';

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

/** Rows that the examples of one path change or delete. */
const KNOWN: Record<string, string> = {};
beforeAll(async () => {
  KNOWN['/api/team/roles/{id}'] = uuidv7();
  KNOWN['/api/team/{id}'] = (await newMember(commerce, 'S1', 'cs')).userId;
  KNOWN['/api/settings/api-tokens/{id}'] = (await newApiToken(commerce, 'S1', { revoked: undefined })).id;
  await commerce.database.query(
    `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ('S1', $1, 'Tamu', '{}', $2, $2)`,
    [KNOWN['/api/team/roles/{id}'], NOW],
  );
});

/** Room for one more store. */
beforeAll(() =>
  commerce.database.query(`INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ('S1', 'stores', 1, 2)`),
);

/** Codes and tokens are in the messages alone. */
const sent = async (request: unknown): Promise<unknown> => {
  const mailTo = (email: string) => until(async () => commerce.mails.find(({ to }) => to === email)?.text);
  const given = request as Record<string, string> | undefined;
  if (given?.code === '<code>') {
    const text = await mailTo(given.email ?? '');
    return { ...given, code: /: (\S+)/.exec(text ?? '')?.[1] };
  }
  if (given?.token !== '<token>' || given.name) return request;
  const email = 'lupa@toko-nusa.example';
  commerce.storeAuth.users.set(email, { password: PASSWORD });
  await commerce.post('/api/auth/forgot-password', { email });
  return { ...given, token: /reset-password\/(\S+)/.exec((await mailTo(email)) ?? '')?.[1] };
};

/** Any text where one of the form `<name>` stands. */
const matching = (text: string): unknown => {
  const parts = text.split(/<[^>]+>/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('[^]+')}$`));
};

/** What an example leaves out of its answer: `<id>` stands for any text. */
const expected = (value: unknown): unknown => {
  if (value === NEW_ID) return expect.stringMatching(/./) as unknown;
  if (typeof value === 'string') return /<.+>/.test(value) ? matching(value) : value;
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

/** Rows that the examples name, besides those of the demo shop. */
const PARAMETERS: Readonly<Record<string, string>> = { slug: 'toko-nusa', group: 'order' };
const filled = (path: string, status: number): string =>
  (status < 400 && KNOWN[path] ? path.replace('{id}', KNOWN[path]) : path).replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => PARAMETERS[name] ?? '0199f7a0-0000-7000-8000-0000000000ff',
  );

/** In the order in which the documentation shows them, on the demo shop. */
it('commerce-api answers every documented example as documented', async () => {
  for (const example of exampleCases(commerce.app)) {
    const { name, method, path, request, status, response } = example;
    const query = method === 'GET' && request ? `?${new URLSearchParams(request as Record<string, string>)}` : '';
    const body = method === 'GET' ? undefined : await sent(request);
    const answer = await commerce.call(method, filled(path, status) + query, tokenFor(example), body);
    expect([name, answer.status, answer.body]).toEqual([name, status, expected(response)]);
  }
});
