import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer in place of chat-backend's, so many times, to the calls whose method and path are like this. */
export interface Outage {
  readonly calls: RegExp;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  times: number;
}

/** In front of chat-backend: passes everything on but what has an outage. */
export const startOutages = async (target: string) => {
  const outages: Outage[] = [];
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const outage = outages.find(({ calls, times }) => times > 0 && calls.test(`${method} ${url}`));
    if (outage) {
      outage.times -= 1;
      request.resume();
      const json = { 'content-type': 'application/json', ...outage.headers };
      return void response.writeHead(outage.status, json).end('{"message":"later"}');
    }
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outages,
    stop: () => (server.closeAllConnections(), void server.close()),
  };
};
