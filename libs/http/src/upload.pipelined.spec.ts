import type { IncomingMessage } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { plainEnvelope } from '@platform/envelopes';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { publicGuard } from './request-view';
import { startService, type RunningService } from './server';

const GIGABYTE = 1024 ** 3;
const endpoint = endpointsOf<{ public: undefined }>();
let release: () => void = () => undefined;

let running: RunningService;
const requests: IncomingMessage[] = [];
const heard = (message: unknown): void => void requests.push((message as { request: IncomingMessage }).request);
beforeAll(async () => {
  const takesFiles = { summary: 'Takes a file', guard: 'public', reply: 'json' } as const;
  running = await startService(
    {
      ...{ name: 'files', description: 'Takes files', envelope: plainEnvelope, components: [] },
      guards: { public: publicGuard },
      endpoints: [
        endpoint({
          ...{ ...takesFiles, post: '/form', accepts: ['multipart'] },
          ...{ files: { file: { maxBytes: GIGABYTE } }, formLimit: GIGABYTE },
          handle: ({ files }) => ({ files: files.length }),
        }),
        endpoint({
          ...{ summary: 'Takes its time', guard: 'public', reply: 'json', get: '/slow' },
          handle: () => new Promise<object>((resolve) => (release = () => resolve({}))),
        }),
      ],
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
  subscribe('http.server.request.start', heard);
});
afterAll(async () => {
  unsubscribe('http.server.request.start', heard);
  await running.stop();
});

it('whoever sends a form behind a request that is not answered, and leaves, takes no room along', async () => {
  for (let n = 0; n < 3; n++) {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    const form = `POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${GIGABYTE}\r\n\r\n`;
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
    socket.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${form}${part}`);
    const sent = await until(() =>
      requests.find(({ url, socket: { remotePort } }) => url === '/form' && remotePort === socket.localPort),
    );
    await until(() => sent?.readableFlowing);
    socket.destroy();
    await until(() => sent?.destroyed === true);
    release();
  }
  const body = new FormData();
  body.append('file', new Blob(['a'.repeat(200_000)]), 'a');
  const answer = await fetch(`${running.url}/form`, { method: 'POST', body });
  expect([answer.status, await answer.json()]).toEqual([200, { files: 1 }]);
});
