import type { Database } from '@platform/data';
import { silentLogger, systemClock } from '@platform/runtime';
import type { EngineSink, QrInfo } from '../engine.types';
import { SimulatorEngine } from './simulator.engine';
import { SimulatorGroups } from './simulator.groups';
import { noFaults, SimulatorStore } from './simulator.store';

const TWO_MINUTES = 120_000;

/** An account that nobody has linked, on a network without anything in it. */
const empty = { query: async () => [], prepared: async () => [] } as unknown as Database;

const unlinked = (database = empty) => {
  const codes: QrInfo[] = [];
  const states: string[] = [];
  const sink = {
    state: async (state: string) => void states.push(state),
    qr: async (code: QrInfo) => void codes.push(code),
  } as unknown as EngineSink;
  const engine = new SimulatorEngine('dev1', {
    store: new SimulatorStore(database),
    groups: new SimulatorGroups(empty),
    clock: systemClock,
    logger: silentLogger,
    faults: () => noFaults,
    media: {
      open: () => {
        throw new Error('there are no files');
      },
    },
  });
  return { engine, sink, codes, states };
};

describe('a round of codes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('shows six codes for 60 and then 20 seconds, and ends in qr_expired without another attempt', async () => {
    const { engine, sink, codes, states } = unlinked();
    await engine.start(sink);
    const began = Date.now();
    await engine.pair();
    for (const [attempt, seconds] of [60, 20, 20, 20, 20].entries()) {
      await jest.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(codes).toHaveLength(attempt + 1);
      await jest.advanceTimersByTimeAsync(1);
      expect(codes).toHaveLength(attempt + 2);
    }
    expect(states).toEqual(['connecting']);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(states).toEqual(['connecting', 'qr_expired']);
    await jest.advanceTimersByTimeAsync(TWO_MINUTES);
    expect([codes.length, states.length]).toEqual([6, 2]);
    expect(codes.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(codes.map(({ expiresAt }) => expiresAt.getTime() - began)).toEqual(
      [60, 80, 100, 120, 140, 160].map((seconds) => seconds * 1000),
    );
    expect(new Set(codes.map(({ qr }) => qr)).size).toBe(6);
  });

  it('is one, however often and at the same time it is asked for', async () => {
    const { engine, sink, codes, states } = unlinked();
    await engine.start(sink);
    await Promise.all([engine.pair(), engine.pair(), engine.pair()]);
    await jest.advanceTimersByTimeAsync(0);
    expect([codes.length, states]).toEqual([1, ['connecting']]);
    await engine.stop();
  });

  it('takes only the code that is shown now, and begins anew when it is asked to', async () => {
    const { engine, sink, codes, states } = unlinked();
    const phone = { nohp: '628110000001', name: 'Toko', offline: false };
    await engine.start(sink);
    await engine.pair('628110000001@s.whatsapp.net');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(codes.map(({ code }) => code)).toEqual([
      expect.stringMatching(/^[0-9A-F]{8}$/),
      expect.stringMatching(/^[0-9A-F]{8}$/),
    ]);
    await expect(engine.scan(phone, codes[0]?.qr)).rejects.toThrow('qrcode expired');
    await jest.advanceTimersByTimeAsync(100_000);
    await expect(engine.scan(phone, codes[1]?.qr)).rejects.toThrow('qrcode not ready');
    await engine.pair();
    await jest.advanceTimersByTimeAsync(0);
    expect(codes.at(-1)?.attempt).toBe(1);
    await engine.scan(phone, codes.at(-1)?.qr);
    expect(states).toEqual(['connecting', 'qr_expired', 'connecting', 'connected']);
    await engine.stop();
  });
});

describe('a scan and a logout at once', () => {
  it('end in one account or none, and the device can be linked again', async () => {
    let linked: () => void = () => undefined;
    const slow = {
      ...empty,
      query: (sql: string) =>
        sql.includes('INSERT INTO sim_link')
          ? new Promise((resolve) => (linked = () => resolve([])))
          : empty.query(sql),
    } as unknown as Database;
    const { engine, sink, codes, states } = unlinked(slow);
    const phone = { nohp: '628110000001', name: 'Toko', offline: false };
    await engine.start(sink);
    await engine.pair();
    const scanned = engine.scan(phone, undefined);
    const loggedOut = engine.logout();
    await new Promise(setImmediate);
    linked();
    await Promise.all([scanned, loggedOut]);
    expect([engine.info(), states]).toEqual([{ linked: false }, ['connecting', 'connected', 'logged_out']]);
    await engine.pair();
    await new Promise(setImmediate);
    expect(codes).toHaveLength(2);
    await engine.stop();
  });
});
