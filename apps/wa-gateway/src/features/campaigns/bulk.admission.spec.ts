import { jid, Lanes, type LaneUnderTest } from './lane.fixture';

const slow = { delayMin: 40, delayMax: 40, batchSize: 100, batchPause: 0 };
let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open();
});
afterAll(() => lanes.stop());

/** One has just left, five wait. */
const full = async (device: LaneUnderTest): Promise<void> => {
  await device.single(500, slow);
  await device.secondsUntil(device.released.length + 1);
  for (let n = 501; n <= 505; n++) expect(await device.single(n, slow)).toBeUndefined();
};

const restrict = (device: LaneUnderTest, seconds: number) =>
  lanes.database.query('UPDATE device SET restricted_until = $2 WHERE instance_id = $1', [
    device.instanceId,
    new Date(lanes.clock.now().getTime() + seconds * 1_000),
  ]);

describe('single sends of a campaign', () => {
  it('leave in the order of acceptance, at their own pace', async () => {
    const device = await lanes.device();
    for (const nohp of [3, 1, 2]) await device.single(nohp, slow);
    const waits = [];
    for (let n = 1; n <= 3; n++) waits.push(await device.secondsUntil(n));
    expect(device.receivers).toEqual(['3', '1', '2']);
    expect(waits).toEqual([0, 40, 40]);
  });

  it('take turns with a broadcast, and share its pauses and the daily limit', async () => {
    const device = await lanes.device({ dailyLimit: 5 });
    await device.broadcast('shared', [11, 12, 13], { pace: { ...slow, delayMin: 10, delayMax: 10 } });
    for (const nohp of [21, 22, 23]) await device.single(nohp, slow);
    const waits = [];
    for (let n = 1; n <= 5; n++) waits.push(await device.secondsUntil(n));
    expect(device.receivers).toEqual(['21', '11', '22', '12', '23']);
    expect(waits).toEqual([0, 40, 10, 40, 10]);
    const before = lanes.clock.now();
    await device.secondsUntil(6);
    // The sixth of the day had to wait for midnight in Jakarta, 17:00 UTC
    expect(lanes.clock.now().getTime()).toBeGreaterThanOrEqual(new Date(before).setUTCHours(17, 0, 0, 0));
  });

  it.each<[string, Parameters<Lanes['device']>[0], (device: LaneUnderTest) => Promise<unknown>]>([
    ['the pause of the one before', {}, async () => undefined],
    ['a restriction of the account', {}, (device) => restrict(device, 700)],
    ['quiet hours', { quiet: { from: 0, to: 23 } }, async () => undefined],
    ['the daily limit', { dailyLimit: 1 }, async () => undefined],
    [
      'a broadcast whose turn it is',
      {},
      (device) => device.broadcast(`turn-${device.instanceId}`, [1, 2, 3], { pace: slow }),
    ],
    [
      'a broadcast whose turn ends a batch',
      {},
      (device) =>
        device.broadcast(`batch-${device.instanceId}`, [1, 2, 3], { pace: { ...slow, batchSize: 2, batchPause: 300 } }),
    ],
  ])('are accepted after exactly the seconds that a refusal names: %s', async (_, settings, hold) => {
    const device = await lanes.device(settings);
    await full(device);
    await hold(device);
    const seconds = (await device.single(506, slow)) ?? 0;
    expect(seconds).toBeGreaterThan(0);
    const singles = () => device.released.filter(({ chat }) => chat === jid(501)).length;
    const end = lanes.clock.now().getTime() + seconds * 1_000;
    while (lanes.clock.now().getTime() < end - 1_000) {
      const wait = (await device.lane.step()) ?? 0;
      lanes.clock.advance(Math.min(Math.max(wait, 1), end - 1_000 - lanes.clock.now().getTime()));
    }
    await device.lane.step();
    expect([singles(), await device.single(506, slow)]).toEqual([0, 1]);
    lanes.clock.advance(1_000);
    await device.lane.step();
    expect([singles(), await device.single(506, slow)]).toEqual([1, undefined]);
  });

  it('are admitted one at a time: five of twenty at once', async () => {
    const device = await lanes.device();
    device.isOnline = false;
    const waits = await Promise.all(Array.from({ length: 20 }, (_, n) => device.single(600 + n, slow)));
    expect(waits.filter((seconds) => seconds === undefined)).toHaveLength(5);
    const count = `SELECT count(*)::integer AS messages FROM message WHERE instance_id = $1`;
    expect(await lanes.database.query(count, [device.instanceId])).toEqual([{ messages: 5 }]);
  });

  it('fail and are reported when, at their turn, the number has opted out or is unknown', async () => {
    const device = await lanes.device({ exists: async () => false });
    for (const nohp of [31, 32]) await device.single(nohp, slow);
    await lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', [
      device.instanceId,
      jid(31),
    ]);
    await device.lane.step();
    await device.lane.step();
    const sql = `SELECT m.chat, m.send_state AS state, m.error_code AS code, i.state AS item,
      (SELECT (o.payload->'callback'->>'rawMessage')::jsonb FROM outbox_row o WHERE o.payload->'callback'->>'id' = m.id
         AND o.payload->'callback'->>'instanceID' = m.instance_id) AS told
      FROM message m JOIN campaign_item i ON i.instance_id = m.instance_id AND i.message_id = m.id WHERE m.instance_id = $1 ORDER BY m.seq`;
    const failed = (chat: string, code: string, pesan_id: string) => ({
      chat,
      state: 'failed',
      code,
      item: 'failed',
      told: { pesan_id, failed: { code, retryable: false } },
    });
    expect(await lanes.database.query(sql, [device.instanceId])).toEqual([
      failed(jid(31), 'OPTED_OUT', 'B-1'),
      failed(jid(32), 'NOT_REGISTERED', 'B-2'),
    ]);
    expect(device.receivers).toEqual([]);
  });

  it('are refused to a number that opted out under its hidden identity', async () => {
    const device = await lanes.device();
    const of = [device.instanceId, '77@lid', jid(51)];
    await lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', of.slice(0, 2));
    await expect(device.bulk.check(device.instanceId, jid(51), 'cloud')).resolves.toBeUndefined();
    await lanes.database.query('INSERT INTO chat_identity (instance_id, lid, pn) VALUES ($1, $2, $3)', of);
    await expect(device.bulk.check(device.instanceId, jid(51), 'cloud')).rejects.toThrow('number opted out');
  });

  it('are not refused by what only another device knows of who hides behind what', async () => {
    const [device, other] = [await lanes.device(), await lanes.device()];
    const pairs = [
      ['80@lid', jid(53), '80@lid', jid(53)],
      ['81@lid', jid(54), jid(54), '81@lid'],
    ];
    for (const [lid, pn, optedOut, asked] of pairs) {
      const learn = 'INSERT INTO chat_identity (instance_id, lid, pn) VALUES ($1, $2, $3)';
      await lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', [
        device.instanceId,
        optedOut,
      ]);
      await lanes.database.query(learn, [other.instanceId, lid, pn]);
      await expect(device.bulk.check(device.instanceId, asked ?? '', 'cloud')).resolves.toBeUndefined();
      await lanes.database.query(learn, [device.instanceId, lid, pn]);
      await expect(device.bulk.check(device.instanceId, asked ?? '', 'cloud')).rejects.toThrow('number opted out');
    }
  });

  it('that wait for a hidden identity do not leave when STOP was said by the number that is learned meanwhile', async () => {
    const device = await lanes.device();
    await device.single(52, slow);
    const [hidden, of] = ['78@lid', [device.instanceId, jid(52)]];
    for (const table of ['message', 'campaign_item'])
      await lanes.database.query(`UPDATE ${table} SET chat = '${hidden}' WHERE instance_id = $1 AND chat = $2`, of);
    await lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', of);
    await lanes.database.query(`INSERT INTO chat_identity (instance_id, pn, lid) VALUES ($1, $2, '${hidden}')`, of);
    await device.lane.step();
    expect(device.receivers).toEqual([]);
    const sql = 'SELECT error_code AS code FROM message WHERE instance_id = $1';
    expect(await lanes.database.query(sql, [device.instanceId])).toEqual([{ code: 'OPTED_OUT' }]);
  });

  it.each([
    ['leave although WhatsApp does not know the number of before any more', false, [], ['54']],
    ['do not leave when STOP was said by the number that is theirs since', true, [55], []],
  ])('that are addressed by a hidden identity %s', async (_, isKnown, stopped, leave) => {
    const device = await lanes.device({ exists: async () => isKnown });
    await device.single(54, slow);
    const [hidden, of] = ['79@lid', device.instanceId];
    const addressed = `UPDATE message SET payload = jsonb_set(payload, '{options}', '{"hidden": "${hidden}"}') WHERE instance_id = $1`;
    await lanes.database.query(addressed, [of]);
    const theirs = `INSERT INTO chat_identity (instance_id, lid, pn) VALUES ($1, '${hidden}', $2)`;
    await lanes.database.query(theirs, [of, jid(55)]);
    for (const number of stopped)
      await lanes.database.query('INSERT INTO opt_out (instance_id, number) VALUES ($1, $2)', [of, jid(number)]);
    await device.lane.step();
    expect(device.receivers).toEqual(leave);
  });

  it('that wait are left to the lane when a device comes back after a crash', async () => {
    const device = await lanes.device();
    for (const nohp of [41, 42]) await device.single(nohp, slow);
    await device.secondsUntil(1);
    expect(await device.unsent()).toEqual([jid(41)]);
  });
});
