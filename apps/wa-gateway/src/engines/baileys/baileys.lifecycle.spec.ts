/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { silentLogger } from '@platform/runtime';
import { until, type TestDatabase } from '@platform/testing';
import type { BaileysEngine } from './baileys.engine';
import { RestartSlot } from './close-policy';
import { engineOn, lineTo, link, RecordingSink, useSandbox, type EngineSetup } from './engine.fixture';
import { Turnstile } from './turnstile';

const { database, sandbox } = useSandbox();

const running: BaileysEngine[] = [];
afterEach(() => Promise.all(running.splice(0).map((engine) => engine.stop())));

const make = (instanceId: string, more: Partial<EngineSetup> = {}) => {
  const engine = engineOn({ database, sandbox, ...more, device: { instanceId, ...more.device } });
  running.push(engine);
  return { engine, sink: new RecordingSink() };
};
const linked = async (instanceId: string, number: string, more: Partial<EngineSetup> = {}) => {
  const made = make(instanceId, more);
  await link(made.engine, made.sink, sandbox, number);
  return made;
};
const reached = (sink: RecordingSink, state: string) =>
  until(
    () => sink.last(),
    (last) => last === state,
  );
const sockets = () => sandbox.state().counters;
const keys = (instanceId: string, archived: boolean) =>
  database
    .query<{ count: number }>(
      `SELECT count(*)::int AS count FROM auth_key WHERE instance_id = $1 AND (archived_at IS NOT NULL) = $2`,
      [instanceId, archived],
    )
    .then(([row]) => row?.count ?? 0);

describe('linking', () => {
  it('goes by a code that is scanned, and the device knows who it is', async () => {
    const { engine, sink } = await linked('scan', '628110000001');
    expect(sink.states.map(({ state }) => state)).toEqual(['connecting', 'connecting', 'connected']);
    expect(sink.codes).toEqual([
      { qr: expect.stringMatching(/^(https:|2@|\d)/), attempt: 1, expiresAt: expect.any(Date) },
    ]);
    expect(engine.info()).toEqual({
      ...{ linked: true, number: '628110000001@s.whatsapp.net', pushName: 'Toko Nusa', platform: 'android' },
    });
  });

  it('waits for no turn to connect: somebody stands there with a phone', async () => {
    const turnstile = new Turnstile({ places: 1, logger: silentLogger });
    await turnstile.entrance('another').enter(() => true);
    const { engine } = await linked('urgent', '628110000012', { context: { turnstile } });
    expect(engine.info()).toMatchObject({ linked: true });
  });

  it('ends when nobody scanned six codes, and no connection is tried after that', async () => {
    const { engine, sink } = make('unused', { context: { line: { ...lineTo(sandbox), codeLifeMs: 30 } } });
    await engine.start(sink);
    await engine.pair();
    await reached(sink, 'qr_expired');
    expect(sink.codes.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    const before = sockets();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sockets()).toEqual(before);
    await engine.pair();
    await until(
      () => sink.codes.length,
      (codes) => codes > 6,
    );
  });

  it('also goes by a code that is typed on the phone', async () => {
    const { engine, sink } = make('coded');
    await engine.start(sink);
    await engine.pair('628110000010@s.whatsapp.net');
    await until(() => sink.codes.find(({ code }) => code !== undefined), Boolean);
    await sandbox.enterCode(sink.codes.at(-1)?.code ?? '', { number: '628110000010', name: 'Toko Nusa' });
    await reached(sink, 'connected');
    expect(engine.info()).toMatchObject({ linked: true, number: '628110000010@s.whatsapp.net' });
  });

  it('by a typed code leaves nothing behind when the code is not typed', async () => {
    const { engine, sink } = make('typed', { context: { line: { ...lineTo(sandbox), codeLifeMs: 500 } } });
    await engine.start(sink);
    await engine.pair('628110000009@s.whatsapp.net');
    await until(() => sink.codes.find(({ code }) => code !== undefined), Boolean);
    expect(sink.codes.at(-1)?.code).toMatch(/^[A-Z0-9]{8}$/);
    await reached(sink, 'qr_expired');
    expect(engine.info()).toEqual({ linked: false });
    expect(await keys('typed', false)).toBe(0);
  });
});

describe('a linked device', () => {
  it('comes back after a restart without a new code', async () => {
    const first = await linked('restart', '628110000002');
    await first.engine.stop();
    const { engine, sink } = make('restart', { device: { status: 'connected' } });
    await engine.start(sink);
    await reached(sink, 'connected');
    expect(sink.codes).toEqual([]);
    expect(engine.info()).toMatchObject({ linked: true, number: '628110000002@s.whatsapp.net' });
  });

  it('comes back by itself when the line is cut, or WhatsApp restarts it', async () => {
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    const { sink } = await linked('cut', '628110000003', { context: { clock } });
    for (const cause of ['lost', 503, 515] as const) {
      const before = sink.states.length;
      ahead += 61_000;
      await sandbox.disconnect('628110000003', cause);
      await until(() => sink.states.slice(before).some(({ state }) => state === 'connected'), Boolean);
    }
    expect(sink.states.map(({ state }) => state)).toContain('reconnecting');
  });

  it('whose line closes whenever it has opened logs in fewer than five times in ten minutes', async () => {
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    // Pauses are passed over: the clock is set forward instead
    const pauses = jest.spyOn(RestartSlot.prototype, 'schedule').mockImplementation((afterMs, work) => {
      ahead += afterMs;
      setImmediate(work);
    });
    const { logins: before = 0 } = sockets();
    const { sink } = await linked('flaps', '628110000016', { context: { clock } });
    const openings = () => sink.states.filter(({ state }) => state === 'connected').length;
    let within = 0;
    while (ahead < 600_000) {
      within = (sockets().logins ?? 0) - before;
      const opened = openings();
      await sandbox.disconnect('628110000016', 503);
      await until(openings, (count) => count > opened);
    }
    pauses.mockRestore();
    expect(within).toBe(4);
  });

  it('that is asked to come back waits for its turn: there is no code to scan', async () => {
    const first = await linked('asked', '628110000017');
    await first.engine.stop();
    const turnstile = new Turnstile({ places: 1, logger: silentLogger });
    const entrance = turnstile.entrance('receiver');
    const [enter, enterAtOnce] = [jest.spyOn(entrance, 'enter'), jest.spyOn(entrance, 'enterAtOnce')];
    jest.spyOn(turnstile, 'entrance').mockReturnValue(entrance);
    const { engine, sink } = make('asked', { device: { status: 'replaced' }, context: { turnstile } });
    await engine.start(sink);
    await engine.pair();
    await reached(sink, 'connected');
    expect([enter.mock.calls.length, enterAtOnce.mock.calls.length]).toEqual([1, 0]);
  });

  it('that is unlinked while it waits for its turn to connect stays unlinked', async () => {
    const first = await linked('waiting', '628110000011');
    await first.engine.stop();
    const turnstile = new Turnstile({ places: 1, logger: silentLogger });
    const { enter } = turnstile.entrance('another');
    const pass = await enter(() => true);
    const { engine, sink } = make('waiting', { device: { status: 'connected' }, context: { turnstile } });
    await engine.start(sink);
    await engine.logout();
    pass?.leave();
    await enter(() => true);
    await reached(sink, 'logged_out');
    expect(sink.codes).toEqual([]);
    expect(engine.info()).toEqual({ linked: false });
  });

  it('that another client replaced stays away, also after a restart, until somebody wants it back', async () => {
    const { engine, sink } = await linked('replaced', '628110000004');
    await sandbox.disconnect('628110000004', 440);
    await reached(sink, 'replaced');
    const logins = sockets().logins;
    await engine.stop();
    const again = make('replaced', { device: { status: 'replaced' } });
    await again.engine.start(again.sink);
    expect(again.engine.info()).toMatchObject({ linked: true });
    expect(sockets().logins).toBe(logins);
    await again.engine.pair();
    await reached(again.sink, 'connected');
  });

  it.each([
    [405, 'outdated'],
    [409, 'outdated'],
  ] as const)('that WhatsApp refuses with %i is %s and keeps its keys', async (cause, state) => {
    const number = `6281100001${cause}`;
    const { sink } = await linked(`end-${cause}`, number);
    await sandbox.disconnect(number, cause);
    await reached(sink, state);
    expect(await keys(`end-${cause}`, false)).toBeGreaterThan(0);
  });

  it.each([403, 406] as const)(
    'whose link WhatsApp ended with %i offers a new pairing, and says why',
    async (cause) => {
      const number = `6281100001${cause}`;
      const { engine, sink } = await linked(`end-${cause}`, number);
      await sandbox.disconnect(number, cause);
      await reached(sink, 'banned');
      expect(sink.states.at(-1)).toEqual({ state: 'banned', cause: `${cause} Connection Failure` });
      expect([await keys(`end-${cause}`, false), engine.info()]).toEqual([0, { linked: false }]);
      await engine.pair();
      await until(
        () => sink.codes.length,
        (codes) => codes === 2,
      );
      expect(sink.states.at(-1)?.state).toBe('connecting');
    },
  );

  it('that is banned for a while says until when, and comes back then', async () => {
    const { engine, sink } = await linked('ban', '628110000402');
    const now = Date.now();
    await sandbox.disconnect('628110000402', 402, { code: '101', expire: '0.2' });
    await until(() => sink.states.find(({ state }) => state === 'banned'), Boolean);
    const ban = sink.states.find(({ state }) => state === 'banned');
    expect(ban).toEqual({ state: 'banned', cause: '402 Connection Failure', until: expect.any(Date) });
    expect(ban?.until?.getTime()).toBeGreaterThanOrEqual(now + 200);
    await reached(sink, 'connected');
    expect(engine.info()).toMatchObject({ linked: true });
  });

  it('that is banned for a while stays away also after a restart, until the ban ends', async () => {
    const first = await linked('ban-restart', '628110000412');
    await first.engine.stop();
    const restart = async (restrictedUntil: Date) => {
      const made = make('ban-restart', { device: { status: 'banned', restrictedUntil } });
      await made.engine.start(made.sink);
      return made.sink;
    };
    const early = await restart(new Date(Date.now() + 3_600_000));
    expect(early.states).toEqual([]);
    await reached(await restart(new Date(Date.now() - 1)), 'connected');
    expect(early.states).toEqual([]);
  });

  it('that was unlinked on the phone is logged out; its keys are archived, and it can be linked again', async () => {
    const { engine, sink } = await linked('unlinked', '628110000005');
    await sandbox.disconnect('628110000005', 401);
    await reached(sink, 'logged_out');
    expect(engine.info()).toEqual({ linked: false });
    await until(
      () => keys('unlinked', false),
      (count) => count === 0,
    );
    expect(await keys('unlinked', true)).toBeGreaterThan(0);
    await engine.pair();
    await until(
      () => sink.codes.length,
      (codes) => codes === 2,
    );
    await sandbox.scan(sink.codes.at(-1)?.qr ?? '', { number: '628110000006' });
    await reached(sink, 'connected');
    expect(engine.info()).toMatchObject({ number: '628110000006@s.whatsapp.net' });
    expect(await keys('unlinked', true)).toBe(0);
  });

  it('that logs out tells WhatsApp, and may do so twice', async () => {
    const { engine, sink } = await linked('logout', '628110000007');
    await engine.logout();
    await reached(sink, 'logged_out');
    expect(sandbox.state().accounts.find(({ number }) => number === '628110000007')).toMatchObject({ linked: false });
    await engine.logout();
    expect(engine.info()).toEqual({ linked: false });
  });

  it('that logs out while it has no line is unlinked at WhatsApp as soon as that can be reached', async () => {
    const { engine, sink } = await linked('unreached', '628110000014', { context: { random: () => 0.99 } });
    await sandbox.disconnect('628110000014', 'lost');
    await reached(sink, 'reconnecting');
    const isLinked = () => sandbox.state().accounts.find(({ number }) => number === '628110000014')?.linked;
    await engine.logout();
    await reached(sink, 'logged_out');
    expect(engine.info()).toEqual({ linked: false });
    await until(isLinked, (still) => still === false);
    await until(
      () => database.query(`SELECT 1 FROM farewell WHERE instance_id = 'unreached'`),
      ({ length }) => length === 0,
    );
  });

  it('that could not be unlinked before the gateway ended is unlinked by the next one', async () => {
    const { engine, sink } = await linked('unreached-2', '628110000015');
    sandbox.faults({ silent: true }, '628110000015');
    await sandbox.disconnect('628110000015', 'lost');
    await reached(sink, 'reconnecting');
    await engine.logout();
    await engine.stop();
    sandbox.faults({ silent: false }, '628110000015');
    await make('unreached-2', { device: { status: 'logged_out' } }).engine.start(new RecordingSink());
    await until(
      () => sandbox.state().accounts.find(({ number }) => number === '628110000015')?.linked,
      (still) => still === false,
    );
  });

  it('keeps its account when the database fails while it starts, and starts when it is back', async () => {
    const first = await linked('away', '628110000008');
    await first.engine.stop();
    let isAway = true;
    const flaky = new Proxy(database, {
      get: (target, name: keyof TestDatabase) =>
        name === 'prepared' && isAway ? () => Promise.reject(new Error('away')) : target[name],
    });
    const { engine, sink } = make('away', { database: flaky, device: { status: 'connected' } });
    await engine.start(sink);
    expect(engine.info()).toEqual({ linked: false });
    isAway = false;
    await reached(sink, 'connected');
    expect(sink.codes).toEqual([]);
    expect(engine.info()).toMatchObject({ number: '628110000008@s.whatsapp.net' });
  });
});
