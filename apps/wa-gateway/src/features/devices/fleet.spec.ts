import { Sends, silentLogger } from '@platform/runtime';
import type { Device } from '../registry/public';
import type { DeviceLine } from './device-line';
import { Fleet } from './fleet';
import type { LineOpener } from './line-opener';

const deviceOf = (instanceId: string) => ({ instanceId, engine: 'simulator', status: 'connected' }) as Device;
const never = new Promise<never>(() => undefined);
const free: string[] = [];

const fleetOf = (open: (device: Device) => Promise<DeviceLine>, concurrency = 4) => {
  const takeUpMedia = async () => undefined;
  return new Fleet({
    opener: { open, supports: () => true, takeUpMedia } as unknown as LineOpener,
    devices: { find: async (instanceId) => deviceOf(instanceId) },
    messages: { keptBack: async () => 0 },
    leases: {
      start: async (events) => events.free(free),
      take: async () => undefined,
      giveBack: async () => undefined,
      stop: async () => undefined,
    },
    pace: { jitterSeconds: 0, concurrency },
    sending: { ackSeconds: 60, sends: new Sends() },
    logger: silentLogger,
  });
};

afterEach(() => {
  free.length = 0;
  jest.useRealTimers();
});

describe('the periodic round over all lines', () => {
  it('skips a line that does not open', async () => {
    const chase = jest.fn(async () => undefined);
    const line = { chase } as unknown as DeviceLine;
    const fleet = fleetOf((device) => (device.instanceId === 'stuck' ? never : Promise.resolve(line)));
    void fleet.line(deviceOf('stuck'));
    await fleet.line(deviceOf('works'));
    await fleet.chase();
    expect(chase).toHaveBeenCalledTimes(1);
  });

  it('does not begin again before it has ended', async () => {
    jest.useFakeTimers();
    const chase = jest.fn(() => never);
    const rest = { pickUpForgotten: async () => undefined, close: async () => undefined };
    const fleet = fleetOf(async () => ({ chase, ...rest }) as unknown as DeviceLine);
    await fleet.start();
    await fleet.line(deviceOf('slow'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(chase).toHaveBeenCalledTimes(1);
    await fleet.stop();
  });
});

describe('while unserved devices wait for their turn', () => {
  it("a request gets its device's line at once", async () => {
    free.push('first', 'second', 'third');
    const third = { instanceId: 'third', pickUpForgotten: async () => undefined, chase: async () => undefined };
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
