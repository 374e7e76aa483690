import { EngineOffline, EngineRefused } from '../../engines/engine.errors';
import { capabilityNames, type Capabilities, type WaEngine } from '../../engines/engine.types';
import { DeviceCalls } from './device-calls';
import type { Device } from '../registry/device.entity';
import type { DeviceLine } from './device-line';
import { KnownNumbers } from '../registry/known-numbers';
import { openCache } from '@platform/data';
import { Sends, silentLogger } from '@platform/runtime';

const all = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Capabilities;
const device = { instanceId: 'dev1', engine: 'cloud', status: 'connected' } as Device;

const calls = (capabilities: Capabilities, status = 'connected', sends = new Sends()) =>
  new DeviceCalls(
    { resolve: async () => ({ ...device, status }) as Device },
    { supports: () => true, line: async () => ({ engine: { capabilities } as WaEngine }) as DeviceLine },
    { countryCode: '62', sends },
  );

describe('a call that WhatsApp must answer', () => {
  it('is refused with the reason when the engine cannot do it', async () => {
    const cloud = calls({ ...all, groups: { reason: 'the Cloud API has no groups' } });
    await expect(cloud.call({}, 'groups', async () => 1)).rejects.toMatchObject({
      message: 'engine does not support groups',
      code: 'UNSUPPORTED',
      details: { reason: 'the Cloud API has no groups' },
    });
    expect(await cloud.call({}, 'typing', async ({ instanceId }) => instanceId)).toBe('dev1');
  });

  it('is refused while there is no line, before anything is said of abilities', async () => {
    const away = calls({ ...all, groups: { reason: 'no' } }, 'reconnecting');
    const offline = { message: 'device not connected', details: { status: 'reconnecting' } };
    await expect(away.call({}, 'groups', async () => 1)).rejects.toMatchObject(offline);
    const lost = async () => {
      throw new EngineOffline('gone meanwhile');
    };
    await expect(calls(all).call({}, 'groups', lost)).rejects.toMatchObject({ message: 'device not connected' });
  });

  it('reports what WhatsApp refused, and hides internal failures', async () => {
    const refused = async () => {
      throw new EngineRefused('WA_403', 'not-authorized');
    };
    await expect(calls(all).call({}, 'groups', refused)).rejects.toMatchObject({
      message: 'engine refused: not-authorized',
      kind: 'upstreamFailed',
      details: { reason: 'WA_403' },
    });
    const broken = new TypeError('x is undefined');
    await expect(calls(all).call({}, 'groups', () => Promise.reject(broken))).rejects.toBe(broken);
  });
});

describe('whether WhatsApp knows a number', () => {
  const number = '628123456789@s.whatsapp.net';
  const engineOf = (exists: WaEngine['exists'], capabilities = all) => ({ capabilities, exists }) as WaEngine;

  it('is asked once a day', async () => {
    const known = new KnownNumbers(openCache({ logger: silentLogger }));
    const exists = jest.fn(async () => new Map([[number, false]]));
    for (let n = 0; n < 3; n++) expect(await known.isRegistered('dev1', engineOf(exists), number)).toBe(false);
    expect(exists).toHaveBeenCalledTimes(1);
    await known.isRegistered('dev2', engineOf(exists), number);
    expect(exists).toHaveBeenCalledTimes(2);
  });

  it('stays open when nobody can say, and is asked again', async () => {
    const known = new KnownNumbers(openCache({ logger: silentLogger }));
    const broken = engineOf(() => Promise.reject(new EngineOffline('no line')));
    expect(await known.isRegistered('dev1', broken, number)).toBeUndefined();
    const silent = engineOf(async () => new Map());
    expect(await known.isRegistered('dev1', silent, number)).toBeUndefined();
    const unable = engineOf(() => Promise.reject(new Error('never asked')), { ...all, exists: { reason: 'no' } });
    expect(await known.isRegistered('dev1', unable, number)).toBeUndefined();
    expect(
      await known.isRegistered(
        'dev1',
        engineOf(async () => new Map([[number, true]])),
        number,
      ),
    ).toBe(true);
  });

  it('lets a send pass after three seconds without an answer', async () => {
    jest.useFakeTimers();
    const known = new KnownNumbers(openCache({ logger: silentLogger }));
    const answer = known.isRegistered(
      'dev1',
      engineOf(() => new Promise(() => undefined)),
      number,
    );
    await jest.advanceTimersByTimeAsync(3_000);
    jest.useRealTimers();
    expect(await answer).toBeUndefined();
  });
});
