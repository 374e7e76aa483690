import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { CallbackDelivery } from './callback.delivery';

const MEGABYTE = 1024 * 1024;
const bytes = Buffer.alloc(16 * MEGABYTE, 7);
const SECONDS = 15;

/** Takes the body only as far as it is told to. */
const receiver = useRunning(async () => {
  const state = { taken: 0, allowed: 0, request: undefined as IncomingMessage | undefined };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    Object.assign(state, { taken: 0, request });
    request.on('data', (chunk: Buffer) => {
      state.taken += chunk.length;
      if (state.taken >= state.allowed) request.pause();
    });
    request.on('end', () => response.end('{"result":true}'));
    if (state.allowed === 0) request.pause();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const allow = (size: number): void => {
    state.allowed = size;
    state.request?.resume();
  };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { state, allow, stop, url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
});

const delivery = useRunning(
  async () =>
    new CallbackDelivery({
      patience: { giveUpSeconds: 86_400, refusedSeconds: 900 },
      clock: systemClock,
      secretOf: async () => undefined,
      timeoutSeconds: SECONDS,
      fileOf: async () => ({ name: 'film.mp4', mimetype: 'video/mp4', bytes }),
    }),
);
beforeEach(() => {
  const only = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'] as const;
  jest.useFakeTimers({ doNotFake: [...only, 'clearInterval', 'clearImmediate'] });
});
afterEach(() => jest.useRealTimers());

const delivered = () => {
  const callback = { instanceID: 'dev1', result: true, report: false, number: '628123456789@s.whatsapp.net', id: 'F1' };
  const payload = { callback, file: { key: 'x', mimetype: 'video/mp4', size: bytes.length } };
  const row = {
    ...{
      id: '1',
      eventId: '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
      lane: 'l',
      target: receiver.url(),
      kind: 'callback',
    },
    ...{ payload, attempt: 1, failures: 0, triedSeconds: null, createdAt: new Date() },
  };
  return delivery.deliver(row, new AbortController().signal);
};
const takenUpTo = async (size: number): Promise<void> => {
  receiver.allow(size);
  for (;;) {
    if (receiver.state.taken >= size) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

it('a receiver that goes on taking a file may need longer than it may be silent', async () => {
  receiver.state.allowed = 0;
  const verdict = delivered();
  for (const megabytes of [4, 8, 12]) {
    await takenUpTo(megabytes * MEGABYTE);
    jest.advanceTimersByTime((SECONDS - 1) * 1_000);
  }
  receiver.allow(Infinity);
  expect(await verdict).toEqual({ verdict: 'done', outcome: '200' });
});

it('one that takes no further piece is not waited for', async () => {
  receiver.state.allowed = 0;
  const verdict = delivered();
  await takenUpTo(4 * MEGABYTE);
  let isOver = false;
  void verdict.then(() => (isOver = true));
  // Again and again: what lies in the buffers between both is on its way, however long that takes
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime((SECONDS + 1) * 1_000);
  }
  expect(await verdict).toMatchObject({ verdict: 'retry', transport: true });
});
