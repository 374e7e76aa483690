import type { EngineSink } from '../../engines/engine.types';
import type { Device } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { LineFactory } from './line-factory';
import { LineOpener } from './line-opener';

const device = { instanceId: 'dev1', engine: 'simulator', status: 'connected' } as Device;

it('a device whose opening fails half-way is off the network: who tries again has the only line', async () => {
  const told: string[] = [];
  const engine = { start: async () => void told.push('started'), info: () => ({ linked: true }) };
  const line = {
    instanceId: 'dev1',
    engine,
    recover: async () => undefined,
    drop: async () => void told.push('dropped'),
  };
  const opener = new LineOpener({
    factory: { create: () => line as unknown as DeviceLine, supports: () => true } as unknown as LineFactory,
    sinkOf: () => ({}) as EngineSink,
    devices: { update: async () => undefined },
    media: { takeUp: () => Promise.reject(new Error('the database is away')) },
  });
  await expect(opener.open(device)).rejects.toThrow('the database is away');
  expect(told).toEqual(['started', 'dropped']);
});
