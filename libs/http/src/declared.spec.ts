import { plainEnvelope } from '@platform/envelopes';
import { Gone, PaymentRequired, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { Anything, Int, List, ListOfOne, Text, type DtoClass } from '@platform/validation';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { csv } from './csv';
import { area } from './area';
import { endpointsOf, type Endpoint } from './endpoint';
import { oneOf } from './one-of';
import { position, uuid } from './parameters';
import { startService, type RunningService } from './server';
import { registrationsOf, type Service } from './service';
import { fixtureService } from './service.fixture';
import { cursorPage, dataOf, done, pageMeta, pageOf } from './shaped';
import { openapi } from './openapi';

const endpoint = endpointsOf<{ public: undefined }>().withDefaults({ unknownKeys: 'refuse', params: { id: uuid } });
const ID = '0190a0b0-0000-7000-8000-00000000000a';

class Coupon {
  @Text() code!: string;
  @Expose({ groups: ['coupon.cost'] }) @Int({ optional: true }) cost?: number;
  @Exclude() @Text({ optional: true }) note?: string;
}
class Refusal {
  @Text() reason!: string;
}
class NewCoupon {
  @Text() code!: string;
}
class Sent {
  @Text({ max: 5 }) 'x-device'!: string;
}

const ROW = { code: 'A1', cost: 5, note: 'mine', passwordHash: 'secret' };
const common = { summary: 'For this test', guard: 'public', envelope: plainEnvelope } as const;

const endpoints = area({ prefix: '/api/coupon', tag: 'Coupons' }, [
  endpoint({
    ...common,
    get: '',
    reply: pageOf(Coupon),
    handle: () => ({ rows: [ROW], total: 31, page: 2, perPage: 15 }),
  }),
  endpoint({ ...common, get: '/feed', reply: cursorPage(Coupon), handle: () => ({ rows: [ROW], nextCursor: null }) }),
  endpoint({
    ...common,
    post: '',
    status: 201,
    body: NewCoupon,
    reply: dataOf(Coupon, 'Coupon created'),
    handle: ({ body }) => ({ ...ROW, code: body.code }),
  }),
  endpoint({ ...common, delete: '/{id}', reply: done('Coupon deleted'), handle: () => undefined }),
  endpoint({
    ...common,
    get: '/{id}/lines/{position}',
    params: { position },
    reply: 'json',
    handle: ({ params }) => ({ id: params.id, next: params.position + 1 }),
  }),
  endpoint({ ...common, get: '/named/{name}', reply: 'json', handle: ({ params }) => ({ name: params.name }) }),
  endpoint({
    ...common,
    get: '/either/{name}',
    reply: oneOf(Coupon, Refusal),
    handle: ({ params }) => (params.name === 'good' ? ROW : { ...ROW, code: undefined, reason: 'unknown' }),
  }),
  endpoint({ ...common, get: '/mine', reply: Sent, headers: Sent, handle: ({ headers }) => headers }),
  ...[PaymentRequired, Gone, UpstreamFailed, UpstreamTimedOut].map((Kind) =>
    endpoint({
      ...common,
      get: `/fails/${Kind.name}`,
      reply: 'json',
      handle: () => {
        throw new Kind('no');
      },
    }),
  ),
]);

let service: RunningService;
const definition = fixtureService({ endpoints, groupsOf: () => new Set(['coupon.cost']) });
beforeAll(async () => {
  service = await startService(definition, { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => service.stop());

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${service.url}/api/coupon${path}`, init);
  return { status: answer.status, body: (await answer.json()) as unknown };
};
const shown = { code: 'A1', cost: 5 };

describe('a reply is sent as its declaration says', () => {
  it('pageOf answers a page with its place among all rows', async () =>
    expect(await call('')).toEqual({
      status: 200,
      body: {
        data: [shown],
        meta: { current_page: 2, per_page: 15, total: 31, last_page: 3, from: 16, to: 16 },
      },
    }));

  it.each([
    [
      { rows: [], total: 0, page: 1, perPage: 15 },
      { last_page: 1, from: null, to: null },
    ],
    [
      { rows: [], total: 30, page: 3, perPage: 15 },
      { last_page: 2, from: null, to: null },
    ],
    [
      { rows: [1, 2], total: 32, page: 3, perPage: 15 },
      { last_page: 3, from: 31, to: 32 },
    ],
    [
      { rows: [1], total: 1, page: 1, perPage: 15 },
      { last_page: 1, from: 1, to: 1 },
    ],
  ])('pageMeta gives the position of a page: %j', (paged, where) =>
    expect(pageMeta(paged)).toStrictEqual({
      current_page: paged.page,
      per_page: paged.perPage,
      total: paged.total,
      ...where,
    }),
  );

  it('dataOf declared without a message answers none', () =>
    expect(dataOf(Coupon).shape(ROW)).toStrictEqual({ data: ROW }));

  it('cursorPage answers rows with the next cursor', async () =>
    expect(await call('/feed')).toEqual({ status: 200, body: { data: [shown], meta: { next_cursor: null } } }));

  it('dataOf answers data with a message, and drops members that the view does not declare', async () =>
    expect(
      await call('', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"B2"}' }),
    ).toEqual({ status: 201, body: { message: 'Coupon created', data: { code: 'B2', cost: 5 } } }));

  it('done answers nothing but a message', async () =>
    expect(await call(`/${ID}`, { method: 'DELETE' })).toEqual({
      status: 200,
      body: { message: 'Coupon deleted', data: null },
    }));

  it('a reply of several DTOs is written by the one that matches the value', async () => {
    expect(await call('/either/good')).toEqual({ status: 200, body: shown });
    expect(await call('/either/bad')).toEqual({ status: 200, body: { reason: 'unknown' } });
  });

  it('members of groups that the caller is not in are left out', async () => {
    const strangers = await startService(fixtureService({ endpoints, groupsOf: () => new Set() }), {
      port: 0,
      host: '127.0.0.1',
      logger: silentLogger,
    });
    const body: unknown = await (await fetch(`${strangers.url}/api/coupon/either/good`)).json();
    await strangers.stop();
    expect(body).toEqual({ code: 'A1' });
  });
});

describe('path parameters', () => {
  it('path parameters are read by the rules of the endpoint and of its service', async () =>
    expect(await call(`/${ID.toUpperCase()}/lines/7`)).toEqual({ status: 200, body: { id: ID, next: 8 } }));

  it.each([
    ['0', 1],
    ['2147483647', 2147483648],
  ])('a position is any whole number that PostgreSQL can hold: %s', async (position, next) =>
    expect(await call(`/${ID}/lines/${position}`)).toEqual({ status: 200, body: { id: ID, next } }),
  );

  it.each([
    '/7/lines/7',
    `/${ID}/lines/-1`,
    `/${ID}/lines/2147483648`,
    `/${ID}/lines/7.0`,
    '/named/%00',
    '/named/a%0Ab',
    '/named/..%2F..%2Fetc',
    '/named/..%5C..%5Cetc',
    `/named/${'a'.repeat(256)}`,
  ])('a path parameter that breaks its rule is a 404: %s', async (path) =>
    expect(await call(path)).toEqual({ status: 404, body: { status: 'error', message: 'Not found' } }),
  );

  it('a path parameter without a rule accepts any letters', async () =>
    expect(await call('/named/%F0%9F%98%80%20a+b')).toEqual({ status: 200, body: { name: '😀 a+b' } }));
});

describe('a header DTO', () => {
  it('a header DTO gives the handler what it declares', async () =>
    expect(await call('/mine', { headers: { 'x-device': 'd1', 'x-other': '1' } })).toEqual({
      status: 200,
      body: { 'x-device': 'd1' },
    }));

  it('a header that breaks the rules of its DTO is refused', async () => {
    const { status } = await call('/mine', { headers: { 'x-device': 'too long' } });
    expect([status, (await call('/mine')).status]).toEqual([422, 422]);
  });
});

it.each([
  [402, 'PaymentRequired'],
  [410, 'Gone'],
  [502, 'UpstreamFailed'],
  [504, 'UpstreamTimedOut'],
])('an endpoint answers %d for %s', async (status, name) =>
  expect(await call(`/fails/${name}`)).toEqual({ status, body: { status: 'error', message: 'no' } }),
);

describe('the OpenAPI description of declared shapes', () => {
  const document = openapi(definition) as {
    paths: Record<string, Record<string, { tags: string[]; parameters: object[] }>>;
    components: { schemas: Record<string, { properties: object }> };
  };

  it('OpenAPI names shaped replies after their view, and every rule of a parameter', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Coupon', 'CouponPage', 'CouponFeed', 'CouponData', 'PageMeta', 'CursorMeta', 'Done']),
    );
    expect(document.paths['/api/coupon/{id}/lines/{position}']?.get).toMatchObject({
      tags: ['Coupons'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        { name: 'position', in: 'path', required: true, schema: { type: 'integer', minimum: 0, maximum: 2147483647 } },
      ],
    });
  });

  it('OpenAPI has one schema for the same shape of the same view', () => {
    const dtoOf = (view: DtoClass) => dataOf(view).dto;
    expect(dtoOf(Coupon)).toBe(dtoOf(Coupon));
    expect(dtoOf(Coupon)).not.toBe(dtoOf(Refusal));
  });
});

describe('what endpoints have in common is declared once', () => {
  const handle = () => ({});
  const shared = endpointsOf<{ public: undefined }>()
    .withDefaults({ tag: 'Shared', params: { id: uuid, at: uuid } })
    .withDefaults({ etag: true, params: { at: position } });

  it('as defaults, which later declarations override, with rules only for parameters in the path', () => {
    const made = shared({ put: '/{id}/{at}/{name}', ...common, etag: false, reply: 'json', handle });
    expect(made).toMatchObject({ method: 'put', path: '/{id}/{at}/{name}', tag: 'Shared', etag: false });
    expect(made.params).toStrictEqual({ id: uuid, at: position });
    const own = shared({ get: '/{id}', ...common, params: { id: position }, reply: 'json', handle });
    expect([own.params, own.etag]).toStrictEqual([{ id: position }, true]);
    expect(shared({ delete: '/all', ...common, reply: 'json', handle }).params).toBeUndefined();
  });

  it('as an area, whose heading goes to endpoints that have none', () => {
    const tagged = { ...shared({ get: '/a', ...common, reply: 'json', handle }), tag: 'Own' };
    const plain = { ...tagged, tag: undefined };
    expect(area({ prefix: '/x', tag: 'Area' }, [tagged, plain]).map(({ path, tag }) => [path, tag])).toEqual([
      ['/x/a', 'Own'],
      ['/x/a', 'Area'],
    ]);
  });
});

it('an area with a parameter in its prefix is refused, because its endpoints would not be typed by it', () =>
  expect(() => area({ prefix: '/shops/{id}' }, [])).toThrow(
    'the area /shops/{id} has a parameter: put it into the paths of its endpoints',
  ));

describe('a service does not start with declarations it cannot keep', () => {
  const base = { summary: 'x', guard: 'public', reply: 'json' } as const;
  const limited = endpoint({
    ...base,
    post: '/limited',
    rate: { requests: 1, perSeconds: 1, by: 'caller' },
    handle: () => ({}),
  });
  const kept = endpoint({
    ...base,
    post: '/kept',
    idempotency: 'optional',
    handle: ({ once }) => once(async () => ({})),
  });
  const bytes = { ...kept, reply: 'bytes' as const, path: '/bytes' };
  const plain = { ...kept, idempotency: undefined, path: '/plain' };
  const etagged = (reply: Endpoint['reply'], status?: number) => ({ ...plain, etag: true, reply, status });
  class Shop {
    @Type(() => Coupon) @Anything() best?: unknown;
  }
  class Bag {
    @ListOfOne(() => [Refusal, Coupon]) coupons!: Refusal[] | Coupon[];
    @List(() => Bag) bags!: Bag[];
  }
  class Trimmed {
    @Transform(({ value }) => value as string, { groups: ['owner'] }) @Text() name!: string;
  }
  it.each<[Partial<Service>, string]>([
    [{ endpoints: [{ ...plain, guard: 'none' }] }, 'fixture has no guard called none'],
    [{ endpoints: [{ ...plain, variants: ['pos'] }] }, 'fixture has no variant called pos'],
  ])('such as an endpoint that names something undefined', (more, message) =>
    expect(() => registrationsOf(fixtureService(more))).toThrow(message),
  );

  it('and names everything that is missing at once', () =>
    expect(() => registrationsOf(fixtureService({ endpoints: [limited, kept], callerKey: undefined }))).toThrow(
      'fixture cannot start: POST /limited asks for a rate limit by caller, but the service has no `callerKey` to tell callers apart; ' +
        'POST /kept asks for an Idempotency-Key, but the service has no `callerKey` to tell callers apart',
    ));

  it.each<[Partial<Service>, string]>([
    [
      { endpoints: [limited], counter: undefined },
      'POST /limited asks for a rate limit, but the service has no `counter` to keep it',
    ],
    [
      { endpoints: [limited], callerKey: undefined },
      'POST /limited asks for a rate limit by caller, but the service has no `callerKey` to tell callers apart',
    ],
    [
      { endpoints: [kept], idempotency: undefined },
      'POST /kept asks for an Idempotency-Key, but the service has no `idempotency` store to keep it in',
    ],
    [
      { endpoints: [kept], callerKey: undefined },
      'POST /kept asks for an Idempotency-Key, but the service has no `callerKey` to tell callers apart',
    ],
    [{ endpoints: [bytes] }, 'POST /bytes asks for an Idempotency-Key, but an answer of bytes cannot be kept'],
    ...[
      ...(['bytes', 'redirect', 'nothing', csv([]), oneOf(Coupon, 'bytes')] as const).map((reply) => etagged(reply)),
      etagged(Refusal, 201),
    ].map((endpoint): [Partial<Service>, string] => [
      { endpoints: [endpoint] },
      'POST /plain asks for an ETag, which only a 200 of JSON, text or a page carries',
    ]),
    ...[Coupon, oneOf(Refusal, Coupon), pageOf(Coupon), Shop, Bag, Trimmed].map((reply): [Partial<Service>, string] => [
      { endpoints: [{ ...plain, reply }] },
      "POST /plain shows members by the caller's groups, but the service has no `groupsOf` to tell them",
    ]),
    [
      { endpoints: [], counter: undefined, rate: { requests: 1, perSeconds: 1, guards: ['public'] } },
      'the shared `rate` needs a `counter` to keep it',
    ],
  ])('such as an endpoint that needs a part that the service lacks', async (more, message) => {
    const wanting = fixtureService(more);
    expect(() => registrationsOf(wanting)).toThrow(`fixture cannot start: ${message}`);
    await expect(startService(wanting, { port: 0, host: '127.0.0.1', logger: silentLogger })).rejects.toThrow(message);
  });
});
