// What one process has written, at another one whose clock is another.
import { systemClock } from '@platform/runtime';
import { AGENT, brief, startApp, useTwoApps, type Answer } from '../../app.fixture';

const { app, database, other } = useTwoApps();
const isOff = (milliseconds: number) =>
  jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + milliseconds));
afterEach(() => jest.restoreAllMocks());

const refresh = (at: Pick<typeof app, 'post'>, refresh_token: string): Promise<Answer> =>
  at.post('/api/refresh-token', { refresh_token });

it('a refresh token whose answer was lost has the same successor there, a minute ahead', async () => {
  const { refresh_token: token } = await app.login();
  const first = await refresh(app, token);
  isOff(60_000);
  expect(brief(await refresh(other, token))).toEqual(brief(first));
});

it('a refresh token that is used again later ends its login there, an hour behind', async () => {
  const { token: access, refresh_token: token } = await app.login();
  await refresh(app, token);
  await database.query(`UPDATE refresh_tokens SET used_at = used_at - interval '1 minute'`);
  isOff(-3_600_000);
  const again = await refresh(other, token);
  jest.restoreAllMocks();
  expect([again.status, (await app.post('/api/check-validate-token', { token: access })).status]).toEqual([401, 401]);
});

describe('a process that begins with its clock an hour ahead goes by the time of the database', () => {
  const realNow = Date.now.bind(Date);
  beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => realNow() + 3_600_000));
  const isOff = (at: Date) => Math.abs(at.getTime() - realNow()) > 60_000;

  it('while it serves', async () => {
    const ahead = await startApp(database.url);
    const told = ahead.parts.clock.now();
    await ahead.stop();
    expect(isOff(told)).toBe(false);
  });

  it('in a command', async () => {
    await database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [AGENT.user_id]);
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await app.command('ops', ['confirm-email', '--email', AGENT.email]);
    const [user] = await database.query<{ at: Date }>('SELECT email_verified_at AS at FROM users WHERE id = $1', [
      AGENT.user_id,
    ]);
    expect(isOff(user?.at ?? new Date(0))).toBe(false);
  });
});
