import { openapi, registrationsOf } from '@platform/http';
import { useRunning } from '@platform/testing';
import { OWNER, PASSWORD, basic, bearer, shop, startApp, useApp } from './app.fixture';
import { startFakeCommerce } from './clients/commerce.fake';

const LANES = 16;
const HOSTILE = {
  'U+0000': 'a\0b',
  'U+0000 in an e-mail': 'a\0b@toko-nusa.example',
  'half of a pair': 'a\ud83d',
  'the other half': '\ude00b@toko-nusa.example',
  'half of a pair at a cut': `${'x'.repeat(255)}\ud83d\ude00`,
  '64 KB': 'x'.repeat(64 * 1024),
  '64 KB of an e-mail': `${'x'.repeat(64 * 1024)}@toko-nusa.example`,
  'a right-to-left mark and emoji': '\u202e🛒',
};

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const commerce = useRunning(() =>
  startFakeCommerce({ S1: [{ product_id: 'P1', variant_id: 'V1', sku: 'A', stock: 1 }] }),
);
const { app, database } = useApp(() => ({ environment: { COMMERCE_URL: commerce.url } }));

/** Valid values, by field name. */
const GOOD: Readonly<Record<string, unknown>> = {
  email: OWNER.email,
  user_id: OWNER.user_id,
  password: PASSWORD,
  ip: '203.0.113.7',
  updated_at: '2020-01-01T00:00:00Z',
  role: 'owner',
  status: 'active',
  grant: 'session',
  kind: 'jwt',
  purpose: 'verify_email',
  audience: 'chat-backend',
  store_id: 'S1',
  qty: 1,
  ttl: 60,
  limit: 10,
};

/** Every body that a schema describes: the valid one with one of its texts replaced. */
const bodiesOf = (description: Description, schema: Schema, hostile: string): unknown[] => {
  const resolved = (each: Schema): Schema =>
    each.$ref ? (description.components.schemas[each.$ref.split('/').at(-1) ?? ''] ?? {}) : each;
  const good = (each: Schema, name = ''): unknown => {
    const { type, properties = {}, items = {} } = resolved(each);
    if (name in GOOD) return GOOD[name];
    if (type === 'object')
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, good(value, key)]));
    if (type === 'array') return [good(items)];
    return type === 'boolean' ? false : type === 'integer' || type === 'number' ? 1 : 'text';
  };
  const variants = (each: Schema, name = ''): unknown[] => {
    const { type, properties = {}, items = {} } = resolved(each);
    if (type === 'array') return variants(items).map((value) => [value]);
    if (type !== 'object') return type === 'boolean' || type === 'integer' || type === 'number' ? [] : [hostile];
    const base = good(each, name) as object;
    return Object.entries(properties).flatMap(([key, value]) =>
      variants(value, key).map((replaced) => ({ ...base, [key]: replaced })),
    );
  };
  return variants(schema);
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const requests = (hostile: string): Request[] => {
  const description = openapi(app.service) as unknown as Description;
  return registrationsOf(app.service).flatMap(({ path, endpoint: { method } }): Request[] => {
    const { parameters = [], requestBody } = description.paths[path]?.[method] ?? {};
    const goodPath = path.replace('{store_id}', 'S1').replace(/\{\w+\}/g, OWNER.user_id);
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
    const bodies = schema ? bodiesOf(description, schema, hostile) : [];
    const hostileUrl = encodeURIComponent(hostile.replace(/\p{Surrogate}/gu, '\ufffd').slice(0, 4000));
    const urls = parameters.map(({ name, in: place }) =>
      place === 'path'
        ? path
            .replace(`{${name}}`, hostileUrl)
            .replace('{store_id}', 'S1')
            .replace(/\{\w+\}/g, OWNER.user_id)
        : `${goodPath}?${name}=${hostileUrl}`,
    );
    const verb = method.toUpperCase();
    return [
      ...bodies.map((body) => ({ method: verb, path: goodPath, body })),
      ...urls.map((url) => ({ method: verb, path: url })),
    ];
  });
};

const statusOf = async ({ method, path, body }: Request, headers: Readonly<Record<string, string>>) => {
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) };
  const answer = await fetch(app.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...sent,
  });
  await answer.arrayBuffer();
  return answer.status;
};

it.each(Object.entries(HOSTILE))('%s in any text of any route causes no 500', async (_, hostile) => {
  await database.query(`UPDATE users SET status = 'active', totp_enc = NULL, email_verified_at = now()`);
  const { token } = await app.login();
  const service = bearer(await app.serviceToken('commerce-api'));
  const asked = requests(hostile);
  const failed: unknown[] = [];
  const ask = async (request: Request) => {
    const internal = request.path.startsWith('/internal');
    const headers = request.path.endsWith('service-tokens')
      ? basic('commerce-api')
      : internal
        ? service
        : bearer(token);
    const status = await statusOf(request, headers);
    if (status >= 500) failed.push({ ...request, status });
  };
  for (let first = 0; first < asked.length; first += LANES)
    await Promise.all(asked.slice(first, first + LANES).map(ask));
  expect(failed).toEqual([]);
  expect(asked.length).toBeGreaterThan(70);
});

it('a login history with hostile texts is read as it was stored', async () => {
  const other = await startApp(database.url);
  await other.seed(shop);
  const agent = {
    email: OWNER.email,
    password: PASSWORD,
    ip: '203.0.113.7',
    user_agent: HOSTILE['half of a pair at a cut'],
  };
  const headers = bearer(await other.serviceToken('commerce-api'));
  const { status } = await other.post('/internal/verify-credentials', agent, headers);
  const history = await other.get(`/internal/auth-events?user_id=${OWNER.user_id}`, headers);
  await other.stop();
  expect([status, history.status]).toEqual([200, 200]);
});
