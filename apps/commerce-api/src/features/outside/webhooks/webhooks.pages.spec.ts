// Outgoing webhooks in a browser: their secret is shown once.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { failing, hanging, isSigned, startReceiver, taking } from './receiver.fixture';

const commerce = useRunning(() => startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));
const receiver = useRunning(startReceiver);
const PATH = '/settings/webhooks';
const added = async () => {
  const shop = await signedIn(commerce);
  await shop.browser.get(PATH);
  const hidden = { ...shop.browser.hidden(PATH), action: 'create', url: 'http://127.0.0.1:9/hook?a=1&b=2' };
  const form = { ...hidden, events: 'order.paid' };
  return { ...shop, form, made: await shop.browser.send(PATH, form) };
};

it('one is added once, and its secret is on the answer alone', async () => {
  const { browser, form, made, storeId } = await added();
  const secret = /<code>(whsec_[^<]+)<\/code>/.exec(made.text)?.[1] ?? '';
  expect([made.status, made.headers['cache-control'], secret.length > 40]).toEqual([200, 'no-store', true]);
  commerce.clock.advance(60_000);
  expect(await browser.send(PATH, form)).toMatchObject({ status: 303, location: PATH });
  const { text } = await browser.get(PATH);
  expect([text.includes('whsec_'), text.includes('a=1&amp;b=2'), text.includes('Pesanan dibayar')]).toEqual([
    ...[false, true, true],
  ]);
  const rows = await commerce.database.query('SELECT id FROM webhook_endpoint WHERE store_id = $1', [storeId]);
  expect(rows).toHaveLength(1);
  expect(commerce.lines.join()).not.toContain(secret);
  const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const other = (await added()).browser;
  await other.get(PATH);
  expect((await other.send(PATH, { ...other.hidden(PATH), action: `remove.${id}`, id })).status).toBe(404);
  expect((await browser.post(PATH, { action: `remove.${id}`, id })).location).toBe(PATH);
  expect((await browser.get(PATH)).text).toContain('Belum ada webhook.');
});

/** A webhook of a shop that hears at a path of its own, and what its member does with it. */
const heard = async (path: string) => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get(PATH);
  const made = await browser.post(PATH, { action: 'create', url: receiver.url + path, events: 'order.paid' });
  const { text } = await browser.get(PATH);
  const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const does = async (action: string) => {
    await browser.get(PATH);
    return browser.post(PATH, { action: `${action}.${id}`, id });
  };
  const news = () => receiver.news.filter((each) => each.path === path);
  const arrived = (count: number) => until(news, ({ length }) => length === count);
  return { browser, storeId, id, does, arrived, secret: secretIn(made.text) };
};
const secretIn = (html: string): string => /<code>(whsec_[^<]+)<\/code>/.exec(html)?.[1] ?? '';

it('a test is sent at once, signed; with another secret once that was renewed', async () => {
  const { does, arrived, secret, browser, storeId } = await heard('/tried');
  expect((await does('try')).location).toBe(PATH);
  const [first] = await arrived(1);
  expect([first?.event, first && isSigned(secret, first)]).toEqual(['test', true]);
  await until(async () => (await browser.get(PATH)).text.includes('Dijawab 204'));
  const renewed = secretIn((await does('renew')).text);
  expect([renewed.length > 40, renewed === secret, (await browser.get(PATH)).text.includes('whsec_')]).toEqual([
    ...[true, false, false],
  ]);
  commerce.clock.advance(11_000);
  await does('try');
  const [, second] = await arrived(2);
  expect([second && isSigned(renewed, second), second && isSigned(secret, second)]).toEqual([true, false]);
  const told = await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [storeId]);
  expect(JSON.stringify(told) + commerce.lines.join()).not.toContain(renewed);
});

it('a test that fails is not tried again, and wakes a webhook that was stopped', async () => {
  receiver.at('/stopped', failing);
  const { does, arrived, browser, storeId } = await heard('/stopped');
  const stop = `UPDATE webhook_endpoint SET status = 'stopped', failures = 50 WHERE store_id = $1`;
  await commerce.database.query(stop, [storeId]);
  expect((await browser.get(PATH)).text).toContain('Berhenti');
  await does('try');
  await arrived(1);
  const deliveries = `SELECT d.kind, d.state, h.status, h.failures FROM webhook_delivery d
    JOIN webhook_endpoint h ON h.store_id = d.store_id AND h.id = d.hook_id WHERE d.store_id = $1`;
  const [row] = await until(
    () => commerce.database.query<{ state: string }>(deliveries, [storeId]),
    ([only]) => only?.state !== 'waiting',
  );
  expect(row).toEqual({ kind: 'test', state: 'given_up', status: 'active', failures: 0 });
});

it('a test is sent before news that wait for their next try, counts as no failure, and has them sent once it is taken', async () => {
  receiver.at('/mended', failing);
  const { id, does, arrived, storeId } = await heard('/mended');
  const values = [storeId, id, uuidv7(), JSON.stringify({ event: 'order.paid' }), commerce.clock.now()];
  const waiting = `INSERT INTO webhook_delivery (store_id, hook_id, event_id, kind, at, body, attempts, next_at, created_at)
    VALUES ($1, $2, $3, 'order.paid', $5, $4, 6, $5::timestamptz + interval '2 hours', $5)`;
  await commerce.database.query(waiting, values);
  await commerce.database.query('UPDATE webhook_endpoint SET failures = 49 WHERE id = $1', [id]);
  await does('try');
  const settled = () =>
    until(
      () => commerce.database.query<{ waits: number; failures: number; status: string }>(STANDING, [id]),
      ([only]) => only?.waits === 0,
    );
  expect([(await arrived(1)).map(({ event }) => event), await settled()]).toEqual([
    ...[['test'], [{ waits: 0, failures: 49, status: 'active' }]],
  ]);
  receiver.at('/mended', taking);
  commerce.clock.advance(11_000);
  await does('try');
  expect((await arrived(3)).map(({ event }) => event)).toEqual(['test', 'test', 'order.paid']);
});

/** Tests that wait for a hook, and how it is. */
const STANDING = `
  SELECT failures, status, (SELECT count(*)::int FROM webhook_delivery d
    WHERE d.hook_id = h.id AND d.kind = 'test' AND d.state = 'waiting') AS waits
  FROM webhook_endpoint h WHERE id = $1`;

it('of many tests at once one is sent and noted; the others are told that it is on its way, or was sent just now', async () => {
  const { id, does, arrived, browser, storeId } = await heard('/often');
  await browser.get(PATH);
  const { _csrf = '' } = browser.hidden(PATH);
  const press = () => browser.send(PATH, { _csrf, _idem: uuidv7(), action: `try.${id}`, id });
  const answers = await Promise.all(Array.from({ length: 8 }, press));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
  await arrived(1);
  await until(
    async () => (await commerce.database.query(STANDING, [id]))[0],
    (row) => row?.waits === 0,
  );
  await does('try');
  expect((await browser.get(PATH)).text).toContain('Kabar percobaan baru saja dikirim. Tunggu 10 detik');
  const noted = `SELECT FROM audit_log WHERE tenant_id = $1 AND diff::text LIKE '%"test"%'`;
  expect(await commerce.database.query(noted, [storeId])).toHaveLength(1);
  receiver.at('/often', hanging);
  commerce.clock.advance(11_000);
  await does('try');
  await arrived(2);
  await does('try');
  expect((await browser.get(PATH)).text).toContain('Kabar percobaan sebelumnya masih dikirim.');
});

it('another store can neither try nor renew it', async () => {
  const { id } = await heard('/theirs');
  const { browser } = await signedIn(commerce);
  const answers: number[] = [];
  for (const action of ['try', 'renew']) {
    await browser.get(PATH);
    const given = { ...browser.hidden(PATH), action: `${action}.${id}`, id };
    answers.push((await browser.send(PATH, given)).status);
  }
  expect(answers).toEqual([404, 404]);
});

it.each(['http://10.0.0.1/', 'https://169.254.169.254/', 'javascript:alert(1)', 'https://localhost/', 'x'])(
  'the address %s is refused at its input, and nothing is asked there',
  async (url) => {
    const { browser } = await signedIn(commerce);
    await browser.get(PATH);
    const { status, text } = await browser.post(PATH, { action: 'create', url, events: 'order.paid' });
    expect([status, text.includes('href="#create-url"'), text.includes('whsec_')]).toEqual([422, true, false]);
  },
);

it('who may only look sees no form', async () => {
  const { browser } = await signedIn(commerce);
  expect((await browser.get(PATH)).text).toContain('value="create"');
});

it('who may add one and not look at them adds none: they would never see its secret', async () => {
  const { browser, storeId, userId } = await signedIn(commerce, 'cs');
  const id = uuidv7();
  await commerce.database.query(
    "INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Teknisi', '{settings.write}', now(), now())",
    [storeId, id],
  );
  await commerce.database.query(
    'UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2',
    [storeId, userId, id],
  );
  await browser.get('/team-chat');
  const given = {
    ...browser.hidden('/logout'),
    action: 'create',
    url: 'http://127.0.0.1:9/hook',
    events: 'order.paid',
  };
  expect((await browser.send(PATH, given)).status).toBe(403);
  expect(await commerce.database.query('SELECT id FROM webhook_endpoint WHERE store_id = $1', [storeId])).toEqual([]);
});
