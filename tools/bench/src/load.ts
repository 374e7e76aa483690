import type { Figures } from './bench.types';
import type { LoadJob, LoadResult } from './load.types';
import { askChild, forkScript } from './server-process';

/** A raw HTTP/1.1 GET with the placeholders of `LoadJob`. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>>): string => {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** A raw HTTP/1.1 POST with the placeholders of `LoadJob`; `keyWidth` as there. */
export const httpRequest = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  keyWidth: number,
): string => {
  const length = Buffer.byteLength(body.replaceAll('{id}', '-'.repeat(20)).replaceAll('{key}', '-'.repeat(keyWidth)));
  const all = { Host: '127.0.0.1', ...headers, 'Content-Length': String(length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

const BOUNDARY = '----bench0123456789abcdef';

/** A multipart form as the gateway sends it. */
export const formRequest = (path: string, fields: Readonly<Record<string, string>>, keyWidth: number): string => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  return httpRequest(path, headers, `${parts.join('')}--${BOUNDARY}--\r\n`, keyWidth);
};

/**
 * Offers load from a separate process: closed loop, one request in flight per connection. The generator is our own because it
 * shares two cores with the server and the database and must be cheap: autocannon used 54 µs of CPU per request, this one 22,
 * wrk 18 - but wrk is not on npm, and a fresh clone must be able to measure.
 */
export const offerLoad = async (job: LoadJob): Promise<LoadResult> => {
  const result = await askChild<LoadResult>(forkScript(['tools/bench/src/load.child.ts'], {}, 'inherit'), job);
  if (result.bad > 0)
    throw new Error(
      `${result.bad} of ${result.requests} answers were not as expected, ${job.status ?? 200} with ${job.expects}; the first:\n${result.badAnswer}`,
    );
  return result;
};

/** A server whose CPU time so far can be asked for, in microseconds, all threads. */
export interface CostedServer {
  readonly port: number;
  readonly cpuMicroseconds: () => Promise<number>;
}

/** Offers load to one server and measures what it cost the server's process. */
export const measureServer = async (server: CostedServer, job: Omit<LoadJob, 'port'>): Promise<Figures> => {
  const before = await server.cpuMicroseconds();
  const { requests, seconds, p50, p95, p99 } = await offerLoad({ ...job, port: server.port });
  const used = (await server.cpuMicroseconds()) - before;
  const took = { 'p50 ms': p50, 'p95 ms': p95, 'p99 ms': p99 };
  return { 'requests/s': requests / seconds, 'CPU µs/request': used / requests, ...took };
};
