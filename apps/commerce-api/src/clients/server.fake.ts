import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake was asked. */
export interface FakeRequest {
  readonly method: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Of JSON; an empty object when there was no body. */
  readonly body: unknown;
}
export type FakeAnswer = readonly [status: number, body: object];

/** A server on a free port that answers JSON; to what `answerTo` leaves undefined it says nothing at all. */
export const startJsonServer = async (answerTo: (asked: FakeRequest) => FakeAnswer | undefined) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
        const { method = 'GET', headers } = request;
        const [status, answer] = answerTo({ method, pathname, query, headers, body }) ?? [];
        if (status !== undefined)
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
