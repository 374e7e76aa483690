// What people can do in their browsers while store-auth, which knows their logins, does not answer.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../commerce.fixture';
import { openBrowser, PASSWORD, signedIn } from '../browser.fixture';

const alone = useRunning(() => startCommerce());
const toSignIn = { status: 303, location: '/login?next=%2Fdashboard' };
type Browser = ReturnType<typeof openBrowser>;
const looks = (...browsers: readonly Browser[]) =>
  Promise.all(browsers.map((browser) => browser.get('/dashboard').then(({ status }) => status)));

/** Somebody in two browsers. */
const inTwo = async () => {
  const { browser: here, email, userId } = await signedIn(alone);
  const there = openBrowser(alone);
  await there.get('/login');
  await there.post('/login', { email, password: PASSWORD });
  return { here, there, userId };
};
type InTwo = Awaited<ReturnType<typeof inTwo>>;
let [leaving, late, lost, staying]: InTwo[] = [];

const expiresIn = (userId: string, milliseconds: number) =>
  alone.database.query('UPDATE web_session SET token_expires_at = $2 WHERE user_id = $1', [
    userId,
    new Date(alone.clock.now().getTime() + milliseconds),
  ]);

beforeAll(async () => {
  [leaving, late, lost, staying] = [await inTwo(), await inTwo(), await inTwo(), await inTwo()];
  await Promise.all([leaving, late, lost].flatMap((one) => one?.here.get('/profile')));
  await alone.storeAuth.stop();
});

it('they sign out of the browser before them, which nothing opens any more', async () => {
  const { here, there } = leaving as InTwo;
  expect(await here.post('/logout', {})).toMatchObject({ status: 303, location: '/login' });
  expect(await here.get('/dashboard')).toMatchObject(toSignIn);
  expect(await looks(there)).toEqual([200]);
});

it('they sign out also when their token has expired, and nobody could give them another', async () => {
  const { here, userId } = late as InTwo;
  await expiresIn(userId, -1_000);
  expect(await here.post('/logout', {})).toMatchObject({ status: 303, location: '/login' });
  expect(await alone.database.query('SELECT 1 FROM web_session WHERE user_id = $1', [userId])).toHaveLength(1);
});

it('they sign all other browsers out, although what else is signed in could not be ended', async () => {
  const { here, there } = lost as InTwo;
  expect((await here.post('/profile', { action: 'elsewhere' })).status).toBe(503);
  expect(await there.get('/dashboard')).toMatchObject(toSignIn);
  expect(await looks(here)).toEqual([200]);
});

it('they go on for as long as their token is good, although it should be exchanged, and no longer', async () => {
  const { here, userId } = staying as InTwo;
  await expiresIn(userId, 60_000);
  expect(await looks(here)).toEqual([200]);
  await expiresIn(userId, -1_000);
  expect(await looks(here)).toEqual([503]);
});
