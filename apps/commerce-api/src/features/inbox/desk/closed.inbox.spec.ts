// Members whose inbox is closed, with chat-backend itself and a push service that decrypts.
import { until, useRunning } from '@platform/testing';
import { startPushSandbox, type PushSandbox } from '@platform/testing/push';
import { newsOf, pushSettingsFor } from '../../notifications/pushes/push.fixture';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, newTeam, type Agent } from './desk.fixture';

const sandbox: PushSandbox = useRunning(async () => {
  const started = await startPushSandbox({ port: 0 });
  return Object.assign(started, { stop: () => started.close() });
});
const world = useRunning(() => startInboxWorld(pushSettingsFor(sandbox)));
const [PHONE, OTHER, LAST] = ['6281234567890', '6281234567891', '6281234567892'];

const named = async ({ browser: page }: Agent) => {
  const browser = sandbox.browser();
  await page.get('/profile');
  const { endpoint, keys } = browser;
  expect((await page.post('/profile', { action: 'device', endpoint, ...keys, label: 'HP' })).status).toBe(303);
  return browser;
};

/** A member who sits there, as chat-backend knows it too, and a browser of theirs. */
const seated = async (shop: Awaited<ReturnType<typeof world.store>>, team: string) => {
  const agent = await agentIn(world, shop, team);
  await shop.there('INSERT INTO team_members (store_id, team_id, user_id) VALUES ($1, $2, $3)', team, agent.userId);
  return { ...agent, own: await named(agent) };
};

it('a customer who writes is heard by the team of the chat in their browsers, and the push leads to the chat; by nobody who signed out or sits elsewhere', async () => {
  const shop = await world.store();
  await newTeam(world, shop, '4');
  const [rina, siti] = [await seated(shop, '3'), await seated(shop, '4')];
  await shop.writes(PHONE, 'Ada ukuran 42?');
  const [news] = await until(
    () => newsOf(sandbox, rina.own),
    ({ length }) => length === 1,
  );
  expect([news?.title, news?.body]).toEqual([expect.any(String), 'Pesan baru menunggu balasan']);
  const chat = await rina.browser.get(news?.url ?? '');
  expect([chat.status, chat.text.includes('Ada ukuran 42?'), chat.text.includes(news?.title ?? '-')]).toEqual([
    ...[200, true, true],
  ]);
  await rina.browser.post('/logout', {});
  const andi = await seated(shop, '3');
  await shop.writes(OTHER, 'Halo');
  await until(() => newsOf(sandbox, andi.own).length === 1);
  // Of which chat-backend has not heard yet
  await andi.sit('4');
  const dewi = await seated(shop, '3');
  await shop.writes(LAST, 'Halo');
  await until(() => newsOf(sandbox, dewi.own).length === 1);
  expect([rina, siti, andi].map(({ own }) => newsOf(sandbox, own).length)).toEqual([1, 0, 1]);
});
