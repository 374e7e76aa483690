import { connect, type Socket } from 'node:net';
import { plainEnvelope } from '@platform/envelopes';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { startService, type RunningService } from './server';

const GIGABYTE = 1024 ** 3;
const endpoint = endpointsOf<{ any: string | undefined }>();
/** Forms whose bodies begin to be read. */
let begun = 0;

let running: RunningService;
const senders: Socket[] = [];
beforeAll(async () => {
  running = await startService(
    {
      ...{ name: 'files', description: 'Takes files', envelope: plainEnvelope, components: [] },
      guards: { any: { label: 'any', authenticate: ({ headers }) => headers['x-store-id'] as string | undefined } },
      uploads: { places: 200, most: 10, tenantOf: (caller) => ((begun += 1), caller as string | undefined) },
      endpoints: [
        endpoint({
          ...{ post: '/form', summary: 'Takes a file', guard: 'any', reply: 'json', accepts: ['multipart'] },
          ...{ files: { file: { maxBytes: GIGABYTE } }, formLimit: GIGABYTE },
          handle: ({ files }) => ({ files: files.length }),
        }),
      ],
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
});
afterAll(async () => {
  for (const sender of senders) sender.destroy();
  await running.stop();
});

it('stores that announce large files and send nothing keep no file of a sibling out', async () => {
  for (let n = 0; n < 6; n += 1) {
    const before = begun;
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
    const form = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${GIGABYTE}`;
    socket.write(`POST /form HTTP/1.1\r\nHost: x\r\nX-Store-Id: S${n}\r\n${form}\r\n\r\n--b\r\n`);
    senders.push(socket);
    await until(() => begun > before);
  }
  const body = new FormData();
  body.append('file', new Blob(['a'.repeat(300_000)]), 'a');
  const answer = await fetch(`${running.url}/form`, { method: 'POST', body });
  expect([answer.status, await answer.json()]).toEqual([200, { files: 1 }]);
});
