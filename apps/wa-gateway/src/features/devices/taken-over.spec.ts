import type { WaEngine } from '../../engines/engine.types';
import { useGateway, until } from '../../gateway.fixture';
import type { DeviceLine } from './device-line';

const BUDI = '628123456789';
// No heartbeat notices anything: what is asked about one device does
const gateway = useGateway({ WEBHOOK_SEND_PENDING: 'false', LEASE_TTL: '3h', LEASE_HEARTBEAT: '1h' });
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI }));
});

/** As after a minute in which this process stood still: it has not noticed yet. */
const takeOver = (instanceId: string) =>
  gateway.database.query(`UPDATE lease SET owner = 'another', address = 'http://127.0.0.1:1' WHERE instance_id = $1`, [
    instanceId,
  ]);

it('what leaves a device that another process has meanwhile is left to that one, which is called', async () => {
  const { client, app, database } = gateway;
  const line = (await app.fleet.here('dev1')) as DeviceLine;
  const handedOver = jest.spyOn(line.engine as WaEngine, 'send');
  const calls: string[] = [];
  const unlisten = await app.database.listen('wa_gateway_sends', (call) => void calls.push(call));
  await takeOver('dev1');
  const ids: string[] = [];
  for (const n of [1, 2]) {
    const sent = client.send(`T-${n}`, BUDI, 'halo', { instanceID: 'dev1' });
    ids.push((await client.data<{ id: string }>(sent)).id);
  }
  await until(
    () => calls.length,
    (count) => count === 2,
  );
  await unlisten();
  expect(calls).toEqual(ids.map((id) => `dev1 ${id}`));
  expect(handedOver).not.toHaveBeenCalled();
  expect(await database.query('SELECT send_state AS state, repeats FROM message ORDER BY seq')).toEqual([
    { state: 'queued', repeats: 0 },
    { state: 'queued', repeats: 0 },
  ]);
  // The call is heard before its sender knows
  await until(
    () => line.outgoing.size,
    (size) => size === 0,
  );
});

it('what a line says of a device that another process has meanwhile changes nothing, and the line closes', async () => {
  const { client, app, database } = gateway;
  await client.link('dev2', {}, '628110000002');
  const line = (await app.fleet.here('dev2')) as DeviceLine;
  const stopped = jest.spyOn(line.engine as WaEngine, 'stop');
  const kept = () => database.query(`SELECT status, last_error, reconnects FROM device WHERE instance_id = 'dev2'`);
  const before = await kept();
  await takeOver('dev2');
  const sink = app.sinkOf(line);
  for (const state of ['reconnecting', 'replaced', 'logged_out'] as const) await sink.state(state, '440 replaced');
  await sink.qr({ qr: 'code', attempt: 1, expiresAt: new Date(Date.now() + 60_000) });
  expect([await kept(), app.fleet.running('dev2')]).toEqual([before, undefined]);
  await until(
    () => stopped.mock.calls.length,
    (count) => count === 1,
  );
});
