import { tokenVerifier, type TokenVerifier } from '@platform/auth';
import { fixedClock, silentLogger } from '@platform/runtime';
import { until, useDatabase, useRunning } from '@platform/testing';
import { decodeProtectedHeader } from 'jose';
import { bearer, startApp, type RunningApp } from '../../app.fixture';
import { migrations, SCHEMA } from '../../data-source';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const clock = fixedClock('2026-11-20T07:00:00Z');
const database = useDatabase({ schema: SCHEMA, migrations });
const useReplica = () => useRunning(() => startApp(database.url, { clock, environment: { KEY_ROTATE_DAYS: '1' } }));
const replicas = [useReplica(), useReplica()] as const;

beforeAll(() => replicas[0].seed());

const verifierOf = (replica: RunningApp): TokenVerifier =>
  tokenVerifier({
    jwksUrl: `${replica.url}/.well-known/jwks.json`,
    audience: 'chat-backend',
    // Every token is checked with the current keys
    cacheSize: 0,
    logger: silentLogger,
    clock,
  });

interface Issued {
  readonly token: string;
  readonly until: number;
}

/** Two minutes of traffic: both replicas issue, and every verifier checks all unexpired tokens at once. */
const traffic = async (verifiers: readonly TokenVerifier[], issued: Issued[], bearers: string[]) => {
  const fresh = replicas.map(async (replica, n) => {
    const answer = await replica.post('/api/create-token', {}, bearer(bearers[n] ?? ''));
    const { token } = (answer.body as { data: { token: string } }).data;
    bearers[n] = token;
    issued.push({ token, until: clock.now().getTime() + 60 * MINUTE });
  });
  const live = issued.filter(({ until }) => until > clock.now().getTime());
  const checks = verifiers.flatMap((verifier) => live.map(({ token }) => verifier.verify(token)));
  await Promise.all([...fresh, ...checks]);
  return checks.length;
};

it('no valid token is refused while keys are rotated under load, and the old key verifies until it retires', async () => {
  const issued: Issued[] = [];
  const bearers = await Promise.all(replicas.map(async (replica) => (await replica.login()).token));
  // One that is busy all the time, one that returns after an hour with keys from before the rotation
  const [busy, idle] = replicas.map(verifierOf) as [TokenVerifier, TokenVerifier];
  await Promise.all([busy.verify(bearers[0] ?? ''), idle.verify(bearers[1] ?? '')]);
  const kids = new Set<string>();
  const counts: number[] = [];
  clock.advance(DAY - 20 * MINUTE);
  for (const [n, replica] of replicas.entries()) bearers[n] = (await replica.login()).token;
  for (let step = 0; step < 55; step++) {
    // Replicas read the ring at different times
    await replicas[step % 2]?.parts.ring.turn();
    counts.push(await traffic(step % 30 === 29 ? [busy, idle] : [busy], issued, bearers));
    await replicas[(step + 1) % 2]?.parts.ring.turn();
    for (const token of bearers) kids.add(String(decodeProtectedHeader(token).kid));
    clock.advance(2 * MINUTE);
  }
  expect(kids.size).toBe(2);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2_000);
  const states = await database.query('SELECT state FROM signing_keys ORDER BY created_at');
  expect(states).toEqual([{ state: 'retired' }, { state: 'current' }]);
});

it('an unknown key id makes a verifier fetch the JWKS once, however many tokens carry it', async () => {
  const [replica] = replicas;
  const asked = () => replica.lines.filter((line) => line.includes('jwks.json')).length;
  const verifier = verifierOf(replica);
  await verifier.verify((await replica.login()).token);
  clock.advance(MINUTE);
  await replica.parts.ring.publishNext();
  for (let n = 0; n < 13; n++) {
    clock.advance(MINUTE);
    await replica.parts.ring.turn();
  }
  const { token } = await replica.login();
  const before = asked();
  await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)));
  // A request is logged when it is over
  expect(await until(() => asked() - before)).toBe(1);
});
