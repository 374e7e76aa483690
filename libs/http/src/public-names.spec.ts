import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { useRunning } from '@platform/testing';
import { publicNames } from './public-names';

/** A name server that hears everything and never answers. */
const silent = useRunning(async () => {
  const socket = createSocket('udp4');
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return Object.assign(socket, { stop: () => new Promise<void>((resolve) => socket.close(() => resolve())) });
});

it('names whose servers never answer have no address, and keep nobody else from looking one up', async () => {
  const { port } = silent.address() as AddressInfo;
  const namesOf = publicNames({ servers: [`127.0.0.1:${port}`], timeoutMs: 500 });
  let settled = 0;
  // More than a process has threads
  const hanging = Array.from({ length: 16 }, async (_, at) => {
    const found = await namesOf(`slow-${at}.example`);
    settled += 1;
    return found;
  });
  await lookup('localhost');
  expect(settled).toBe(0);
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => []));
});
