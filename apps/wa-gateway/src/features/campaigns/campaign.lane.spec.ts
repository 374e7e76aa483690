import { IDLE_MS, jid, Lanes } from './lane.fixture';
import { localHour, nextLocalHour } from './local-time';

const ZONE = 'Asia/Jakarta';
const NIGHT = { from: 21, to: 7 };
const SECOND = { delayMin: 1, delayMax: 1, batchSize: 100, batchPause: 0 };
let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open();
});
beforeEach(() => {
  lanes.told.length = 0;
  lanes.asked.length = 0;
});
afterAll(() => lanes.stop());

const messagesTo = (instanceId: string) =>
  lanes.database.query(
    `SELECT chat, payload->'content'->>'text' AS text, send_state AS state, role, pesan_id AS "pesanId", error_code AS error
     FROM message WHERE instance_id = $1 ORDER BY seq`,
    [instanceId],
  );
const callbacksOf = (instanceId: string) =>
  lanes.database.query<{ status: string; failed: object | null }>(
    `SELECT payload->'callback'->>'status' AS status, (payload->'callback'->>'rawMessage')::jsonb->'failed' AS failed
     FROM outbox_row WHERE payload->'callback'->>'instanceID' = $1 ORDER BY id`,
    [instanceId],
  );
const optOut = (instanceId: string, nohp: number) =>
  lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', [instanceId, jid(nohp)]);

describe('a broadcast', () => {
  it('sends one by one with pauses, each text with its own fields, stored like any send', async () => {
    const device = await lanes.device();
    await device.broadcast('kata-1', [6281, 6282]);
    expect(await device.secondsUntil(1)).toBe(0);
    expect(await device.progress('kata-1')).toMatchObject({ state: 'running', sent: 1 });
    expect(await device.secondsUntil(2)).toBe(6);
    const row = { state: 'queued', role: 'broadcast', pesanId: null, error: null };
    expect(await messagesTo(device.instanceId)).toEqual([
      { chat: jid(6281), text: 'Halo Kak 6281', ...row },
      { chat: jid(6282), text: 'Halo Kak 6282', ...row },
    ]);
    expect(await callbacksOf(device.instanceId)).toEqual([
      { status: 'pending', failed: null },
      { status: 'pending', failed: null },
    ]);
    const event = { event: 'broadcastProgress', instanceID: device.instanceId, broadcast_id: 'kata-1', total: 2 };
    expect(lanes.told).toEqual([
      { ...event, sent: 1, failed: 0, skipped: 0, state: 'running', next_at: '2026-11-20T05:00:05.500Z' },
      { ...event, sent: 2, failed: 0, skipped: 0, state: 'done', next_at: null },
    ]);
  });

  it('pauses for longer after every batch', async () => {
    const device = await lanes.device();
    await device.broadcast('batch', [1, 2, 3, 4, 5], { pace: { ...SECOND, batchSize: 2, batchPause: 60 } });
    const waits = [];
    for (let n = 1; n <= 5; n++) waits.push(await device.secondsUntil(n));
    expect(waits).toEqual([0, 1, 60, 1, 60]);
  });

  it('skips opted-out numbers without a pause, and numbers unknown to WhatsApp with one', async () => {
    const device = await lanes.device({ exists: async (number) => number !== jid(72) });
    await optOut(device.instanceId, 71);
    await device.broadcast('skips', [71, 72, 73], { pace: SECOND });
    expect(await device.secondsUntil(1)).toBe(1);
    expect(device.receivers).toEqual(['73']);
    expect(lanes.asked).toEqual([jid(72), jid(73)]);
    expect(await device.progress('skips')).toEqual({
      state: 'done',
      cause: null,
      total: 3,
      sent: 1,
      failed: 0,
      skipped: 2,
    });
    const causes = `SELECT chat, state, cause FROM campaign_item WHERE broadcast_id = 'skips' ORDER BY seq`;
    expect(await lanes.database.query(causes)).toEqual([
      { chat: jid(71), state: 'skipped', cause: 'OPTED_OUT' },
      { chat: jid(72), state: 'skipped', cause: 'NOT_REGISTERED' },
      { chat: jid(73), state: 'sent', cause: null },
    ]);
  });

  it('looks up no number where the engine cannot, or the sender opts out of it', async () => {
    const mute = await lanes.device({ cannotAsk: true });
    await mute.broadcast('mute', [74]);
    const careless = await lanes.device({ exists: async () => false });
    await careless.broadcast('careless', [75], { checkNumber: false });
    await Promise.all([mute.secondsUntil(1), careless.secondsUntil(1)]);
    expect(lanes.asked).toEqual([]);
  });

  it('backs off while WhatsApp does not say whether it knows a number', async () => {
    const answers = [undefined, undefined, true];
    const device = await lanes.device({ exists: async () => answers.shift() });
    await device.broadcast('doubt', [76]);
    expect([await device.lane.step(), await device.lane.step()]).toEqual([5_000, 10_000]);
    expect(device.receivers).toEqual([]);
    await device.lane.step();
    expect(device.receivers).toEqual(['76']);
  });

  it('keeps quiet hours: the rest at 21:00 goes on at 07:00', async () => {
    const device = await lanes.device({ quiet: NIGHT });
    const hour = { delayMin: 3_600, delayMax: 3_600, batchSize: 100, batchPause: 0 };
    lanes.clock.advance(nextLocalHour(lanes.clock.now(), 18, ZONE).getTime() - lanes.clock.now().getTime());
    await device.broadcast('night', [101, 102, 103, 104, 105], { pace: hour });
    const hours = [];
    for (let n = 1; n <= 5; n++) {
      await device.secondsUntil(n);
      hours.push(localHour(lanes.clock.now(), ZONE));
    }
    expect(hours).toEqual([18, 19, 20, 7, 8]);
  });

  it('keeps the daily limit of the device, over all of its broadcasts, and goes on with the next day', async () => {
    const device = await lanes.device({ dailyLimit: 3 });
    await device.broadcast('limit-1', [201, 202], { pace: SECOND });
    await device.broadcast('limit-2', [203, 204], { pace: SECOND });
    const tomorrow = nextLocalHour(lanes.clock.now(), 0, ZONE);
    await device.secondsUntil(3);
    await device.secondsUntil(4);
    expect(device.receivers).toEqual(['201', '202', '203', '204']);
    expect(lanes.clock.now()).toEqual(tomorrow);
  });

  it('with a lower limit of its own yields to the others', async () => {
    const device = await lanes.device({ dailyLimit: 3 });
    await device.broadcast('low', [211, 212], { pace: SECOND, dailyLimit: 1 });
    await device.broadcast('high', [213, 214, 215], { pace: SECOND });
    await device.secondsUntil(3);
    expect(device.receivers).toEqual(['211', '213', '214']);
  });

  it('begins when it is scheduled', async () => {
    const device = await lanes.device();
    const startAt = new Date(lanes.clock.now().getTime() + 90_000);
    await device.broadcast('later', [221], { startAt });
    expect(await device.secondsUntil(1)).toBe(90);
  });

  it('sends nothing while it is paused, goes on when resumed, and ends when cancelled', async () => {
    const device = await lanes.device();
    await device.broadcast('held', [231, 232, 233], { pace: SECOND });
    await device.secondsUntil(1);
    await device.campaigns.act('held', 'pause');
    lanes.clock.advance(3_600_000);
    expect(await device.lane.step()).toBe(IDLE_MS);
    await device.campaigns.act('held', 'resume');
    await device.secondsUntil(2);
    await device.campaigns.act('held', 'cancel');
    expect(await device.campaigns.act('held', 'resume')).toBeUndefined();
    lanes.clock.advance(3_600_000);
    await device.lane.step();
    expect(device.receivers).toEqual(['231', '232']);
    expect(await device.progress('held')).toMatchObject({ state: 'cancelled', sent: 2, total: 3 });
  });

  it('that is paused during a number lookup sends nothing to that number', async () => {
    const device = await lanes.device({
      exists: async () => {
        await device.campaigns.act('race', 'pause');
        return true;
      },
    });
    await device.broadcast('race', [241]);
    await device.lane.step();
    expect(device.receivers).toEqual([]);
    expect(await messagesTo(device.instanceId)).toEqual([]);
    expect(await device.progress('race')).toMatchObject({ state: 'paused', sent: 0 });
  });

  it('reaches everybody once even when two processes hold its lane for a moment', async () => {
    const device = await lanes.device();
    const numbers = Array.from({ length: 20 }, (_, n) => 300 + n);
    await device.broadcast('twice', numbers, { pace: { ...SECOND, delayMin: 0, delayMax: 0 } });
    const other = device.another();
    for (let n = 0; n < 40; n++) await Promise.all([device.lane.step(), other.step(), device.lane.step()]);
    expect([...device.receivers].sort()).toEqual(numbers.map(String));
    expect(await messagesTo(device.instanceId)).toHaveLength(20);
    expect(await device.progress('twice')).toMatchObject({ state: 'done', sent: 20 });
  });

  it('counts a message that failed later as failed', async () => {
    const device = await lanes.device();
    await device.broadcast('fails', [251, 252], { pace: SECOND });
    await device.secondsUntil(1);
    await device.fail(device.released[0]?.id ?? '', 'NO_ACK');
    expect(await device.progress('fails')).toMatchObject({ state: 'running', sent: 0, failed: 1 });
    expect(await callbacksOf(device.instanceId)).toEqual([
      { status: 'pending', failed: null },
      { status: 'pending', failed: { code: 'NO_ACK', retryable: false } },
    ]);
  });
});

describe('the campaign lane', () => {
  it('does not look again by itself until it is put to use for the first time', async () => {
    const device = await lanes.device();
    expect([await device.lane.step(), device.lane.isUnused]).toEqual([undefined, true]);
    expect(await device.campaigns.used([device.instanceId])).toEqual([]);
    await device.broadcast('first', [259], { startAt: new Date(lanes.clock.now().getTime() + 3_600_000) });
    expect(await device.campaigns.used([device.instanceId])).toEqual([device.instanceId]);
    expect([await device.lane.step(), device.lane.isUnused]).toEqual([IDLE_MS, false]);
  });

  it('sends nothing without a line, or while the message before has not left', async () => {
    const device = await lanes.device();
    await device.broadcast('line', [261, 262], { pace: SECOND });
    device.isOnline = false;
    expect(await device.lane.step()).toBeUndefined();
    device.isOnline = true;
    await device.secondsUntil(1);
    device.stuck.add(device.released[0]?.id ?? '');
    lanes.clock.advance(5_000);
    expect(await device.lane.step()).toBe(100);
    device.stuck.clear();
    expect(await device.secondsUntil(2)).toBe(0);
  });

  it('rests until a restriction of the account ends', async () => {
    const device = await lanes.device();
    await device.broadcast('restricted', [271]);
    await lanes.database.query('UPDATE device SET restricted_until = $2 WHERE instance_id = $1', [
      device.instanceId,
      new Date(lanes.clock.now().getTime() + 45_000),
    ]);
    expect(await device.secondsUntil(1)).toBe(45);
  });

  it('pauses every broadcast when it is halted, and says why', async () => {
    const device = await lanes.device();
    await device.broadcast('halt', [281]);
    await device.lane.halt('WA_463');
    expect(await device.progress('halt')).toMatchObject({ state: 'paused', cause: 'WA_463' });
    expect(lanes.told).toEqual([
      {
        event: 'broadcastProgress',
        instanceID: device.instanceId,
        broadcast_id: 'halt',
        total: 1,
        sent: 0,
        failed: 0,
        skipped: 0,
        state: 'paused',
        cause: 'WA_463',
        next_at: null,
      },
    ]);
  });
});
