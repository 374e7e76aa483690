import type { IncomingMessage, RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startHttpServer, useOpened } from '@platform/testing';
import { boundedFetch } from './bounded.fetch';

const opened = useOpened();
const serving = async (listener: RequestListener): Promise<string> => opened(await startHttpServer(listener)).url;
const bounded = boundedFetch(1_000);
const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"question":"halo"}' };

it('a provider that has moved is asked again where it is now, with the same words', async () => {
  const heard: unknown[] = [];
  const now = await serving(async (request, response) => {
    heard.push(request.method, await json(request));
    response.setHeader('content-type', 'application/json').end('{"answer":"ya"}');
  });
  const before = await serving((_, response) => response.writeHead(308, { location: `${now}/v1` }).end('moved'));
  expect(await (await bounded(before, POST)).json()).toEqual({ answer: 'ya' });
  expect(heard).toEqual(['POST', { question: 'halo' }]);
});

it('a provider is asked for answers that are not packed, and told what its client tells', async () => {
  let asked: IncomingMessage['headers'] = {};
  const url = await serving(({ headers }, response) => {
    asked = headers;
    response.writeHead(201, { 'x-request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] }).end('ya');
  });
  const answer = await bounded(url, { ...POST, headers: { ...POST.headers, authorization: 'Bearer key' } });
  expect(asked).toMatchObject({ 'accept-encoding': 'identity', authorization: 'Bearer key' });
  expect([answer.status, answer.headers.get('x-request-id'), answer.headers.getSetCookie()]).toEqual([
    ...[201, 'r1', ['a=1', 'b=2']],
  ]);
  expect(await answer.text()).toBe('ya');
});

it('an answer without a body is one without a body', async () => {
  const url = await serving((_, response) => response.writeHead(204).end());
  expect(await (await bounded(url, POST)).text()).toBe('');
});

it.each([
  ['in a text', POST.body],
  ['in a form', new URLSearchParams({ question: 'halo' })],
])('an answer that is too long is heard to a limit, whether it was asked %s', async (_, body) => {
  const url = await serving((_request, response) => response.end('x'.repeat(1_001)));
  await expect(bounded(url, { ...POST, body })).rejects.toMatchObject({ kind: 'shape', facts: { httpStatus: 200 } });
});

describe.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('an answer that comes packed as %s, though it was asked for plain', (encoding, packed) => {
  const answering = (text: string) =>
    serving((_, response) => response.setHeader('content-encoding', encoding).end(packed(text)));

  it('is unpacked', async () => expect(await (await bounded(await answering('ya'), POST)).text()).toBe('ya'));

  it('is heard to the same limit', async () =>
    expect(bounded(await answering('x'.repeat(1_000_000)), POST)).rejects.toMatchObject({ kind: 'shape' }));

  it('is none when it is broken', async () => {
    const url = await serving((_, response) => response.setHeader('content-encoding', encoding).end('nonsense'));
    await expect(bounded(url, POST)).rejects.toThrow();
  });
});
