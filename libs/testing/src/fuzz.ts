import { Agent, request as send } from 'node:http';
import { registrationsOf, type Registration, type Service } from '@platform/http';
import { describedRequests } from './fuzz-bodies';
import { random, type Ingredients, type Random } from './fuzz-ingredients';

/** Part of every text that a request carries; it must never reach the log. */
export const CANARY = 'canary-9c1e-fuzz';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const LONG = `${CANARY}${'x'.repeat(9_000)}`;
const STRANGE = [
  '',
  ' ',
  '\0',
  `${CANARY}\0`,
  '\ud83d',
  'ünïcödé 🛒',
  '%00',
  "' OR 1=1 --",
  '{{7*7}}',
  '\r\nX: y',
  LONG,
];
const NUMBERS = [0, -1, 1, 1.5, 1e308, -1e308, 2 ** 53, 4_294_967_296];
const ROOTS = [
  'null',
  '[]',
  '"text"',
  '7',
  'true',
  '{"',
  '{"a":1,}',
  '\ufeff{}',
  '{"__proto__":{"x":1}}',
  '[[[[[[[[]]]]]]]]',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/',
  '',
];

const scalar = (r: Random, { texts }: Ingredients): unknown => {
  if (r.chance(0.35)) return r.pick(texts);
  if (r.chance(0.4)) return r.pick(STRANGE);
  return r.pick<unknown>([null, true, false, CANARY, r.pick(NUMBERS), `${CANARY}@${r.below(99)}.example`]);
};

const value = (r: Random, good: Ingredients, depth = 0): unknown => {
  if (depth > 2 || r.chance(0.75)) return scalar(r, good);
  const items = Array.from({ length: r.below(4) }, () => value(r, good, depth + 1));
  return r.chance(0.5)
    ? items
    : Object.fromEntries(items.map((item, n) => [r.pick(['a', 'constructor', `k${n}`]), item]));
};

type Described = ReturnType<typeof describedRequests>;
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (r: Random, good: Ingredients, { path, endpoint }: Registration, described: Described): Fields => {
  const base = described.body(path, endpoint.method, good);
  const changes = r.chance(0.3) ? 0 : 1 + r.below(3);
  const own = Object.keys(base);
  const field = () => (own.length > 0 && r.chance(0.6) ? r.pick(own) : r.pick(described.fields));
  const changed = Array.from({ length: changes }, () => [field(), value(r, good)] as const);
  return { ...base, ...Object.fromEntries(changed) };
};

const BOUNDARY = 'fuzz-boundary';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

/** The fields as a form, sometimes with a file in place of one of them. */
const formOf = (r: Random, fields: Fields, files: readonly string[]): Buffer => {
  const parts = Object.entries(fields).map(([name, content]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '')}"\r\n\r\n${text}\r\n`;
  });
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${files.length > 0 ? r.pick(files) : 'file'}"; filename="${CANARY}.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG ${CANARY}\r\n`;
  return Buffer.from(`${parts.join('')}${r.chance(0.4) ? file : ''}--${BOUNDARY}--\r\n`);
};

interface Body {
  readonly bytes: Buffer;
  readonly type: string;
}

const bodyOf = (r: Random, good: Ingredients, registration: Registration, described: Described): Body => {
  const json = 'application/json';
  if (r.chance(0.02)) return { bytes: Buffer.alloc(110_000, CANARY), type: json };
  if (r.chance(0.06)) return { bytes: Buffer.from(r.pick(ROOTS)), type: json };
  const { accepts = [], files = {} } = registration.endpoint;
  const fields = fieldsOf(r, good, registration, described);
  const asForm = accepts.includes('multipart') && r.chance(0.5);
  const bytes = asForm ? formOf(r, fields, Object.keys(files)) : Buffer.from(JSON.stringify(fields));
  const type = asForm ? FORM : json;
  if (r.chance(0.04)) return { bytes: bytes.subarray(0, r.below(bytes.length)), type };
  if (r.chance(0.04)) bytes[r.below(bytes.length)] = 0xff;
  return { bytes, type };
};

const authorization = (r: Random, { tokens, service }: Ingredients, internal: boolean): Record<string, string> => {
  if (r.chance(0.15)) return {};
  const token = internal && r.chance(0.8) ? service : r.pick(tokens);
  if (r.chance(0.75)) return { authorization: `Bearer ${token}` };
  const broken = [`Bearer ${token.slice(0, -9)}${CANARY}`, `Bearer ${token} ${CANARY}`, `basic ${CANARY}`, `Bearer`];
  return { authorization: r.pick([...broken, `Basic ${Buffer.from(`${CANARY}:${CANARY}`).toString('base64')}`]) };
};

const headersOf = (r: Random, good: Ingredients, internal: boolean, type: string): Record<string, string> => ({
  'content-type': r.chance(0.85) ? type : r.pick(TYPES),
  ...authorization(r, good, internal),
  ...(r.chance(0.1) ? { cookie: r.pick([`sa_session=${'x'.repeat(43)}`, `sa_session=${CANARY}`, ';;=;']) } : {}),
  ...(r.chance(0.1) ? { 'x-forwarded-for': r.pick(['::1', '1.2.3.4, 5.6.7.8', ',,,', CANARY]) } : {}),
  ...(r.chance(0.05) ? { 'content-encoding': r.pick(['gzip', 'br', 'identity', 'nonsense']) } : {}),
  ...(r.chance(0.05)
    ? { traceparent: r.pick(['00-x', '00-00000000000000000000000000000000-0000000000000000-00']) }
    : {}),
  ...(r.chance(0.05) ? { origin: r.pick(['null', 'https://shop.example', '*']), 'x-request-id': 'a b' } : {}),
  ...(r.chance(0.05) ? { 'user-agent': `ä${CANARY}` } : {}),
});

const SEGMENTS = ['%00', '%E0%A4%A', '%2e%2e', 'S1', CANARY, 'x'.repeat(200), '%F0%9F%9B%92', '-'];

const pathOf = (r: Random, good: Ingredients, { path, endpoint }: Registration, described: Described): string => {
  const segment = (name = '') =>
    r.chance(0.7) ? encodeURIComponent(r.pick(good.fields?.[name] ?? good.texts)) : r.pick(SEGMENTS);
  const known = good.path && r.chance(0.6) ? good.path(path) : undefined;
  const filled = known ?? path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name));
  if (endpoint.method !== 'get' && r.chance(0.95)) return filled;
  const query = new URLSearchParams(described.query(path, endpoint.method, good)).toString();
  return `${filled}?${r.chance(0.3) ? `${query}&${r.pick(described.fields)}=${segment()}` : query}`;
};

/** Requests over every route of a service, in turn: almost valid, wrong in every way, and sometimes valid. */
const fuzzer = (service: Service, r: Random) => {
  const registrations = registrationsOf(service);
  const described = describedRequests(service, r);
  let turn = 0;
  return (good: Ingredients): FuzzRequest => {
    const registration = registrations[turn++ % registrations.length] as Registration;
    const { method } = registration.endpoint;
    const path = r.chance(0.97)
      ? pathOf(r, good, registration, described)
      : `/${r.pick(['api', 'v1', 'internal'])}/${r.pick(SEGMENTS)}`;
    const verb = r.chance(0.97) ? method.toUpperCase() : r.pick(['GET', 'HEAD', 'PATCH', 'OPTIONS', 'DELETE', 'PUT']);
    const body = verb === 'GET' || verb === 'HEAD' ? undefined : bodyOf(r, good, registration, described);
    const headers = headersOf(r, good, path.startsWith('/internal'), body?.type ?? 'application/json');
    return { method: verb, path, headers, body: body?.bytes };
  };
};

const connections = new Agent({ keepAlive: true, maxSockets: 16 });

/** The status, or 0 when the connection ended first, as it may for a body that is too large. */
const statusOf = (base: string, { method, path, headers, body }: FuzzRequest): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const length = body ? { 'content-length': body.length } : {};
    const request = send({ hostname, port, method, path, headers: { ...headers, ...length }, agent: connections });
    request
      .on('error', () => resolve(0))
      .on('response', (response) => {
        response.resume().on('close', () => resolve(response.statusCode ?? 0));
      });
    request.end(body);
  });

export interface FuzzRun {
  /** Lists the first few requests that were answered with 5xx or not at all. */
  readonly broken: readonly string[];
  readonly statuses: ReadonlySet<number>;
}

export interface FuzzOptions {
  readonly url: string;
  readonly service: Service;
  /** Another seed gives other requests; print it when a test fails. */
  readonly seed: number;
  readonly requests: number;
  /** Undoes what earlier requests may have changed; called before every `round` requests. */
  readonly prepare: () => Promise<Ingredients>;
  readonly round?: number;
  /** Added to each request unless it has them: an address of its own, where many would be limited. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Answers of 5xx that the service documents for a request. */
  readonly allowed?: readonly number[];
  /** Bytes of a body from which a connection may be cut instead of answered. */
  readonly tooLarge?: number;
}

const AT_ONCE = 16;

/** Sends this many requests, sixteen at a time. */
export const fuzz = async (options: FuzzOptions): Promise<FuzzRun> => {
  const {
    url,
    service,
    seed,
    requests,
    prepare,
    round = 500,
    allowed = [],
    tooLarge = 100_000,
    headers: more,
  } = options;
  const next = fuzzer(service, random(seed));
  const broken: string[] = [];
  const statuses = new Set<number>();
  const one = async (request: FuzzRequest) => {
    const status = await statusOf(url, { ...request, headers: { ...more?.(), ...request.headers } });
    statuses.add(status);
    const { method, path, headers, body } = request;
    const lost = status === 0 && (body?.length ?? 0) <= tooLarge;
    if (lost || (status >= 500 && !allowed.includes(status)))
      broken.push(`${status} ${method} ${path} ${JSON.stringify(headers)} ${body?.subarray(0, 600).toString()}`);
  };
  for (let sent = 0; sent < requests; sent += round) {
    const good = await prepare();
    const waiting = Array.from({ length: round }, () => next(good));
    const worker = async () => {
      for (let request = waiting.pop(); request; request = waiting.pop()) await one(request);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
  connections.destroy();
  return { broken: broken.slice(0, 5), statuses };
};
