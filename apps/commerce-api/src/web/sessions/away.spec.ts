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
  const { browser: here, email, userId, storeId } = await signedIn(alone);
  const there = openBrowser(alone);
  await there.get('/login');
  await there.post('/login', { email, password: PASSWORD });
  return { here, there, userId, storeId };
};
type InTwo = Awaited<ReturnType<typeof inTwo>>;
let [leaving, late, lost, staying]: InTwo[] = [];

/** A browser that is pushed to. */
const PUSHED = `INSERT INTO push_subscription (store_id, id, user_id, sid, label, sealed, created_at, seen_at)
  VALUES ($1, 'phone', $2, 'lost', 'HP', '', now(), now())`;
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

it('they sign all other browsers out, which are told nothing more, and are told what else could not be', async () => {
  const { here, there, userId, storeId } = lost as InTwo;
  await alone.database.query(PUSHED, [storeId, userId]);
  const left = await here.post('/profile', { action: 'elsewhere' });
  expect(left).toMatchObject({ status: 303, location: '/dashboard' });
  expect(await there.get('/dashboard')).toMatchObject(toSignIn);
  const { status, text } = await here.get('/dashboard');
  expect([status, text.includes('Browser lain sudah keluar. Aplikasi yang terhubung belum bisa')]).toEqual([200, true]);
  expect(await alone.database.query('SELECT 1 FROM push_subscription WHERE user_id = $1', [userId])).toEqual([]);
});

it('they go on for as long as their token is good, although it should be exchanged, and no longer', async () => {
  const { here, userId } = staying as InTwo;
  await expiresIn(userId, 60_000);
  expect(await looks(here)).toEqual([200]);
  await expiresIn(userId, -1_000);
  expect(await looks(here)).toEqual([503]);
});
