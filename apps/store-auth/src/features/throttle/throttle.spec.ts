import { fixedClock } from '@platform/runtime';
import { useOpened } from '@platform/testing';
import {
  AGENT,
  bearer,
  brief,
  OWNER,
  OWNER_LOGIN,
  PASSWORD,
  startApp,
  useApp,
  type RunningApp,
} from '../../app.fixture';

const LOCKED = { status: 429, body: { status: 'error', message: 'terlalu banyak percobaan' } };
const MINUTE = 60_000;
const clock = fixedClock('2026-11-20T07:00:00Z');
const { app, database } = useApp({ clock, environment: { THROTTLE_EMAIL: '5/15m' } });

beforeEach(() => database.query('TRUNCATE throttle, auth_events'));

const ended = useOpened();
const DEFAULTS = { THROTTLE_EMAIL: '5/15m', THROTTLE_IP: '20/5m' };
const another = async (environment: Record<string, string>): Promise<RunningApp> =>
  ended(await startApp(database.url, { clock, environment: { ...DEFAULTS, ...environment } }));

const login = (credentials: object, headers = {}, to: Pick<RunningApp, 'post'> = app) =>
  to.post('/api/login', credentials, headers);
const guess = (email: string = OWNER.email) => login({ email, password: 'wrong' });
const statuses = async (count: number, work: (n: number) => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let n = 0; n < count; n++) found.push((await work(n)).status);
  return found;
};

describe('the login limit of an account', () => {
  it('locks it after five failures, even for the right password, and answers for how long', async () => {
    expect(await statuses(5, () => guess())).toEqual([401, 401, 401, 401, 401]);
    const answer = await login(OWNER_LOGIN);
    expect(brief(answer)).toEqual(LOCKED);
    expect(answer.headers.get('retry-after')).toBe('60');
    clock.advance(MINUTE - 1);
    expect((await login(OWNER_LOGIN)).status).toBe(429);
    clock.advance(1);
    expect((await login(OWNER_LOGIN)).status).toBe(200);
  });

  it('locks an account that does not exist alike', async () => {
    expect(await statuses(6, () => guess('nobody@toko-nusa.example'))).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('locks it for 1, 2, 4, 8 and then 15 minutes at most', async () => {
    const locks: (string | null)[] = [];
    for (let round = 0; round < 6; round++) {
      await statuses(5, () => guess());
      const answer = await guess();
      locks.push(answer.headers.get('retry-after'));
      clock.advance(Number(answer.headers.get('retry-after')) * 1000);
    }
    expect(locks).toEqual(['60', '120', '240', '480', '900', '900']);
  });

  it('starts over after a success, and after a quiet quarter of an hour', async () => {
    await statuses(4, () => guess());
    expect((await login(OWNER_LOGIN)).status).toBe(200);
    expect(await statuses(4, () => guess())).toEqual([401, 401, 401, 401]);
    clock.advance(15 * MINUTE);
    expect(await statuses(4, () => guess())).toEqual([401, 401, 401, 401]);
    expect((await login(OWNER_LOGIN)).status).toBe(200);
  });

  it('admits exactly five of a hundred parallel guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => guess()));
    const counts = answers.reduce<Record<number, number>>(
      (sum, { status }) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }),
      {},
    );
    expect(counts).toEqual({ 401: 5, 429: 95 });
    expect(
      await database.query('SELECT type, count(*)::int AS n FROM auth_events GROUP BY type ORDER BY type'),
    ).toEqual([
      { type: 'account_locked', n: 1 },
      { type: 'login_failed', n: 5 },
    ]);
  });

  it('does not count logins that succeed, however many at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => login(OWNER_LOGIN)));
    expect(await statuses(7, () => login(OWNER_LOGIN))).toEqual([200, 200, 200, 200, 200, 200, 200]);
  });
});

it('a reset by mail opens the lock that guesses of others have put on the account', async () => {
  const headers = bearer(await app.serviceToken('commerce-api'));
  const asked = { user_id: AGENT.user_id, purpose: 'reset_password' };
  expect(await statuses(6, () => guess(AGENT.email))).toEqual([401, 401, 401, 401, 401, 429]);
  const { body } = await app.post('/internal/verification-codes', asked, headers);
  const { code_id, code } = (body as { data: { code_id: string; code: string } }).data;
  const reset = { code_id, code, purpose: 'reset_password', password: PASSWORD };
  expect((await app.post('/internal/verification-codes/consume', reset, headers)).status).toBe(200);
  expect((await login({ email: AGENT.email, password: PASSWORD })).status).toBe(200);
});

describe('the login limit of an address', () => {
  it('allows twenty failures in five minutes over all accounts, and does not count successes', async () => {
    const strict = await another({});
    const attempt = (n: number) => login({ email: `user${n}@toko-nusa.example`, password: 'wrong' }, {}, strict);
    expect(await statuses(10, () => login(OWNER_LOGIN, {}, strict))).toEqual(Array(10).fill(200));
    expect(await statuses(20, attempt)).toEqual(Array(20).fill(401));
    const refused = await login(OWNER_LOGIN, {}, strict);
    expect(brief(refused)).toEqual(LOCKED);
    expect(refused.headers.get('retry-after')).toBe('300');
    clock.advance(5 * MINUTE);
    expect((await login(OWNER_LOGIN, {}, strict)).status).toBe(200);
  });

  it('keeps a locked address from locking accounts', async () => {
    const strict = await another({ THROTTLE_IP: '2/5m' });
    const attempt = () => login({ email: OWNER.email, password: 'wrong' }, {}, strict);
    expect(await statuses(10, attempt)).toEqual([401, 401, ...Array<number>(8).fill(429)]);
    expect(
      await database.query(`SELECT failures, locked_until FROM throttle WHERE key = 'account ${OWNER.email}'`),
    ).toEqual([{ failures: 2, locked_until: null }]);
  });

  it('does not count tries at a locked account, so one forgetful colleague locks nobody else out', async () => {
    const strict = await another({ THROTTLE_IP: '6/5m' });
    const wrong = () => login({ email: OWNER.email, password: 'wrong' }, {}, strict);
    expect(await statuses(5, wrong)).toEqual([401, 401, 401, 401, 401]);
    expect((await Promise.all(Array.from({ length: 40 }, wrong))).map(({ status }) => status)).toEqual(
      Array(40).fill(429),
    );
    const colleague = () => login({ email: AGENT.email, password: PASSWORD }, {}, strict);
    expect(await statuses(1, colleague)).toEqual([200]);
    expect(await database.query(`SELECT failures, locked_until FROM throttle WHERE key LIKE 'address %'`)).toEqual([
      { failures: 5, locked_until: null },
    ]);
  });

  it('counts by the peer, so a forged X-Forwarded-For starts no new count', async () => {
    const strict = await another({ THROTTLE_IP: '3/5m' });
    const attempt = (n: number) =>
      login({ email: `user${n}@toko-nusa.example`, password: 'x' }, { 'x-forwarded-for': `198.51.100.${n}` }, strict);
    expect(await statuses(5, attempt)).toEqual([401, 401, 401, 429, 429]);
  });

  it('counts by the address that a trusted proxy reports, not by what the client sent', async () => {
    const environment = { THROTTLE_IP: '3/5m', TRUST_PROXY: '127.0.0.1' };
    const strict = await another(environment);
    const from = (header: string) => (n: number) =>
      login({ email: `user${n}@toko-nusa.example`, password: 'x' }, { 'x-forwarded-for': header }, strict);
    expect(await statuses(4, (n) => from(`10.0.0.${n}, 198.51.100.1`)(n))).toEqual([401, 401, 401, 429]);
    expect(await statuses(1, from('198.51.100.2'))).toEqual([401]);
  });

  it('counts IPv6 by /64 networks, because a subscriber has a whole one', async () => {
    const strict = await another({ THROTTLE_IP: '3/5m', TRUST_PROXY: '127.0.0.1' });
    const from = (network: string) => (n: number) =>
      login({ email: `user${n}@toko-nusa.example`, password: 'x' }, { 'x-forwarded-for': `${network}::${n}` }, strict);
    expect(await statuses(4, from('2001:db8:0:1'))).toEqual([401, 401, 401, 429]);
    expect(await statuses(1, from('2001:db8:0:2'))).toEqual([401]);
  });
});

it('a user who logs in too often is refused until the first of those logins is an hour old, and nobody else is', async () => {
  const strict = await another({ THROTTLE_LOGINS: '3/1h' });
  const agent = { email: AGENT.email, password: PASSWORD };
  expect(await statuses(2, () => login(agent, {}, strict))).toEqual([200, 200]);
  clock.advance(MINUTE);
  expect(await statuses(2, () => login(agent, {}, strict))).toEqual([200, 429]);
  const refused = await login(agent, {}, strict);
  expect(brief(refused)).toEqual(LOCKED);
  expect(refused.headers.get('retry-after')).toBe(String(59 * 60));
  expect(await statuses(1, () => login({ ...agent, password: 'wrong' }, {}, strict))).toEqual([401]);
  expect(await statuses(1, () => login(OWNER_LOGIN, {}, strict))).toEqual([200]);
  clock.advance(59 * MINUTE);
  expect(await statuses(3, () => login(agent, {}, strict))).toEqual([200, 200, 429]);
});

it('a login that could not be checked does not count towards the limits', async () => {
  const matches = jest.spyOn(app.parts.passwords, 'matches').mockRejectedValue(new Error('no memory'));
  expect(await statuses(10, () => login(OWNER_LOGIN))).toEqual(Array(10).fill(500));
  matches.mockRestore();
  expect((await login(OWNER_LOGIN)).status).toBe(200);
});
