import { readdir } from 'node:fs/promises';
import { commerceEnvelope } from '@platform/envelopes';
import { NotFound, TooMany, Unauthenticated } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { Text } from '@platform/validation';
import { endpointsOf } from './endpoint';
import { Page, Redirect, Reply } from './replies';
import { publicGuard, type Guard } from './request-view';
import { startService, type RunningService } from './server';
import type { ShowRefusal } from './refused.types';
import { uploadFolder } from './upload.folder';

class Wish {
  @Text({ max: 5 }) name!: string;
}

const member: Guard<string> = {
  label: 'session',
  authenticate: ({ headers }) => {
    if (!headers.cookie) throw new Unauthenticated({ reason: 'missing' });
    return headers.cookie;
  },
};

/** Everything that a page can know of what went wrong. */
const shown: ShowRefusal = (failure, { caller, given, status, request }) => {
  if (failure.kind === 'unauthenticated')
    return new Reply(new Redirect(`/login?next=${request.target}`, 303), { headers: { 'Set-Cookie': ['a=1', 'b=2'] } });
  if (failure.message === 'broken page') throw new Error('the page is broken too');
  const fields = failure.kind === 'invalid' ? failure.violations.map(({ field }) => field) : [];
  return new Page(JSON.stringify({ kind: failure.kind, status, caller, fields, given: given?.fields }));
};

const endpoint = endpointsOf<{ member: string; public: undefined }>();
const page = { summary: 'A page', guard: 'member', reply: 'page', refused: shown, accepts: ['urlencoded'] } as const;
const failing = (path: '/full' | '/broken', failure: Error) =>
  endpoint({
    ...page,
    accepts: undefined,
    get: path,
    handle: () => {
      throw failure;
    },
  });

let running: RunningService;
beforeAll(async () => {
  running = await startService(
    {
      name: 'pages',
      description: 'A service with pages',
      endpoints: [
        endpoint({ ...page, post: '/wishes/{id}', body: Wish, handle: ({ body }) => new Page(body.name) }),
        endpoint({
          ...{ ...page, accepts: ['multipart'], post: '/files', files: { file: { maxBytes: 1_000_000 } } },
          refused: async (_, { read }) => new Page(JSON.stringify((await read()).fields)),
          handle: () => new Page('in'),
        }),
        endpoint({
          ...{ ...page, post: '/gone', body: Wish, handle: () => new Page('in') },
          refused: async (failure, { given, status }) => {
            if (given) throw new NotFound('its page has gone');
            return new Page(`${failure.kind} ${status}`);
          },
        }),
        failing('/full', new TooMany('slow down', { retryAfterSeconds: 7 })),
        failing('/broken', new NotFound('broken page')),
        endpoint({ get: '/hidden', summary: 'Hidden', guard: 'public', reply: 'page', handle: () => new Page('in') }),
      ],
      guards: { member, public: publicGuard },
      envelope: commerceEnvelope({ production: true }),
      components: [],
      hides: ({ path }) => path === '/hidden',
      unknownPage: ({ headers, path }) =>
        headers.accept?.includes('html') && !path.startsWith('/api/')
          ? new Reply(new Page('<h1>Nothing here</h1>'), { headers: { 'Cache-Control': 'no-cache' } })
          : undefined,
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
});
afterAll(() => running.stop());

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(running.url + path, { redirect: 'manual', ...init });
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, text: await response.text(), headers: response.headers };
};
const signedIn = { cookie: 'sid=1' };
const posted = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: signedIn,
  body: new URLSearchParams(fields),
});

it('a form whose page has gone when it comes back is told so in words, under the status of that', async () =>
  expect(await ask('/gone', posted({ name: 'too long' }))).toMatchObject({
    ...{ status: 404, type: 'text/html', text: 'notFound 404' },
  }));

it('a form that was filled in wrongly is shown again with what was typed, under the status of its failure', async () => {
  const { status, type, text } = await ask('/wishes/1', posted({ name: 'too long', more: 'kept' }));
  expect([status, type, JSON.parse(text)]).toEqual([
    422,
    'text/html',
    {
      ...{ kind: 'invalid', status: 422, caller: 'sid=1', fields: ['name'] },
      given: { name: 'too long', more: 'kept' },
    },
  ]);
});

it('a stranger is led to the sign-in with all its cookies, and nothing of the request was read', async () => {
  const { status, headers, text } = await ask('/wishes/1?a=b', { ...posted({ name: 'Budi' }), headers: {} });
  expect([status, headers.get('location'), headers.getSetCookie(), text]).toEqual([
    303,
    '/login?next=/wishes/1?a=b',
    ['a=1', 'b=2'],
    '',
  ]);
});

it('a file that came with a form which a refusal reads does not stay', async () => {
  const body = new FormData();
  body.set('name', 'Budi');
  body.set('file', new Blob(['x'.repeat(500_000)]), 'x.csv');
  const folder = await uploadFolder();
  const before = await readdir(folder);
  const { status, text } = await ask('/files', { method: 'POST', body });
  expect([status, text]).toEqual([401, '{"name":"Budi"}']);
  await until(async () => (await readdir(folder)).length === before.length);
});

it('a page of a failure has the headers that its envelope gives it', async () => {
  const { status, type, text, headers } = await ask('/full', { headers: signedIn });
  expect([status, type, headers.get('retry-after'), JSON.parse(text)]).toEqual([
    429,
    'text/html',
    '7',
    { kind: 'tooMany', status: 429, caller: 'sid=1', fields: [] },
  ]);
});

it('a failure whose page fails too is answered by the envelope', async () => {
  const { status, text } = await ask('/broken', { headers: signedIn });
  expect([status, JSON.parse(text)]).toEqual([404, { status: 'error', message: 'broken page', code: 'not_found' }]);
});

it.each(['/nowhere', '/hidden'])('%s is a page to a person and JSON to a program', async (path) => {
  const person = await ask(path, { headers: { accept: 'text/html,*/*' } });
  expect([person.status, person.type, person.text, person.headers.get('cache-control')]).toEqual([
    404,
    'text/html',
    '<h1>Nothing here</h1>',
    'no-cache',
  ]);
  const program = await ask(path);
  expect([program.status, JSON.parse(program.text)]).toEqual([
    404,
    { status: 'error', message: 'Not found', code: 'not_found' },
  ]);
});

it('an unknown address of the API is JSON to everybody', async () => {
  const { status, type } = await ask('/api/nowhere', { headers: { accept: 'text/html' } });
  expect([status, type]).toEqual([404, 'application/json']);
});
