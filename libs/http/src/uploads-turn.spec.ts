import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnvelope } from '@platform/envelopes';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { publicGuard } from './request-view';
import { startService, type RunningService } from './server';
import type { Service } from './service';

const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'uploads-turn-'));
const endpoint = endpointsOf<{ public: undefined }>();
const takesFiles = { summary: 'Takes a file', guard: 'public', reply: 'json' } as const;
/** Requests whose turn to send files was asked for. */
let asked = 0;
const service: Service = {
  ...{ name: 'files', description: 'Takes files', envelope: plainEnvelope, components: [] },
  guards: { public: publicGuard },
  uploads: { places: 8, most: 2, patienceMs: 60_000, tenantOf: () => ((asked += 1), 'S1') },
  endpoints: [
    endpoint({
      ...{ ...takesFiles, post: '/form', accepts: ['multipart'] },
      ...{ files: { file: { maxBytes: MEGABYTE } }, formLimit: 2 * MEGABYTE },
      handle: ({ files }) => ({ files: files.length }),
    }),
    endpoint({
      ...{ ...takesFiles, put: '/file' },
      wholeFile: { directory: folder, maxBytes: MEGABYTE, limitMs: 60_000 },
      handle: ({ files }) => ({ files: files.length }),
    }),
  ],
};

/** As the service sees them. */
const requests: IncomingMessage[] = [];
const heard = (message: unknown): void => void requests.push((message as { request: IncomingMessage }).request);
let running: RunningService;
beforeAll(async () => {
  running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  subscribe('http.server.request.start', heard);
});
afterAll(async () => {
  unsubscribe('http.server.request.start', heard);
  await running.stop();
  rmSync(folder, { recursive: true });
});

const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
const FORM = `${PART}\r\n--b--\r\n`;
const IN_CHUNKS = `${FORM.length.toString(16)}\r\n${FORM}\r\n0\r\n\r\n`;
const LONG = `Content-Length: ${MEGABYTE}`;
const BODIES = {
  'a form that has begun': ['POST /form', LONG, PART],
  'a form that is all there': ['POST /form', 'Transfer-Encoding: chunked', IN_CHUNKS],
  'a file that has begun': ['PUT /file', LONG, 'abc'],
  'a file that is all there': ['PUT /file', 'Content-Length: 3', 'abc'],
} as const;

/** Sends this much and no more. */
const sent = async ([line, length, body]: readonly [string, string, string]): Promise<Socket> => {
  const before = asked;
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  const type = 'Content-Type: multipart/form-data; boundary=b';
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${length}\r\n${type}\r\n\r\n${body}`);
  await until(() => asked > before);
  return socket;
};
const gone = async (socket: Socket): Promise<void> => {
  const request = requests.find((each) => each.socket.remotePort === socket.localPort);
  socket.destroy();
  await until(() => request?.destroyed === true);
};

it.each(Object.entries(BODIES))(
  'whoever has gone when it is their turn to send %s leaves the turn to the next',
  async (_, body) => {
    const sending = [await sent(BODIES['a file that has begun']), await sent(BODIES['a form that has begun'])];
    for (const waiting of [await sent(body), await sent(body), await sent(body)]) await gone(waiting);
    const next = fetch(`${running.url}/file`, { method: 'PUT', body: 'abc' });
    for (const socket of sending) await gone(socket);
    const answer = await next;
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { files: 1 } });
    await until(() => readdirSync(folder).length === 0);
  },
);
