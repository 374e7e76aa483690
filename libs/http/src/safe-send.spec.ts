import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer, useRunning } from '@platform/testing';
import { safePost, safeSend, type SafeSendOptions } from './safe-send';

interface Received {
  readonly url: string | undefined;
  readonly host: string | undefined;
  readonly type: string | undefined;
}

const received: Received[] = [];
const answers: Record<string, (response: ServerResponse) => void> = {
  '/ok': (response) => void response.writeHead(204).end(),
  '/busy': (response) => void response.writeHead(429, { 'Retry-After': '7' }).end(),
  '/moved': (response) => void response.writeHead(307, { location: '/ok' }).end(),
  '/endless': (response) => void response.writeHead(200).write('a'),
  '/silent': () => undefined,
};
const server = useRunning(() =>
  startHttpServer((request: IncomingMessage, response) => {
    const { url = '', headers } = request;
    received.push({ url, host: headers.host, type: headers['content-type'] });
    answers[url]?.(response);
  }),
);
beforeEach(() => void received.splice(0));

const portOf = (): string => new URL(server.url).port;
const post = (url: string, more: Partial<SafeSendOptions> = {}) =>
  safeSend(url, { body: '{}', headers: { 'content-type': 'application/json' }, timeoutMs: 5_000, ...more });

describe('sending to an address from outside (safeSend)', () => {
  it('posts to the address that was checked, under the name of its host', async () => {
    const host = `hooks.example:${portOf()}`;
    const options = { allow: [host], namesOf: () => Promise.resolve(['127.0.0.1']) };
    expect(await post(`http://${host}/ok`, options)).toBe(204);
    expect(received).toEqual([{ url: '/ok', host, type: 'application/json' }]);
  });

  it('posts bytes as well, and tells the head of the answer to whoever needs more than its status', async () => {
    const options = { allow: ['127.0.0.1'], body: Buffer.from([0, 255]), timeoutMs: 5_000 };
    const { status, headers } = await safePost(`${server.url}/busy`, options);
    expect([status, headers['retry-after']]).toEqual([429, '7']);
  });

  it('asks for a name once, so that it cannot lead elsewhere when the connection is made', async () => {
    const [first, ...later] = ['127.0.0.1', '10.0.0.1', '10.0.0.1'];
    const told = [[first as string], later];
    const host = `rebound.example:${portOf()}`;
    const namesOf = () => Promise.resolve(told.shift() ?? []);
    expect(await post(`http://${host}/ok`, { allow: [host], namesOf })).toBe(204);
    expect(told).toEqual([later]);
  });

  it('reaches nobody whose name leads into a private network', async () => {
    const namesOf = () => Promise.resolve(['127.0.0.1']);
    const sending = post(`https://rebound.example:${portOf()}/ok`, { namesOf });
    await expect(sending).rejects.toMatchObject({ kind: 'rejected', code: 'url_not_allowed' });
    expect(received).toEqual([]);
  });

  it('follows no redirect', async () => {
    const allow = ['127.0.0.1'];
    expect(await post(`${server.url}/moved`, { allow })).toBe(307);
    expect(received.map(({ url }) => url)).toEqual(['/moved']);
  });

  it('takes the status of an answer that does not end', async () =>
    expect(await post(`${server.url}/endless`, { allow: ['127.0.0.1'] })).toBe(200));

  it.each<[string, Partial<SafeSendOptions>]>([
    ['does not answer', {}],
    ['has a name that nobody looks up', { namesOf: () => new Promise(() => undefined) }],
  ])('gives up on a host that %s', async (_, more) => {
    const host = more.namesOf ? 'slow.example' : `127.0.0.1:${portOf()}`;
    const sending = post(`http://${host}/silent`, { allow: [host], timeoutMs: 50, ...more });
    await expect(sending).rejects.toMatchObject({ message: 'the host did not answer in time' });
  });

  it('tells of a host that cannot be reached', () =>
    expect(post('http://127.0.0.1:1/', { allow: ['127.0.0.1'] })).rejects.toMatchObject({
      message: 'the host cannot be reached',
    }));
});
