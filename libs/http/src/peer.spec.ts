import { Conflict, Failure, NotFound, Rejected } from '@platform/errors';
import { fixedClock } from '@platform/runtime';
import { httpClient, type HttpClient } from './client';
import { peer, type PeerCall, type PeerOptions } from './peer';
import { path } from './peer-path';
import { answers, flood, hangs, resets, startSibling, type Sibling } from './sibling.fixture';

let sibling: Sibling;
let http: HttpClient;
beforeAll(async () => {
  sibling = await startSibling();
});
beforeEach(() => {
  sibling.seen.length = 0;
  sibling.state.does = answers(200, { result: true, data: 1 });
  http = httpClient('chat-backend', sibling.url, { connections: 4 });
});
afterEach(() => http.stop?.());
afterAll(() => sibling.stop());

const SECRET = 'canary-token';
const PHONE = '6281234567890';
const refusals = { chat_not_found: NotFound, chat_handled: Conflict, 422: Rejected };
const chat = (options: Partial<PeerOptions> = {}) =>
  peer('chat-backend', http, { timeoutMs: 2_000, token: () => SECRET, refusals, ...options });
const call: PeerCall = { method: 'POST', path: path('/v1/chats/{phone}', { phone: PHONE }), json: { pesan: 'canary' } };

const textOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.message} ${JSON.stringify(thrown)} ${textOf(thrown.cause)}` : '';

/** The content of a failure: kind, message, code, details, seconds. Never a token, an id or a text of the call. */
const failing = async (asked: Promise<unknown>) => {
  const failure = await asked.then(
    () => undefined,
    (thrown: Failure & { retryAfterSeconds?: number; reason?: string }) => thrown,
  );
  expect(failure).toBeInstanceOf(Failure);
  expect(textOf(failure)).not.toMatch(/canary|6281234567890/);
  const { name, message, code, details = {}, retryAfterSeconds, reason } = failure ?? {};
  return { name, message, code, details, retryAfterSeconds, reason, cause: (failure?.cause as Error)?.message };
};
const none = { code: undefined, details: {}, retryAfterSeconds: undefined, reason: undefined };

describe('a call to a sibling', () => {
  it('carries our token, the store, a query and a body, and resolves to the body', async () => {
    const token = (storeId?: string) => Promise.resolve(`token for ${storeId}`);
    const query = { q: 'a&b=c', page: 2, all: false, no: undefined };
    const answer = await chat({ token }).ask({ ...call, storeId: 'S1', query, headers: { 'x-kind': 'k' } });
    expect(answer).toEqual({ result: true, data: 1 });
    expect(sibling.seen).toEqual([
      {
        method: 'POST',
        url: `/v1/chats/${PHONE}?q=a%26b%3Dc&page=2&all=false`,
        headers: expect.objectContaining({ authorization: 'Bearer token for S1', 'x-store-id': 'S1', 'x-kind': 'k' }),
        body: '{"pesan":"canary"}',
      },
    ]);
  });

  it('resolves to the headers too when asked for', async () => {
    sibling.state.does = answers(201, { data: 1 }, { 'x-ids': 'a,b' });
    const { body, headers } = await chat().exchange(call);
    expect([body, headers['x-ids']]).toEqual([{ data: 1 }, 'a,b']);
  });

  it("carries its caller's token, and never another caller's or this service's", async () => {
    const service = chat();
    const [rina, siti] = [service.as('token of rina'), service.as('token of siti')];
    await Promise.all([rina.ask(call), service.ask(call), siti.ask(call), rina.as('token of budi').ask(call)]);
    const carried = sibling.seen.map(({ headers }) => headers.authorization);
    expect(carried.sort()).toEqual([
      `Bearer ${SECRET}`,
      'Bearer token of budi',
      'Bearer token of rina',
      'Bearer token of siti',
    ]);
  });

  it('carries no token where there is none, and no store where none is named', async () => {
    const bare = chat({ token: undefined });
    expect(bare.name).toBe('chat-backend');
    await bare.ask({ path: path('/v1/chats'), storeId: 'S1', query: { q: undefined } });
    await bare.ask(call);
    await bare.as('token of rina').ask({ ...call, storeId: 'S1' });
    expect(sibling.seen.map(({ headers }) => [headers.authorization, headers['x-store-id']])).toEqual([
      [undefined, 'S1'],
      [undefined, undefined],
      ['Bearer token of rina', undefined],
    ]);
    expect(sibling.seen[0]).toMatchObject({ method: 'GET', url: '/v1/chats', body: '' });
  });

  it('may have a shorter time-out than the default', async () => {
    sibling.state.does = hangs;
    expect(await failing(chat({ timeoutMs: 60_000 }).ask({ ...call, timeoutMs: 50 }))).toMatchObject({
      message: 'chat-backend did not answer in time',
    });
  });
});

describe('a refusal of a sibling', () => {
  it('becomes the failure mapped to its code, with code, message and details', async () => {
    sibling.state.does = answers(200, { result: false, message: 'sudah', code: 'chat_handled', user_nama: 'Rina' });
    expect(await failing(chat().ask(call))).toEqual({
      ...none,
      name: 'Conflict',
      message: 'sudah',
      code: 'chat_handled',
      details: { user_nama: 'Rina' },
      cause: 'chat-backend answered 200 (chat_handled) to POST /v1/chats/{phone}',
    });
  });

  it('becomes the failure mapped to its status when its code is not mapped', async () => {
    sibling.state.does = answers(422, { errors: [{ field: 'nohp', tag: 'required', message: 'x' }] });
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'Rejected', message: 'chat-backend refused' });
  });

  it('that is not mapped is a failure of the sibling', async () => {
    sibling.state.does = answers(200, { result: false, message: `${PHONE} canary`, code: 'other' });
    expect(await failing(chat().ask(call))).toEqual({
      ...none,
      name: 'UpstreamFailed',
      message: 'chat-backend answered with something else than was asked for',
      cause: 'chat-backend answered 200 (other) to POST /v1/chats/{phone}',
    });
  });

  it.each(['constructor', '__proto__', 'toString', 'a\u0000b'])('with the code %j is not mapped', async (code) => {
    sibling.state.does = answers(409, `{"status":"error","message":"no","code":${JSON.stringify(code)}}`);
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'UpstreamFailed', code: undefined });
  });

  it('for too many calls keeps the waiting time of the sibling', async () => {
    sibling.state.does = answers(429, { status: 'error', message: 'Too Many Requests' }, { 'retry-after': '37' });
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'TooMany', retryAfterSeconds: 37 });
  });

  it("for too many calls has our own message, with the sibling's code", async () => {
    sibling.state.does = answers(429, { status: 'error', message: 'no', code: 'slow_down' });
    expect(await failing(chat().ask(call))).toEqual({
      ...none,
      name: 'TooMany',
      message: 'Too many attempts, please try again later',
      code: 'slow_down',
      retryAfterSeconds: 5,
      cause: 'chat-backend answered 429 (slow_down) to POST /v1/chats/{phone}',
    });
  });

  it('for too many calls may be mapped too, and keeps the waiting time', async () => {
    sibling.state.does = answers(429, {}, { 'retry-after': '9' });
    const meant = chat({ refusals: { 429: Conflict } });
    expect(await failing(meant.ask(call))).toEqual({
      ...none,
      name: 'Conflict',
      message: 'chat-backend refused',
      retryAfterSeconds: 9,
      cause: 'chat-backend answered 429 to POST /v1/chats/{phone}',
    });
  });

  it.each([
    ['1234567890', 5],
    ['5s', 5],
    ['x5', 5],
    ['0', 0],
    ['999999999', 86_400],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 5],
    ['-1', 5],
  ])('for too many calls with Retry-After %j is over after %i s', async (header, seconds) => {
    sibling.state.does = answers(429, {}, { 'retry-after': header });
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'TooMany', retryAfterSeconds: seconds });
  });

  it.each([401, 403])('of our own token (%i) is a failure of the sibling that says what to compare', async (status) => {
    sibling.state.does = answers(status, { status: 'error', message: 'Unauthenticated' });
    expect(await failing(chat().ask(call))).toEqual({
      ...none,
      name: 'UpstreamFailed',
      message: 'chat-backend refuses our service token',
      cause:
        `chat-backend refuses our service token: ${status} to POST /v1/chats/{phone}; ` +
        'compare JWT_ISSUER and JWT_AUDIENCE of chat-backend, and SERVICE_CLIENTS of store-auth, with this service',
    });
  });

  it("of the caller's token becomes a refusal of the caller", async () => {
    const rina = chat().as(SECRET);
    sibling.state.does = answers(401, { status: 'invalid', message: 'token tidak valid' });
    expect(await failing(rina.ask(call))).toMatchObject({ name: 'Unauthenticated', reason: 'invalid' });
    sibling.state.does = answers(401, { status: 'ekspired', message: 'token ekspired' });
    expect(await failing(rina.ask(call))).toMatchObject({ name: 'Unauthenticated', reason: 'expired' });
    sibling.state.does = answers(401, { status: 'error', message: 'no', code: 'revoked' });
    expect(await failing(rina.ask(call))).toMatchObject({
      ...{ reason: 'invalid', code: 'revoked', cause: 'chat-backend answered 401 (revoked) to POST /v1/chats/{phone}' },
    });
    sibling.state.does = answers(403, {});
    expect(await failing(rina.ask(call))).toEqual({
      ...none,
      name: 'Forbidden',
      message: 'Forbidden',
      cause: 'chat-backend answered 403 to POST /v1/chats/{phone}',
    });
    sibling.state.does = answers(403, { status: 'error', message: 'no', code: 'forbidden', ability: 'chat.read' });
    expect(await failing(rina.ask(call))).toMatchObject({
      ...{ name: 'Forbidden', message: 'no', code: 'forbidden', details: { ability: 'chat.read' } },
    });
  });
});

describe('a sibling that', () => {
  it('hangs has timed out, and no retry begins after the time-out of the whole call', async () => {
    sibling.state.does = hangs;
    const expected = { ...none, name: 'UpstreamTimedOut', message: 'chat-backend did not answer in time' };
    expect(await failing(chat({ timeoutMs: 50 }).ask(call))).toMatchObject(expected);
    sibling.seen.length = 0;
    expect(await failing(chat({ timeoutMs: 1_000 }).ask({ ...call, retries: 50 }))).toMatchObject(expected);
    expect(sibling.seen).toHaveLength(1);
  });

  it('hangs holds no more connections than its share, and calls beyond it fail at once', async () => {
    sibling.state.does = hangs;
    sibling.state.mostConnections = sibling.state.connections;
    const slow = chat({ timeoutMs: 300, concurrency: 8 });
    const failures = await Promise.all(Array.from({ length: 20 }, () => failing(slow.ask(call))));
    const count = (message: string) => failures.filter((failure) => failure.message === message).length;
    expect([count('chat-backend did not answer in time'), count('chat-backend is overloaded')]).toEqual([8, 12]);
    expect(sibling.state.mostConnections).toBeLessThanOrEqual(4 + 1);
    expect(sibling.seen.length).toBeLessThanOrEqual(8);
  });

  it('was slow has its share of calls back once they have ended', async () => {
    const one = chat({ concurrency: 1 });
    sibling.state.does = resets;
    await failing(one.ask(call));
    sibling.state.does = answers(200, { data: 1 });
    expect([await one.ask(call), await one.ask(call)]).toEqual([{ data: 1 }, { data: 1 }]);
  });

  it('redirects has failed', async () => {
    sibling.state.does = answers(302, { data: 1 }, { location: '/login' });
    const failure = await failing(chat().ask(call));
    expect(failure).toMatchObject({ name: 'UpstreamFailed', message: 'chat-backend answered 302' });
  });

  it('resets the connection has failed', async () => {
    sibling.state.does = resets;
    const failure = await failing(chat().ask(call));
    expect(failure).toMatchObject({ ...none, name: 'UpstreamFailed', message: 'chat-backend did not answer' });
  });

  it('is down has failed, or is unavailable when this service cannot serve without it', async () => {
    const gone = httpClient('chat-backend', 'http://127.0.0.1:1');
    const options = { timeoutMs: 2_000 };
    expect(await failing(peer('chat-backend', gone, options).ask(call))).toMatchObject({ name: 'UpstreamFailed' });
    const needed = peer('chat-backend', gone, { ...options, absence: { retryAfterSeconds: 7 } });
    expect(await failing(needed.ask(call))).toMatchObject({
      ...{ name: 'Unavailable', message: 'chat-backend did not answer', retryAfterSeconds: 7 },
    });
    await gone.stop?.();
  });

  it('answers 503 is unavailable for its Retry-After, and has failed without one', async () => {
    sibling.state.does = answers(503, {}, { 'retry-after': '3' });
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'Unavailable', retryAfterSeconds: 3 });
    sibling.state.does = answers(503, {});
    expect(await failing(chat().ask(call))).toMatchObject({ name: 'UpstreamFailed' });
    expect(await failing(chat({ absence: {} }).ask(call))).toMatchObject({ name: 'Unavailable', retryAfterSeconds: 5 });
  });

  it.each([
    [500, 'Unavailable', 'chat-backend cannot answer at the moment', 7],
    [404, 'UpstreamFailed', 'chat-backend answered 404', undefined],
    [300, 'UpstreamFailed', 'chat-backend answered 300', undefined],
  ])('answers %i is, to a service that cannot serve without it: %s', async (status, name, message, seconds) => {
    sibling.state.does = answers(status, {});
    expect(await failing(chat({ absence: { retryAfterSeconds: 7 } }).ask(call))).toEqual({
      ...none,
      name,
      message,
      retryAfterSeconds: seconds,
      cause: `chat-backend answered ${status} to POST /v1/chats/{phone}`,
    });
  });

  it('answers anything but a success with a valid body has failed, even with Retry-After', async () => {
    for (const status of [301, 404, 500]) {
      sibling.state.does = answers(status, { data: 1 }, { 'retry-after': '3' });
      expect(await failing(chat().ask(call))).toMatchObject({
        ...{ name: 'UpstreamFailed', message: `chat-backend answered ${status}` },
      });
    }
  });

  it('is overloaded is briefly unavailable to a service that cannot serve without it', async () => {
    sibling.state.does = hangs;
    const one = chat({ concurrency: 1, timeoutMs: 100, absence: {} });
    const [, second] = await Promise.all([failing(one.ask(call)), failing(one.ask(call))]);
    expect(second).toEqual({
      ...none,
      name: 'Unavailable',
      message: 'chat-backend is overloaded',
      retryAfterSeconds: 1,
      cause: undefined,
    });
  });

  it.each([
    ['HTML', '<html>canary</html>'],
    ['half a JSON text', '{"result":true,'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a number', '5'],
  ])('answers %s has failed', async (_what, text) => {
    sibling.state.does = answers(200, text);
    expect(await failing(chat().ask(call))).toMatchObject({
      name: 'UpstreamFailed',
      message: 'chat-backend answered with something else than was asked for',
    });
  });

  it('answers an object without the expected content has failed', async () => {
    const fits = ({ data }: { data?: unknown }) => Array.isArray(data);
    expect(await failing(chat().ask<{ data: unknown }>({ ...call, fits }))).toMatchObject({ name: 'UpstreamFailed' });
    sibling.state.does = answers(200, { data: [] });
    expect(await chat().ask<{ data: unknown }>({ ...call, fits })).toEqual({ data: [] });
  });

  it('answers a gigabyte has failed after a few megabytes, and is not taken to be down', async () => {
    const { does, taken } = flood();
    sibling.state.does = does;
    const one = chat({ breaker: { failures: 1 }, absence: {} });
    const failure = await failing(one.ask({ ...call, retries: 3 }));
    expect(sibling.seen).toHaveLength(1);
    expect(failure).toMatchObject({ name: 'UpstreamFailed', cause: 'the answer is larger than 5242880 bytes' });
    expect(await taken).toBeLessThan(64 * 1024 * 1024);
    sibling.state.does = answers(200, { data: 1 });
    expect(await one.ask(call)).toEqual({ data: 1 });
  });
});

describe('the breaker of a sibling', () => {
  const clock = fixedClock('2026-03-01T08:00:00.000Z');
  const broken = (options: Partial<PeerOptions> = {}) =>
    chat({ breaker: { failures: 2, pauseMs: 5_000, clock }, ...options });

  it('opens for every caller, fails them without a call, probes, and closes', async () => {
    const service = broken({ absence: {} });
    sibling.state.does = resets;
    await failing(service.ask(call));
    await failing(service.as(SECRET).ask(call));
    sibling.state.does = answers(200, { data: 1 });
    expect(await failing(service.as('another').ask(call))).toMatchObject({
      ...{ name: 'Unavailable', message: 'chat-backend has not answered lately', retryAfterSeconds: 5 },
    });
    expect(sibling.seen).toHaveLength(2);
    clock.advance(5_000);
    const probes = await Promise.allSettled([service.ask(call), service.ask(call), service.ask(call)]);
    expect(probes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await service.ask(call)).toEqual({ data: 1 });
  });

  it('stays closed while the sibling refuses, is limited, or fails at one request', async () => {
    const service = broken();
    for (const status of [401, 404, 409, 429, 500, 500, 503, 503, 422]) {
      sibling.state.does = answers(status, {}, { 'retry-after': '1' });
      await failing(service.ask(call));
    }
    sibling.state.does = answers(200, { data: 1 });
    expect(await service.ask(call)).toEqual({ data: 1 });
  });

  it('opens when a proxy reports that the sibling is down', async () => {
    const service = broken();
    for (const status of [502, 503]) {
      sibling.state.does = answers(status, '<html>');
      await failing(service.ask(call));
    }
    expect(await failing(service.ask(call))).toMatchObject({ message: 'chat-backend has not answered lately' });
  });

  it('stays closed when our side abandons calls', async () => {
    const service = broken();
    sibling.state.does = hangs;
    for (let count = 0; count < 3; count++) {
      const stop = new AbortController();
      const asked = failing(service.ask({ ...call, signal: stop.signal }));
      stop.abort();
      await asked;
    }
    sibling.state.does = answers(200, { data: 1 });
    expect(await service.ask(call)).toEqual({ data: 1 });
  });
});
