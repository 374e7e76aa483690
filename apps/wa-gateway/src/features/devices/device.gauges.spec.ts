import { silentLogger } from '@platform/runtime';
import { useGateway, until } from '../../gateway.fixture';
import type { DeviceLine } from './device-line';
import { deviceGauges } from './device.gauges';

const gateway = useGateway();
const NAMES = /^(?:devices|device_reconnects_total|callbacks|callbacks_oldest_seconds|sends_waiting)[{ ]/;

const shown = async (): Promise<Record<string, number>> => {
  const text = await (await fetch(`${gateway.running.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => NAMES.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', state = '', value] =
        /^(\w+)\{(?:state="(\w+)",)?service="wa-gateway"\} (.+)$/.exec(line) ?? [];
      return [[name, state].filter(Boolean).join(' '), Number(value)];
    }),
  );
};

it('/metrics shows the devices by state, their reconnects, and what waits or was given up', async () => {
  const { client, database, receiver, app } = gateway;
  await client.link('dev1');
  const nothing = { callbacks_oldest_seconds: 0, device_reconnects_total: 0, sends_waiting: 0 };
  expect(await shown()).toEqual({ ...nothing, 'devices connected': 1, 'callbacks queued': 0, 'callbacks dead': 0 });

  receiver.answer = () => ({ body: { result: false, message: 'Callback result false' } });
  await client.customer('628123456789', 'dev1', 'halo');
  const line = (await app.fleet.here('dev1')) as DeviceLine;
  await app.sinkOf(line).state('reconnecting');
  await database.query(
    `INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('gone', 'cloud', 'http://x', 'logged_out')`,
  );
  await database.query(
    `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, at)
     VALUES ('gone', 'x', true, 'S1', 'out', 'chat', '{}', 'queued', now())`,
  );
  expect(await until(shown, (now) => now['callbacks dead'] === 1)).toEqual({
    ...{ 'devices reconnecting': 1, 'devices logged_out': 1, device_reconnects_total: 1 },
    ...{ 'callbacks queued': 0, 'callbacks dead': 1, callbacks_oldest_seconds: 0, sends_waiting: 1 },
  });
});

it('an unreachable database costs no value of the other gauges', async () => {
  const away = () => Promise.reject(new Error('away'));
  const gauges = deviceGauges({
    devices: { countByState: away, reconnected: 3 },
    messages: { keptBack: away },
    outbox: { backlog: away },
    logger: silentLogger,
  });
  const values = await Promise.all(gauges.map(async ({ name, read }) => [name, await read()]));
  expect(Object.fromEntries(values)).toEqual({
    ...{ devices: {}, device_reconnects_total: 3, callbacks: {}, callbacks_oldest_seconds: {}, sends_waiting: {} },
  });
});
