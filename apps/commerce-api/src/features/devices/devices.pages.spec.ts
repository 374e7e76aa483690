// Numbers of a shop in a browser without script, with a gateway beside it: linked by the code of the page, told by its events.
import { until, useRunning } from '@platform/testing';
import { startFakeAgents } from '../../clients/bot.agents.fake';
import { startFakeChat } from '../../clients/chat.sync.fake';
import { startFakeGateway } from '../../clients/wa.gateway.fake';
import { startCommerce } from '../../commerce.fixture';
import { signedIn } from '../../web/browser.fixture';
import { openEvents } from '../../web/live/live.fixture';

const gateway = useRunning(startFakeGateway);
const chat = useRunning(startFakeChat);
const bot = useRunning(startFakeAgents);
const commerce = useRunning(() =>
  startCommerce(
    { CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url, BOT_URL: bot.url, OWNER_TIMEOUT_MS: '1500' },
    new Date().toISOString(),
  ),
);
beforeEach(() => {
  gateway.state.mood = 'answer';
});

const begun = async () => {
  const shop = await signedIn(commerce);
  const { storeId, browser } = shop;
  const add = async (fields: Record<string, string> = {}) => {
    await browser.get('/devices');
    return browser.post('/devices', { name: 'WA toko', number: '', chat_team_id: '', ...fields });
  };
  const act = async (path: string, fields: Record<string, string>) => {
    await browser.get(path);
    return browser.post(`${path}/action`, fields);
  };
  const devices = () =>
    commerce.database.query<{ id: string; name: string; instance_id: string }>(
      'SELECT id, name, instance_id FROM device WHERE store_id = $1 ORDER BY created_at',
      [storeId],
    );
  return { ...shop, add, act, devices };
};
const linked = async () => {
  const shop = await begun();
  const { location = '' } = await shop.add();
  const [device] = await shop.devices();
  return { ...shop, path: location, instance: device?.instance_id ?? '' };
};
const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';

it('a number is added once however often its form is sent, and its page shows the code that nobody keeps', async () => {
  const { browser, devices } = await begun();
  await browser.get('/devices');
  const fields = { name: '<b>WA</b>', number: '0812-0000-0001', chat_team_id: '' };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post('/devices', fields)));
  const rows = await devices();
  expect([rows.length, answers.map(({ status, location }) => [status, location])]).toEqual([
    ...[1, answers.map(() => [303, `/devices/${rows[0]?.id}`])],
  ]);
  const { text, headers } = await browser.get(`/devices/${rows[0]?.id}`);
  expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
  expect(text).toContain('src="data:image/png;base64,iVBORw0KGgo="');
  expect([text.includes('Menunggu dipindai'), text.includes('<b>WA')]).toEqual([true, false]);
});

it('the open page is told when the phone has scanned the code, and a reload shows the same', async () => {
  const { browser, path, instance } = await linked();
  const events = await openEvents(commerce.url, path, browser.cookies());
  await until(() => events.html().includes('class="qr"'));
  await gateway.scan(instance, '628120000001');
  await until(() => events.html().includes('Terhubung'));
  const last = events.events.findLast(({ name }) => name === 'html')?.data.html ?? '';
  expect([String(last).includes('class="qr"'), events.headers.get('cache-control')]).toEqual([false, 'no-store']);
  await events.close();
  const { text } = await browser.get(path);
  expect([text.includes('628120000001'), text.includes('class="qr"')]).toEqual([true, false]);
});

it('while the gateway is away the pages say so, what was typed comes back, and is added once when it is there again', async () => {
  const { browser, add, devices } = await begun();
  gateway.state.mood = 'down';
  const { status, text } = await add({ name: 'Kasir' });
  expect([status, alertOf(text)]).toEqual([502, expect.stringContaining('yang Anda ketik tidak hilang')]);
  expect([text.includes('value="Kasir"'), await devices()]).toEqual([true, []]);
  gateway.state.mood = 'answer';
  await until(async () => (await browser.post('/devices', { name: 'Kasir', number: '' })).status === 303);
  expect((await devices()).map(({ name }) => name)).toEqual(['Kasir']);
});

it('a number is renamed unless somebody else did so meanwhile, logged out, and removed', async () => {
  const { browser, act, path, instance, devices } = await linked();
  await gateway.scan(instance, '628120000002');
  await browser.get(path);
  const shown = browser.hidden(`${path}/action`);
  const named = (name: string) =>
    browser.send(`${path}/action`, { ...shown, action: 'save', name, chat_team_id: '', bot_agent_id: '' });
  expect((await named('Gudang')).location).toBe(path);
  const stale = await named('Kantor');
  expect([stale.status, stale.text.includes('Sekarang: Gudang'), stale.text.includes('value="Kantor"')]).toEqual([
    ...[409, true, true],
  ]);
  expect((await act(path, { action: 'logout' })).location).toBe(path);
  expect(gateway.sessions.get(instance)?.status).toBe('logged_out');
  expect((await act(path, { action: 'remove' })).location).toBe('/devices');
  expect([await devices(), (await browser.get(path)).status]).toEqual([[], 404]);
});

it('the plan that holds no more numbers is said in words, and nothing is lost', async () => {
  const { add, devices } = await linked();
  const { status, text } = await add({ name: 'Kedua' });
  expect([status, alertOf(text)]).toEqual([402, expect.stringContaining('Paket Anda tidak memuat nomor lagi')]);
  expect([text.includes('value="Kedua"'), (await devices()).length]).toEqual([true, 1]);
});
