import { registrationsOf } from '@platform/http';
import { exampleCases, type ExampleCase } from '@platform/testing';
import { basic, bearer, brief, OWNER, useApp } from './app.fixture';

const { app, database } = useApp();

/** In an example `<access token>` stands for any text. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'string') return /^<.+>$/.test(value) ? (expect.stringMatching(/./) as unknown) : value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expected(item)]));
};

const credentialsFor = async ({ guard, status }: ExampleCase): Promise<Record<string, string>> => {
  if (guard === 'client') return basic(status === 403 ? 'ads-client' : 'commerce-api');
  if (guard === 'service') return bearer(await app.serviceToken('commerce-api'));
  return guard === 'public' ? {} : bearer((await app.login()).token);
};

/** Paths name the owner of the demo shop. */
const pathOf = ({ path, method, request }: ExampleCase): string => {
  const filled = path.replace('{store_id}', 'S1').replace(/\{(user_)?id\}/, OWNER.user_id);
  const query = method === 'GET' && request ? `?${new URLSearchParams(request as Record<string, string>)}` : '';
  return filled + query;
};

it('store-auth answers every documented example as documented', async () => {
  for (const example of exampleCases(app.service)) {
    // The feed's shows no login that another example ended
    await database.query('TRUNCATE events');
    const headers = await credentialsFor(example);
    const method = example.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const answer =
      method === 'get'
        ? await app.get(pathOf(example), headers)
        : await app[method](pathOf(example), example.request ?? {}, headers);
    expect([example.name, brief(answer)]).toEqual([
      example.name,
      { status: example.status, body: expected(example.response) },
    ]);
  }
});

/** Where the paths of features begin whose whole bodies a spec of their own shows, as a generated one does. */
const OWN_SPECS: readonly string[] = [];

it('store-auth documents an example of every route', () =>
  expect(
    registrationsOf(app.service)
      .filter(({ endpoint }) => !endpoint.examples?.length)
      .filter(({ path }) => !OWN_SPECS.some((own) => path === own || path.startsWith(`${own}/`)))
      .map(({ path }) => path),
  ).toEqual([]));
