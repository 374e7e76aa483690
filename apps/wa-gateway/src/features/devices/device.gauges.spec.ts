import { metricsOf } from '@platform/testing';
import { useGateway, until } from '../../gateway.fixture';
import type { DeviceLine } from './device-line';

// Nobody takes the device that is added
const gateway = useGateway({ LEASE_TTL: '3h', LEASE_HEARTBEAT: '1h' });
const OF_DEVICES = ['devices', 'device_reconnects_total', 'devices_unserved', 'device_places', 'device_places_taken'];
const NAMES = [...OF_DEVICES, 'sends_waiting', 'outbox_queued', 'outbox_dead', 'jobs_dead'];
const QUEUED = 'outbox_queued{component="outbox callbacks"}';
const DEAD = 'outbox_dead{component="outbox callbacks"}';
const JOBS = 'jobs_dead{component="jobs wa_gateway_jobs"}';

it('/metrics of wa-gateway shows the devices by state, their reconnects, and what waits or was given up', async () => {
  const { client, database, receiver, app, running } = gateway;
  const shown = () => metricsOf(running.url, ...NAMES);
  await client.link('dev1');
  const places = { device_places: 500, device_places_taken: 0, devices_unserved: 0 };
  const nothing = { ...places, device_reconnects_total: 0, sends_waiting: 0, [QUEUED]: 0, [DEAD]: 0, [JOBS]: 0 };
  expect(await shown()).toEqual({ ...nothing, 'devices{state="connected"}': 1 });

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
  expect(await until(shown, (now) => now[DEAD] === 1)).toEqual({
    ...nothing,
    ...{ 'devices{state="reconnecting"}': 1, 'devices{state="logged_out"}': 1, device_reconnects_total: 1 },
    ...{ [DEAD]: 1, sends_waiting: 1, devices_unserved: 1 },
  });
});
