import { setTimeout as pause } from 'node:timers/promises';
import { errorBody, startAds } from './ads.fixture';
import { adsAccounts } from './ads.seed';

let world: Awaited<ReturnType<typeof startAds>>;
beforeAll(async () => void (world = await startAds()));
beforeEach(() => world.ads.reset());
afterEach(() => jest.useRealTimers());
afterAll(() => world.sandbox.close());

/** All but the timers of `setTimeout`. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

const ACCOUNT = `/act_${adsAccounts.usd}`;
const cap = () => world.ads.account(adsAccounts.usd).spend_cap;
const write = () => world.write(ACCOUNT, { spend_cap: 600 });
const calls = () => world.ads.calls().map(({ method, path, status }) => `${method} ${path} ${status}`);

describe('faults of the ads area', () => {
  it('refuse with any code and subcode, and nothing is applied', async () => {
    expect(await world.control('POST', 'faults', { kind: 'error', code: 17, subcode: 2446079, times: 2 })).toEqual({
      faults: [{ kind: 'error', call: 'update', code: 17, subcode: 2446079, times: 2 }],
    });
    const refusal = errorBody(17, '(#17) User request limit reached', { error_subcode: 2446079, is_transient: true });
    expect([await write(), await write(), cap()]).toEqual([refusal, refusal, 50_000]);
    expect(await world.control('GET', 'faults')).toEqual({ faults: [] });
    expect([await write(), cap()]).toEqual([{ success: true }, 60_000]);
  });

  it.each([
    [10, 403],
    [100, 400],
    [190, 400],
    [368, 400],
    [80000, 400],
    [2, 500],
  ])('answer code %i with HTTP %i, or with the wanted status', async (code, status) => {
    for (const wanted of [undefined, 200]) {
      await world.control('POST', 'faults', { kind: 'error', code, status: wanted });
      const answer = await world.send('POST', ACCOUNT, { spend_cap: 600 });
      expect([answer.status, answer.json]).toEqual([
        wanted ?? status,
        expect.objectContaining({ error: expect.objectContaining({ code }) }),
      ]);
    }
    expect(cap()).toBe(50_000);
  });

  it('tell in the headers, not in Retry-After, when a limit ends', async () => {
    await world.control('POST', 'faults', { kind: 'error', code: 80004, ms: 90_000 });
    const { headers } = await world.send('POST', ACCOUNT, { spend_cap: 600 });
    const usage = JSON.parse(headers.get('x-business-use-case-usage') ?? '') as Record<string, unknown[]>;
    const use = { call_count: 0, total_cputime: 0, total_time: 0, ads_api_access_tier: 'standard_access' };
    expect(usage).toEqual({
      '20330000000000001': [{ type: 'ads_management', ...use, estimated_time_to_regain_access: 2 }],
    });
    expect(JSON.parse(headers.get('x-ad-account-usage') ?? '')).toEqual({
      acc_id_util_pct: 0,
      reset_time_duration: 90,
      ads_api_access_tier: 'standard_access',
    });
    expect(headers.get('retry-after')).toBeNull();
  });

  it('drop_before_apply closes the connection and applies nothing', async () => {
    await world.control('POST', 'faults', { kind: 'drop_before_apply' });
    await expect(write()).rejects.toThrow('fetch failed');
    expect([cap(), calls()]).toEqual([50_000, [`POST ${ACCOUNT} 0`]]);
  });

  it('apply_then_drop applies and closes the connection', async () => {
    await world.control('POST', 'faults', { kind: 'apply_then_drop' });
    await expect(write()).rejects.toThrow('fetch failed');
    expect([cap(), calls()]).toEqual([60_000, [`POST ${ACCOUNT} 0`]]);
  });

  it('apply_late closes the connection, and applies later over what was written meanwhile', async () => {
    jest.useFakeTimers({ doNotFake: REAL });
    await world.control('POST', 'faults', { kind: 'apply_late', ms: 300 });
    await expect(write()).rejects.toThrow('fetch failed');
    expect(cap()).toBe(50_000);
    await world.write(ACCOUNT, { spend_cap: 700 });
    jest.advanceTimersByTime(299);
    expect(cap()).toBe(70_000);
    jest.advanceTimersByTime(1);
    expect(cap()).toBe(60_000);
  });

  it('apply_late never applies after a reset', async () => {
    jest.useFakeTimers({ doNotFake: REAL });
    await world.control('POST', 'faults', { kind: 'apply_late', ms: 50 });
    await expect(write()).rejects.toThrow('fetch failed');
    await world.control('POST', 'reset');
    jest.advanceTimersByTime(50);
    expect([cap(), await world.read(`${ACCOUNT}/activities`)]).toEqual([50_000, { data: [] }]);
  });

  it('500, apply_then_500 and not_json answer without saying what became of the write', async () => {
    const unknown = errorBody(1, 'An unknown error occurred', { is_transient: true });
    await world.control('POST', 'faults', { kind: '500' });
    expect([await write(), cap()]).toEqual([unknown, 50_000]);
    await world.control('POST', 'faults', { kind: 'not_json' });
    expect([await write(), cap()]).toEqual(['<html><body><h1>502 Bad Gateway</h1></body></html>', 50_000]);
    await world.control('POST', 'faults', { kind: 'apply_then_500' });
    expect([await write(), cap()]).toEqual([unknown, 60_000]);
    expect(calls()).toEqual([`POST ${ACCOUNT} 500`, `POST ${ACCOUNT} 502`, `POST ${ACCOUNT} 500`]);
  });

  it('delay applies at once and answers later', async () => {
    await world.control('POST', 'faults', { kind: 'delay', ms: 300 });
    const answer = write();
    while (cap() !== 60_000) await pause(5);
    expect(await answer).toEqual({ success: true });
  });

  it('stale_read shows the account before its last change, once', async () => {
    await write();
    await world.control('POST', 'faults', { kind: 'stale_read' });
    const read = () => world.read(`${ACCOUNT}?fields=spend_cap`);
    expect(await read()).toMatchObject({ spend_cap: '50000' });
    expect(await read()).toMatchObject({ spend_cap: '60000' });
  });

  it('concern only the wanted calls and account', async () => {
    world.ads.addFault({ kind: 'error', code: 80000, call: 'insights' });
    world.ads.addFault({ kind: 'error', code: 17, account_id: adsAccounts.usdSecond });
    expect(await write()).toEqual({ success: true });
    expect(await world.read(ACCOUNT)).toMatchObject({ account_id: adsAccounts.usd });
    expect(await world.read(`${ACCOUNT}/insights`)).toMatchObject({ error: { code: 80000 } });
    expect(await world.write(`/act_${adsAccounts.usdSecond}`, { spend_cap: 600 })).toMatchObject({
      error: { code: 17 },
    });
  });

  it('name what is wrong with them', async () => {
    expect(await world.control('POST', 'faults', { kind: 'fire' })).toEqual({
      error:
        'kind must be one of error, 500, not_json, delay, drop_before_apply, apply_then_drop, apply_then_500, apply_late, stale_read',
    });
    expect(await world.control('POST', 'faults', { kind: 'error' })).toEqual({ error: 'code is required' });
    expect(await world.control('POST', 'faults', { kind: '500', call: 'x' })).toEqual({
      error: 'call must be one of update, read, insights, create, any',
    });
  });
});
