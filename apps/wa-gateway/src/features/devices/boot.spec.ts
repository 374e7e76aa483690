import type { EngineSink } from '../../engines/engine.types';
import { SimulatorEngine } from '../../engines/simulator/simulator.engine';
import { useGateway, until } from '../../gateway.fixture';

const gateway = useGateway({ LEASE_TTL: '3s', LEASE_HEARTBEAT: '1s' });

describe('unserved devices at the start', () => {
  it('are started by themselves, four at a time', async () => {
    const { database, client } = gateway;
    let connecting = 0;
    let most = 0;
    const { value } = Object.getOwnPropertyDescriptor(SimulatorEngine.prototype, 'start') as PropertyDescriptor;
    const start = value as (this: SimulatorEngine, sink: EngineSink) => Promise<void>;
    const slow = jest.spyOn(SimulatorEngine.prototype, 'start').mockImplementation(async function (
      this: SimulatorEngine,
      sink,
    ) {
      most = Math.max(most, ++connecting);
      await until(
        () => most,
        (reached) => reached >= 4,
      );
      await new Promise((resolve) => setTimeout(resolve, 30));
      connecting -= 1;
      return start.call(this, sink);
    });
    await database.query(`
      INSERT INTO sim_phone (nohp, name) SELECT '62811000' || n, 'Toko' FROM generate_series(1000, 1019) n;
      INSERT INTO sim_link SELECT 'shop' || n, '62811000' || n FROM generate_series(1000, 1019) n;
      INSERT INTO device (instance_id, engine, webhook_url, status) SELECT 'shop' || n, 'simulator', '${gateway.receiver.url}', 'reconnecting' FROM generate_series(1000, 1019) n`);
    const connected = () => database.query<{ count: string }>(`SELECT count(*) FROM device WHERE status = 'connected'`);
    await until(connected, ([row]) => row?.count === '20');
    expect(most).toBe(4);
    slow.mockRestore();
    const { devices } = await client.data<{ devices: { status: string }[] }>(client.get('/api/device-info'));
    expect(devices.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'connected'));
  });

  it('whose pairing code died with its process wait for a new one', async () => {
    const { database, client } = gateway;
    await database.query(
      `INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('half', 'simulator', 'http://x', 'qr')`,
    );
    await until(
      () => database.query(`SELECT 1 FROM device WHERE instance_id = 'half' AND status = 'qr_expired'`),
      ({ length }) => length === 1,
    );
    expect((await client.get('/api/qrcode?instanceID=half')).status).toBe(200);
  });
});

describe('a device that fails to start at first', () => {
  it('is tried again with the next heartbeat', async () => {
    const { database, receiver } = gateway;
    const failing = jest.spyOn(SimulatorEngine.prototype, 'start').mockRejectedValueOnce(new Error('not now'));
    await database.query(`
      INSERT INTO sim_phone (nohp, name) VALUES ('628110009999', 'Toko');
      INSERT INTO sim_link VALUES ('late', '628110009999');
      INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('late', 'simulator', '${receiver.url}', 'reconnecting')`);
    await until(
      () => database.query(`SELECT 1 FROM device WHERE instance_id = 'late' AND status = 'connected'`),
      ({ length }) => length === 1,
    );
    expect(failing.mock.calls.length).toBeGreaterThanOrEqual(2);
    failing.mockRestore();
  });
});
