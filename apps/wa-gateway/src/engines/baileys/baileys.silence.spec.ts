/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import type { BaileysEngine } from './baileys.engine';
import { engineOn, lineTo, link, RecordingSink, useSandbox, type EngineSetup } from './engine.fixture';
import { Turnstile } from './turnstile';

const { database, sandbox } = useSandbox();
/** Takes connections and ends them. */
const refusing = useRunning(async () => {
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
});

const running: BaileysEngine[] = [];
afterEach(() => Promise.all(running.splice(0).map((engine) => engine.stop())));

const make = (instanceId: string, more: Partial<EngineSetup> = {}) => {
  const engine = engineOn({ database, sandbox, ...more, device: { instanceId, status: 'connected' } });
  running.push(engine);
  return { engine, sink: new RecordingSink() };
};
const linked = async (instanceId: string, number: string): Promise<void> => {
  const { engine, sink } = make(instanceId);
  await link(engine, sink, sandbox, number);
  await engine.stop();
};
const reached = (sink: RecordingSink, state: string) =>
  until(
    () => sink.last(),
    (last) => last === state,
  );

it('a device whose last attempt WhatsApp did not answer comes back as soon as it answers another one, whatever its own pause', async () => {
  await linked('asleep', '628110000021');
  const { port } = refusing.address() as AddressInfo;
  let socketUrl = `ws://127.0.0.1:${port}/ws/chat`;
  const line = { ...lineTo(sandbox), socketUrl };
  Object.defineProperty(line, 'socketUrl', { get: () => socketUrl });
  const turnstile = new Turnstile({ places: 1, logger: silentLogger });
  // Half an hour after the first failure
  const context = { turnstile, line, random: () => 1_000 };
  const asleep = make('asleep', { context });
  await asleep.engine.start(asleep.sink);
  await reached(asleep.sink, 'reconnecting');
  expect(turnstile.isSilent).toBe(true);
  ({ socketUrl } = sandbox);
  // Somebody wants to link a new one, and waits for no turn
  const asked = make('new', { context });
  await asked.engine.start(asked.sink);
  await asked.engine.pair();
  await until(() => asked.sink.codes.length, Boolean);
  await reached(asleep.sink, 'connected');
  expect(asleep.sink.states.map(({ state }) => state)).toEqual(['connecting', 'reconnecting', 'connected']);
  expect(turnstile.isSilent).toBe(false);
});

it('a device that WhatsApp itself sent away waits for its own pause', async () => {
  const turnstile = new Turnstile({ places: 1, logger: silentLogger });
  const { engine, sink } = make('sent-away', { context: { turnstile, random: () => 1_000 } });
  await link(engine, sink, sandbox, '628110000023');
  await sandbox.disconnect('628110000023', 503);
  await reached(sink, 'reconnecting');
  turnstile.entrance('another').enterAtOnce().unheard();
  turnstile.entrance('another').enterAtOnce().heard();
  await new Promise((resolve) => setImmediate(resolve));
  expect([turnstile.isSilent, sink.last()]).toEqual([false, 'reconnecting']);
});
