import { silentLogger, untilNothingLacks, type Component } from '@platform/runtime';
import { freePort, until } from '@platform/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from './server';
import { fixtureService } from './service.fixture';

const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort));

/** A service whose schema is not migrated before `migrate` is called. */
const waiting = (ports: number[], signal?: AbortSignal) => {
  let lack: string | undefined = 'the migrations Second are pending';
  const database: Component = {
    name: 'database',
    start: async (starting) => void (await untilNothingLacks(async () => lack, starting)),
  };
  const [port = 0, internalPort] = ports;
  const options = { port, internalPort, host: '127.0.0.1', logger: silentLogger, signal };
  return {
    started: startService(fixtureService({ components: [database] }), options),
    migrate: () => (lack = undefined),
  };
};

const ask = async (port: number | undefined, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as unknown,
  };
};

describe('a service whose schema is older than its build', () => {
  it('listens at all its ports, answers 503, to no strangers with the reason, and serves there when it is migrated', async () => {
    const ports = await freePorts(2);
    const { started, migrate } = waiting(ports);
    await until(() => ask(ports[0], '/ready').catch(() => undefined));
    const refused = { status: 503, retryAfter: '2', body: { ready: false, failing: ['process'] } };
    expect(await ask(ports[0], '/ready')).toEqual(refused);
    const reason = 'the migrations Second are pending';
    expect(await ask(ports[1], '/v1/anything')).toEqual({ ...refused, body: { ...refused.body, reason } });
    migrate();
    const running = await started;
    expect(await ask(ports[0], '/ready')).toEqual({ status: 200, retryAfter: null, body: { ready: true } });
    expect([running.url, running.internalUrl]).toEqual(ports.map((port) => `http://127.0.0.1:${port}`));
    await running.stop();
  });

  it('leaves its ports when the start is given up', async () => {
    const ports = await freePorts(1);
    const abort = new AbortController();
    const { started } = waiting(ports, abort.signal);
    const refused = expect(started).rejects.toThrow('database did not start: the migrations Second are pending');
    await until(() => ask(ports[0], '/ready').catch(() => undefined));
    abort.abort();
    await refused;
    await expect(ask(ports[0], '/ready')).rejects.toThrow();
  });

  it('does not wait behind a port that another process has', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()));
    const { port } = taken.address() as AddressInfo;
    await expect(waiting([port]).started).rejects.toThrow(`port ${port} is taken by another process`);
    await new Promise((resolve) => taken.close(resolve));
  });
});
