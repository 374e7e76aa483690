import { secretBox } from '@platform/auth';
import { Secret, TOTP } from 'otpauth';
import { AGENT, bearer, OWNER, PASSWORD, startApp, useApp, type AppOptions, type RunningApp } from '../../app.fixture';

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const [OLD, NEW] = [key('o'), key('n')];
const sealedWith = (keys: string): AppOptions => ({ environment: { SIGNING_KEY_SECRET: keys } });
const { database } = useApp(sealedWith(OLD));

const running: RunningApp[] = [];
afterEach(() => Promise.all(running.splice(0).map((app) => app.stop())));
const start = async (keys: string): Promise<RunningApp> => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
  const app = await startApp(database.url, sealedWith(keys));
  running.push(app);
  return app;
};

const PATH = `/internal/users/${AGENT.user_id}/two-factor`;
const printedBy = async (work: () => Promise<void>, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> => {
  const printed: string[] = [];
  const spy = jest.spyOn(process[stream], 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  await work();
  spy.mockRestore();
  return printed.join('');
};
const staleBoxes = async (app: RunningApp) => {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return text
    .match(/^stale_sealed_boxes\{.*$/gm)
    ?.map((line) => [/table="(\w+)"/.exec(line)?.[1], line.split(' ').at(-1)]);
};
const gauge = (table: string, count: number) => [table, String(count)];

it('secrets of an older key are counted and resealed on command, after which that key can be removed', async () => {
  const first = await start(OLD);
  const headers = bearer(await first.serviceToken('commerce-api'));
  const begun = await first.post(PATH, { password: PASSWORD }, headers);
  const { secret } = (begun.body as { data: { secret: string } }).data;
  const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeIn = (steps: number) => authenticator.generate({ timestamp: Date.now() + steps * 30_000 });
  expect((await first.put(PATH, { otp: codeIn(-1) }, headers)).status).toBe(200);

  const both = await start(`${NEW},${OLD}`);
  expect(await staleBoxes(both)).toEqual([gauge('signing_keys', 1), gauge('users', 1)]);
  expect(await printedBy(() => both.command('ops', ['reseal']))).toBe('sealed 2 boxes anew\n');
  expect(await printedBy(() => both.command('ops', ['reseal', '--json']))).toBe('{"resealed":0}\n');

  const after = await start(NEW);
  expect(await staleBoxes(after)).toEqual([gauge('signing_keys', 0), gauge('users', 0)]);
  const login = await after.post('/api/login', { email: AGENT.email, password: PASSWORD, otp: codeIn(0) });
  expect(login.status).toBe(200);
});

it('a box whose key is missing is named, and the rest is resealed', async () => {
  const [lost, stale] = [secretBox(key('x')), secretBox(OLD)];
  await database.query('UPDATE users SET totp_enc = $2, totp_pending_enc = NULL WHERE id = $1', [
    ...[AGENT.user_id, lost.seal('secret', `users.totp ${AGENT.user_id}`)],
  ]);
  await database.query('UPDATE users SET totp_pending_enc = $2 WHERE id = $1', [
    ...[OWNER.user_id, stale.seal('secret', `users.totp ${OWNER.user_id}`)],
  ]);
  const both = await start(`${NEW},${OLD}`);
  const printed = await printedBy(() => both.command('ops', ['reseal']), 'stderr');
  expect(process.exitCode).toBe(1);
  process.exitCode = undefined;
  expect(printed).toBe(
    `1 boxes were sealed anew, 1 could not be opened: users ${AGENT.user_id}. Put their key back at the end of SIGNING_KEY_SECRET\n`,
  );
  expect(await staleBoxes(both)).toEqual([gauge('signing_keys', 0), gauge('users', 1)]);
});
