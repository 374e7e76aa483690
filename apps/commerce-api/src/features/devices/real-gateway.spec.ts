// wa-gateway itself, as a process beside this service; its phones are simulated.
import { EventEmitter, once } from 'node:events';
import { httpClient } from '@platform/http';
import { startHttpServer, until, useRunning } from '@platform/testing';
import { askOf, refused, succeeded } from '../../asked.fixture';
import { httpWaGateway } from '../../clients/wa.gateway';
import { waGatewayContract } from '../../clients/wa.gateway.contract';
import { startRealGateway } from '../../clients/wa.gateway.fixture';
import { newStore, startCommerce } from '../../commerce.fixture';
import { startSecondProcess } from '../../second-process.fixture';
import type { Device, DeviceCode } from './devices.dto';

const gateway = useRunning(startRealGateway);
const commerce = useRunning(() => startCommerce({ WA_GATEWAY_URL: gateway.url }, new Date().toISOString()));
const http = useRunning(async () => httpClient('wa-gateway', gateway.url));

waGatewayContract(() => ({ gateway: httpWaGateway(http, undefined), scan: gateway.scan }));

const usedOf = async (storeId: string) => {
  const used = `SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'devices'`;
  return (await commerce.database.query<{ used: number }>(used, [storeId]))[0]?.used;
};

it('a device is linked by its code and has the number of its phone, until it is removed and its session has ended', async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  const { id, instance_id } = (await ask<Device>('POST', '/device', { name: 'Toko WA' })).body.data;
  const code = await until(
    () => ask<DeviceCode>('GET', `/device/${id}/qrcode`),
    ({ status }) => status === 200,
  );
  expect(code.body.data.qrcode).toMatch(/^data:image\/png;base64,/);
  await gateway.scan(instance_id, '628120000077');
  const linked = await until(
    () => ask<Device>('GET', `/device/${id}/status`),
    ({ body }) => body.data.status === 'connected',
  );
  expect(linked.body.data).toMatchObject({ instanceID: instance_id, number: '628120000077' });
  const connected = refused(409, 'device_already_connected', 'The device is connected already');
  expect(await ask('GET', `/device/${id}/qrcode`)).toEqual(connected);
  expect(await ask('DELETE', `/device/${id}`)).toEqual(succeeded(200, 'Device deleted', null));
  expect([await gateway.sessions(instance_id), await usedOf(storeId)]).toEqual([
    [{ instance_id, status: 'logged_out' }],
    0,
  ]);
});

it('a device whose maker was killed before its session is one session and one place of the plan, whoever asks for its code at once', async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  const heard = new EventEmitter();
  const gate = await startHttpServer((request) => heard.emit('call', request.url));
  const killed = await startSecondProcess(commerce, { WA_GATEWAY_URL: gate.url });
  const token = commerce.storeAuth.userToken({ store_id: storeId });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = once(heard, 'call');
  const body = JSON.stringify({ name: 'Toko WA' });
  const lost = fetch(`${killed.url}/api/device`, { method: 'POST', headers, body }).catch(() => 'lost');
  expect(await asked).toEqual(['/api/new']);
  await killed.stop('SIGKILL');
  expect(await lost).toBe('lost');
  await gate.stop();
  const [device] = (await ask<Device[]>('GET', '/device')).body.data;
  expect([await gateway.sessions(device?.instance_id ?? ''), await usedOf(storeId)]).toEqual([[], 1]);
  const codes = await until(
    () => Promise.all(Array.from({ length: 5 }, () => ask('GET', `/device/${device?.id}/qrcode`))),
    (answers) => answers.every(({ status }) => status === 200),
  );
  expect(codes).toHaveLength(5);
  expect(await gateway.sessions(device?.instance_id ?? '')).toHaveLength(1);
  expect([await usedOf(storeId), (await ask<Device[]>('GET', '/device')).body.data]).toEqual([
    1,
    [expect.objectContaining({ id: device?.id, status: 'qr' })],
  ]);
});
