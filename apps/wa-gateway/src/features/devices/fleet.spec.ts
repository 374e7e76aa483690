import { Sends, silentLogger } from '@platform/runtime';
import { until } from '../../gateway.fixture';
import type { LeaseEvents } from '../leases/lease-keeper';
import type { Device } from '../registry/public';
import type { DeviceLine } from './device-line';
import { DevicePlaces } from './device-places';
import { Fleet } from './fleet';
import type { LineOpener } from './line-opener';
import type { LineRounds } from './line-rounds';

const deviceOf = (instanceId: string) => ({ instanceId, engine: 'simulator', status: 'connected' }) as Device;
const never = new Promise<never>(() => undefined);
const free: string[] = [];
const told: string[] = [];
const fleets: Fleet[] = [];
let heartbeat: LeaseEvents | undefined;
let find = async (instanceId: string) => deviceOf(instanceId);

const fleetOf = (open: (device: Device) => Promise<DeviceLine>, concurrency = 4, more: Partial<LineRounds> = {}) => {
  const nothing = async () => undefined;
  const fleet = new Fleet({
    opener: { open, supports: () => true } as unknown as LineOpener,
    rounds: { pickUpForgotten: nothing, chase: nothing, fetchLateFiles: nothing, ...more },
    devices: { find: (instanceId) => find(instanceId) },
    leases: {
      start: async (events) => {
        heartbeat = events;
        events.free(free);
      },
      take: async () => undefined,
      whereIs: async (instanceId) => (instanceId === 'theirs' ? 'http://other' : undefined),
      giveBack: async () => undefined,
      pass: async (instanceId) => void told.push(`passed ${instanceId}`),
      stop: async () => undefined,
    },
    limits: { jitterSeconds: 0, concurrency, places: new DevicePlaces(2, { error: (text) => void told.push(text) }) },
    sending: { sends: new Sends(), keptBack: async () => 0 },
    logger: silentLogger,
  });
  fleets.push(fleet);
  return fleet;
};

afterEach(async () => {
  // A line that never opens is not waited for
  for (const fleet of fleets.splice(0)) void fleet.stop();
  free.length = 0;
  told.length = 0;
  find = async (instanceId) => deviceOf(instanceId);
  jest.useRealTimers();
});

describe('the periodic round over all lines', () => {
  it('leaves out a line that does not open', async () => {
    const chase = jest.fn(async () => undefined);
    const line = {} as DeviceLine;
    const fleet = fleetOf((device) => (device.instanceId === 'stuck' ? never : Promise.resolve(line)), 4, { chase });
    void fleet.line(deviceOf('stuck'));
    await fleet.line(deviceOf('works'));
    await fleet.chase();
    expect(chase.mock.calls).toEqual([[[line]]]);
  });

  it('does not begin again before it has ended', async () => {
    jest.useFakeTimers();
    const chase = jest.fn(() => never);
    const fleet = fleetOf(async () => ({ close: async () => undefined }) as unknown as DeviceLine, 4, { chase });
    await fleet.start();
    await fleet.line(deviceOf('slow'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(chase).toHaveBeenCalledTimes(1);
    await fleet.stop();
  });
});

it('a gateway that ends opens no device any more, neither asked for nor free', async () => {
  const opened: string[] = [];
  free.push('late');
  let found = (): void => undefined;
  const looking = new Promise<void>((resolve) => (found = resolve));
  const fleet = fleetOf(async ({ instanceId }) => {
    opened.push(instanceId);
    return { close: async () => undefined } as unknown as DeviceLine;
  });
  find = async (instanceId) => looking.then(() => deviceOf(instanceId));
  await fleet.start();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await fleet.stop();
  found();
  await expect(fleet.line(deviceOf('asked'))).rejects.toThrow('starting');
  expect(opened).toEqual([]);
});

it('promised files are looked for again while those of a slow media host are still under way', async () => {
  jest.useFakeTimers();
  const fetchLateFiles = jest.fn(() => never);
  const fleet = fleetOf(() => never, 4, { fetchLateFiles });
  await fleet.start();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(fetchLateFiles).toHaveBeenCalledTimes(2);
  await fleet.stop();
});

describe('while unserved devices wait for their turn', () => {
  it("a request gets its device's line at once", async () => {
    free.push('first', 'second', 'third');
    const third = { instanceId: 'third' };
    const opened: string[] = [];
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const fleet = fleetOf(({ instanceId }) => {
      opened.push(instanceId);
      begun();
      return instanceId === 'first' ? never : Promise.resolve(third as unknown as DeviceLine);
    }, 1);
    await fleet.start();
    await hasBegun;
    expect(opened).toEqual(['first']);
    expect(await fleet.line(deviceOf('third'))).toBe(third);
    expect(opened).toEqual(['first', 'third']);
  });
});

it('a device that gets another engine is opened again when its former line is off the network, and not before', async () => {
  let closed = (): void => undefined;
  const opened: string[] = [];
  const close = () => new Promise<void>((resolve) => (closed = resolve));
  const fleet = fleetOf(async ({ engine }) => {
    opened.push(engine);
    return { close } as unknown as DeviceLine;
  });
  await fleet.line(deviceOf('changed'));
  const retiring = fleet.retire('changed');
  const again = fleet.line({ ...deviceOf('changed'), engine: 'cloud' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(opened).toEqual(['simulator']);
  closed();
  await Promise.all([retiring, again]);
  expect(opened).toEqual(['simulator', 'cloud']);
});

describe('a device that is one too many', () => {
  it('is passed on when its line is off the network, and not before', async () => {
    let closed = (): void => undefined;
    const close = () =>
      new Promise<void>((resolve) => {
        told.push('closing');
        closed = () => {
          told.push('closed');
          resolve();
        };
      });
    const fleet = fleetOf(async () => ({ close }) as unknown as DeviceLine);
    await fleet.start();
    await fleet.line(deviceOf('surplus'));
    heartbeat?.surplus('surplus');
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['closing']);
    closed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['closing', 'closed', 'passed surplus']);
  });

  it('is passed on also when its line does not close cleanly', async () => {
    const close = () => Promise.reject(new Error('the store is away'));
    const fleet = fleetOf(async () => ({ close }) as unknown as DeviceLine);
    await fleet.start();
    await fleet.line(deviceOf('surplus'));
    heartbeat?.surplus('surplus');
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['passed surplus']);
  });

  it('is no longer taken when the share has become smaller while it waited for its turn', async () => {
    free.push('first', 'second');
    const opened: string[] = [];
    let release = (): void => undefined;
    const turn = new Promise<void>((resolve) => (release = resolve));
    const fleet = fleetOf(async ({ instanceId }) => {
      opened.push(instanceId);
      await turn;
      return { instanceId } as unknown as DeviceLine;
    }, 1);
    await fleet.start();
    await new Promise((resolve) => setTimeout(resolve, 0));
    heartbeat?.free([]);
    release();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(opened).toHaveLength(1);
  });
});

describe('a process that has as many devices with a connection of their own as it may (two here)', () => {
  const linked = (instanceId: string) => ({ ...deviceOf(instanceId), engine: 'baileys' }) as Device;
  const nobody = { close: async () => undefined } as unknown as DeviceLine;
  const opened: string[] = [];
  const open = async ({ instanceId }: Device) => {
    opened.push(instanceId);
    return nobody;
  };
  const full = async () => {
    const fleet = fleetOf(open);
    await Promise.all(['one', 'two'].map((instanceId) => fleet.line(linked(instanceId))));
    return fleet;
  };
  beforeEach(() => opened.splice(0));

  it('takes no more of those that nobody serves, and says so once', async () => {
    find = async (instanceId) => linked(instanceId);
    free.push('one', 'two', 'three', 'four');
    const fleet = fleetOf(open, 1);
    await fleet.start();
    await until(() => told.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(opened).toHaveLength(2);
    expect(told).toEqual(['this process has as many devices as it may (MAX_DEVICES): others stay without a line']);
    expect(['one', 'five'].map((id) => heartbeat?.serves({ id, engine: 'baileys' })).sort()).toEqual([false, true]);
  });

  it('opens one that is asked for in the process that has it, or tells that there is none', async () => {
    const fleet = await full();
    await expect(fleet.line(linked('theirs'))).rejects.toMatchObject({ elsewhere: { baseUrl: 'http://other' } });
    await expect(fleet.line(linked('three'))).rejects.toThrow('no process has room for the device');
    expect(opened).toEqual(['one', 'two']);
  });

  it('has room again when one has left, and always for devices that share a connection', async () => {
    const fleet = await full();
    expect(await fleet.line(deviceOf('shared'))).toBe(nobody);
    await fleet.retire('one');
    expect(await fleet.line(linked('three'))).toBe(nobody);
    await expect(fleet.line(linked('four'))).rejects.toThrow('no process has room for the device');
  });

  it('has room again when one could not be opened', async () => {
    const fails = jest.fn(open).mockRejectedValueOnce(new Error('not now'));
    const fleet = fleetOf(fails);
    await expect(fleet.line(linked('one'))).rejects.toThrow('not now');
    await Promise.all(['two', 'three'].map((instanceId) => fleet.line(linked(instanceId))));
    expect(opened).toEqual(['two', 'three']);
  });
});

describe('a device whose lease is lost and that is asked for again before its former line has ended', () => {
  it('keeps its place: no other device gets it', async () => {
    let dropped = (): void => undefined;
    const dropping = new Promise<void>((resolve) => (dropped = resolve));
    const line = { close: async () => undefined, drop: () => dropping } as unknown as DeviceLine;
    const fleet = fleetOf(async () => line);
    const [again, second, third] = ['again', 'second', 'third'].map(
      (id) => ({ ...deviceOf(id), engine: 'baileys' }) as Device,
    );
    await fleet.start();
    await fleet.line(again as Device);
    heartbeat?.lost('again');
    const anew = fleet.line(again as Device);
    dropped();
    await anew;
    await fleet.line(second as Device);
    await expect(fleet.line(third as Device)).rejects.toThrow('no process has room for the device');
  });

  it('has one line, also when the former one never opened', async () => {
    let fail = (): void => undefined;
    const failing = new Promise<never>((_, reject) => (fail = () => reject(new Error('the store is away'))));
    const lines: DeviceLine[] = [];
    const fleet = fleetOf(async () => {
      lines.push({ close: async () => undefined } as unknown as DeviceLine);
      return lines.length === 1 ? failing : (lines.at(-1) as DeviceLine);
    });
    await fleet.start();
    const former = fleet.line(deviceOf('again'));
    heartbeat?.lost('again');
    const anew = fleet.line(deviceOf('again'));
    fail();
    await expect(former).rejects.toThrow('the store is away');
    expect(await anew).toBe(lines[1]);
    expect([await fleet.line(deviceOf('again')), lines.length]).toEqual([lines[1], 2]);
  });
});
