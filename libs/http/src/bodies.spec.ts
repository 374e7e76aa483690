import { plainEnvelope } from '@platform/envelopes';
import type { Failure } from '@platform/errors';
import { createLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { Text } from '@platform/validation';
import { request as rawRequest } from 'node:http';
import { CustomBody, endpointsOf } from './endpoint';
import { openapi } from './openapi';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const KB = 1024;
class Note {
  @Text({ optional: true }) text?: string;
}
class Documented {
  @Text() n!: string;
}

const endpoint = endpointsOf<{ public: undefined }>();
const common = { summary: 'Takes a body', guard: 'public', envelope: plainEnvelope, reply: 'json' } as const;
const any = { ...common, accepts: ['multipart', 'urlencoded', 'json'], body: Note } as const;
const files = { file: { maxBytes: 600 * KB, maxCount: 2 } };
interface Given {
  readonly body: Note;
  readonly rawBody: Buffer;
  readonly files: readonly { readonly size: number }[];
}
const handle = ({ body, rawBody, files: given }: Given) => ({
  text: body.text?.length ?? null,
  raw: rawBody.length,
  files: given.map(({ size }) => size),
});

const endpoints = [
  endpoint({ ...any, post: '/plain', handle }),
  endpoint({ ...any, post: '/kept', rawBody: true, files, handle }),
  endpoint({ ...any, post: '/files', files, bodyLimit: 2 * KB, formLimit: 700 * KB, handle }),
  endpoint({ ...any, post: '/exact', files, bodyLimit: 300, handle }),
  endpoint({ ...common, post: '/form', accepts: ['urlencoded', 'multipart'], body: Note, handle }),
  endpoint({
    ...{ ...common, post: '/any', accepts: ['any'], rawBody: true, bodyLimit: 2 * KB },
    handle: ({ rawBody }) => ({ raw: rawBody.toString('hex') }),
  }),
  endpoint({
    ...common,
    post: '/custom',
    body: new CustomBody(Documented, ({ n }) => ({ twice: Number(n) * 2 })),
    handle: ({ body }) => body,
  }),
];

let service: RunningService;
const lines: string[] = [];
const refused: Failure[] = [];
beforeAll(async () => {
  const logger = createLogger({ service: 'fixture', write: (line) => lines.push(line) });
  const intercept = (thrown: unknown) => void refused.push(thrown as Failure) as undefined;
  service = await startService(fixtureService({ endpoints, intercept }), { port: 0, host: '127.0.0.1', logger });
});
beforeEach(() => void refused.splice(0));
afterAll(() => service.stop());

const send = async (path: string, body: string, type?: string, streamed = false) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  // fetch would add a content type to a text
  const bytes = new TextEncoder().encode(body);
  const init = streamed ? { body: new Blob([bytes]).stream(), duplex: 'half' } : { body: bytes };
  const answer = await fetch(service.url + path, { method: 'POST', headers, ...(init as RequestInit) });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

const MULTIPART = 'multipart/form-data; boundary=b';
const URLENCODED = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const field = (text: string) => `--b\r\ncontent-disposition: form-data; name="text"\r\n\r\n${text}\r\n`;
const file = (size: number, name = 'file') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n${'x'.repeat(size)}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--`;
const text = (length: number) => 'x'.repeat(length);
const tooLarge = (message = 'request too large') => ({ status: 413, body: { status: 'error', message } });
const good = (given: object) => ({ status: 200, body: { text: null, raw: 0, files: [], ...given } });

describe('the size of a request body', () => {
  const sized: readonly (readonly [string, string, (length: number) => string])[] = [
    ['JSON', JSON_TYPE, (length) => JSON.stringify({ text: text(length) })],
    ['an urlencoded form', URLENCODED, (length) => `text=${text(length)}`],
    ['a multipart form', MULTIPART, (length) => form(field(text(length)))],
  ];
  it.each(sized)('%s is taken up to a megabyte, in one piece or streamed', async (_, type, make) => {
    for (const length of [150 * KB, 900 * KB])
      for (const streamed of [false, true])
        expect(await send('/plain', make(length), type, streamed)).toEqual(good({ text: length }));
    expect(await send('/plain', make(1100 * KB), type)).toEqual(tooLarge());
  });

  it('a form with files has its own limit', async () => {
    expect(await send('/files', JSON.stringify({ text: text(3 * KB) }), JSON_TYPE)).toEqual(tooLarge());
    expect(await send('/files', form(file(500 * KB), field('a')), MULTIPART)).toEqual(
      good({ text: 1, files: [500 * KB] }),
    );
    expect(await send('/files', form(file(500 * KB), file(300 * KB)), MULTIPART)).toEqual(tooLarge());
  });

  it('a form is accepted up to the last byte of its limit, and each file up to its own limit', async () => {
    const fill = (over: number) => form(file(300 + over - form(file(0)).length));
    expect(await send('/exact', fill(0), MULTIPART)).toEqual(good({ files: [300 - form(file(0)).length] }));
    expect(await send('/exact', fill(1), MULTIPART)).toEqual(tooLarge());
    expect(await send('/kept', form(file(600 * KB)), MULTIPART)).toMatchObject({ body: { files: [600 * KB] } });
    expect(await send('/kept', form(file(600 * KB + 1)), MULTIPART)).toEqual(tooLarge('file too large'));
  });

  it('a field of a form is too large beyond a megabyte, whatever the limit of the form', async () => {
    const wide = fixtureService({
      endpoints: [endpoint({ ...any, post: '/wide', formLimit: 4 * KB * KB, handle })],
    });
    const running = await startService(wide, {
      port: 0,
      host: '127.0.0.1',
      logger: createLogger({ service: 'x', level: 'silent' }),
    });
    const body = form(field(text(1100 * KB)));
    const answer = await fetch(`${running.url}/wide`, { method: 'POST', headers: { 'content-type': MULTIPART }, body });
    expect({ status: answer.status, body: await answer.json() }).toEqual(tooLarge());
    await running.stop();
  });

  it('a streamed form that grows over the limit never reaches its handler', async () => {
    const streamed = send('/files', form(file(500 * KB), file(500 * KB)), MULTIPART, true);
    await expect(streamed).rejects.toThrow('fetch failed');
    await until(() => refused.length > 0);
    expect(refused).toMatchObject([{ kind: 'tooLarge', message: 'request too large' }]);
  });
});

describe('the exact bytes of a request body', () => {
  const bodies: readonly (readonly [string, string, string])[] = [
    ['JSON', '{"text": "a" }', JSON_TYPE],
    ['an urlencoded form', 'text=a&', URLENCODED],
    ['a small form', form(field('a')), MULTIPART],
    ['a form with a file', form(field('a'), file(5)), MULTIPART],
    ['a large form', form(field('a'), file(400 * KB)), MULTIPART],
  ];
  it.each(bodies)('are kept where they are asked for, and only there: %s', async (_, body, type) => {
    expect(await send('/kept', body, type)).toMatchObject({ status: 200, body: { text: 1, raw: body.length } });
    if (!body.includes('filename'))
      expect(await send('/plain', body, type)).toMatchObject({ status: 200, body: { text: 1, raw: 0 } });
    else expect(await send('/files', body, type)).toMatchObject({ status: 200, body: { text: 1, raw: 0 } });
  });
});

describe('a body of any type', () => {
  const raw = (body: string) => ({ status: 200, body: { raw: Buffer.from(body).toString('hex') } });
  const types = [JSON_TYPE, URLENCODED, MULTIPART, 'text/plain', 'application/json; charset=klingon', '/', undefined];

  it.each(types)('reaches its handler unread, broken too: %s', async (type) => {
    for (const streamed of [false, true]) {
      expect(await send('/any', '{"a": \u0000', type, streamed)).toEqual(raw('{"a": \u0000'));
      expect(await send('/any', '', type, streamed)).toEqual(raw(''));
      expect(await send('/any', text(3 * KB), type)).toEqual(tooLarge());
    }
  });

  it('is described as such', () =>
    expect(openapi(fixtureService({ endpoints }))).toMatchObject({
      paths: { '/any': { post: { requestBody: { content: { '*/*': {} } } } } },
    }));
});

describe('a request body without a content type', () => {
  it.each([false, true])('is read as JSON where JSON is accepted (streamed: %s)', async (streamed) =>
    expect(await send('/plain', '{"text":"a"}', undefined, streamed)).toEqual(good({ text: 1 })),
  );

  it('is absent when it is empty, whatever its type', async () => {
    for (const type of [undefined, 'text/plain']) expect(await send('/form', '', type)).toEqual(good({}));
  });

  it('or with one that is not accepted is refused with the accepted types', async () => {
    const message = 'content type not supported: send urlencoded or multipart';
    const malformed = { status: 400, body: { status: 'error', message } };
    expect(await send('/form', '{"text":"a"}')).toEqual(malformed);
    expect(await send('/form', '{"text":"a"}', 'text/plain', true)).toEqual(malformed);
  });
});

describe('a request body that cannot be read', () => {
  it.each([
    ['broken JSON', '{', JSON_TYPE, 400, 'SyntaxError'],
    ['too much JSON', JSON.stringify({ text: text(2000 * KB) }), JSON_TYPE, 413, 'PayloadTooLargeError'],
    ['a broken form', '--b', MULTIPART, 400, 'Error'],
    ['a file that nobody asked for', form(file(5, 'other')), MULTIPART, 400, 'MulterError'],
    ['a file too large', form(file(601 * KB)), MULTIPART, 413, 'MulterError'],
  ])('is refused with the underlying reason: %s', async (_, body, type, status, name) => {
    expect((await send('/kept', body, type)).status).toBe(status);
    expect(refused.map(({ cause }) => (cause as Error).name)).toEqual([name]);
  });

  it('has no fields when it is no object, and is refused where the endpoint has its own reader', async () => {
    expect(await send('/plain', '5', JSON_TYPE)).toEqual(good({}));
    for (const body of ['5', 'null', '[1]'])
      expect(await send('/custom', body, JSON_TYPE)).toEqual({
        status: 400,
        body: { status: 'error', message: 'the body must be an object' },
      });
  });

  it('is logged as a caller that went away when it ends too early', async () => {
    const before = lines.length;
    const request = rawRequest(`${service.url}/plain`, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, 'content-length': 100, expect: '100-continue' },
    });
    request.on('error', () => undefined).once('continue', () => request.destroy());
    request.flushHeaders();
    await until(() => refused.length > 0);
    expect(refused).toMatchObject([{ kind: 'unavailable', message: 'the request was aborted' }]);
    await until(() => lines.slice(before).some((line) => line.includes('"aborted":true')));
  });
});

it("a body is read by the endpoint's own reader where it has one", async () =>
  expect(await send('/custom', '{"n":"21"}', JSON_TYPE)).toEqual({ status: 200, body: { twice: 42 } }));
