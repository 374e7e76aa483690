import { asFailure } from '@platform/errors';
import { httpClient } from '@platform/http';
import { fixedClock, redact } from '@platform/runtime';
import { freePort, useOpened } from '@platform/testing';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerLine, type ProviderCall } from './provider.call';

const opened = useOpened();

const serving = async (listener: RequestListener): Promise<string> => {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened({
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const lineTo = (url: string) => {
  const http = httpClient('doku', url);
  opened({ stop: () => http.stop?.() });
  return providerLine('doku', http, { clock: fixedClock(new Date('2026-11-20T07:00:00Z')) });
};

const CALL: ProviderCall = {
  ...{ method: 'POST', path: '/v2/canary-id', template: '/v2/{id}', timeoutMs: 2_000 },
  ...{ headers: { authorization: 'Basic canary-key' }, body: '{"pin":"canary-body"}' },
};

const end = async (url: string, change: Partial<ProviderCall> = {}) =>
  lineTo(url)
    .ask({ ...CALL, ...change })
    .catch((thrown: unknown) => {
      const failure = asFailure(thrown);
      const { kind, message } = failure;
      // No key, body or id in what would be logged or answered
      expect(JSON.stringify([redact(failure), message, failure.details])).not.toContain('canary');
      return [kind, 'outcome' in failure ? failure.outcome : '', message];
    });

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  serving((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });

describe('a provider that answers', () => {
  it('with JSON is believed, whatever type it says', async () => {
    const url = await answering(200, '[1]', { 'content-type': 'text/html' });
    expect(await end(url)).toEqual({ status: 200, body: [1] });
  });

  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [408, 'unknown'],
    [409, 'refused'],
    [429, 'undone'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'unknown'],
  ])('with %s has %s it, and its words are not passed on', async (status, outcome) => {
    const url = await answering(status, '{"error_code":"canary id","message":"canary-message"}');
    expect(await end(url)).toEqual(['upstreamFailed', outcome, `doku answered ${status}`]);
  });

  it('with a status that means something else here', async () => {
    const url = await answering(409, '{"a":1}');
    expect(await end(url, { meaning: { 409: 'unknown' } })).toEqual(['upstreamFailed', 'unknown', 'doku answered 409']);
    expect(await end(url, { also: [409] })).toEqual({ status: 409, body: { a: 1 } });
  });

  it('with a redirect is not followed', async () => {
    let calls = 0;
    const url = await serving((_, response) => {
      calls += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await end(url)).toEqual(['upstreamFailed', 'unknown', 'doku answered 302']);
    expect(calls).toBe(1);
  });

  it.each([
    ['a page', '<html><h1>502 Bad Gateway</h1></html>'],
    ['nothing', ''],
    ['half of it', '{"response":{"payment":'],
    ['5 MB', JSON.stringify({ filler: 'x'.repeat(5 * 1024 * 1024) })],
    ['50 MB', JSON.stringify({ filler: 'x'.repeat(50 * 1024 * 1024) })],
  ])('with 200 and %s may have done it', async (_, body) => {
    const nonsense = 'doku answered with something else than was asked for';
    expect(await end(await answering(200, body))).toEqual(['upstreamFailed', 'unknown', nonsense]);
  });
});

describe('a provider that does not answer', () => {
  it('because nobody listens was not asked', async () => {
    expect(await end(`http://127.0.0.1:${await freePort()}`)).toEqual([
      'upstreamFailed',
      'undone',
      'doku did not answer',
    ]);
  });

  it('in time may have done it', async () => {
    const url = await serving(() => undefined);
    expect(await end(url, { timeoutMs: 30 })).toEqual(['upstreamTimedOut', 'unknown', 'doku did not answer in time']);
  });

  it('to its end may have done it: a byte now and then keeps nobody waiting', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    expect(await end(url, { timeoutMs: 60 })).toEqual(['upstreamTimedOut', 'unknown', 'doku did not answer in time']);
  });

  it('and hangs up may have done it, and is not asked twice', async () => {
    let calls = 0;
    const url = await serving((request) => {
      calls += 1;
      request.socket.destroy();
    });
    expect(await end(url)).toEqual(['upstreamFailed', 'unknown', 'doku did not answer']);
    expect(calls).toBe(1);
  });

  it('five times in a row is left alone for a while: then nothing was done', async () => {
    let calls = 0;
    const url = await serving((request) => {
      calls += 1;
      request.socket.destroy();
    });
    const line = lineTo(url);
    const ask = () => line.ask(CALL).catch((thrown: unknown) => thrown);
    for (let time = 0; time < 5; time++) await ask();
    expect(await ask()).toMatchObject({ message: 'doku has not answered lately', outcome: 'undone' });
    expect(calls).toBe(5);
  });
});
