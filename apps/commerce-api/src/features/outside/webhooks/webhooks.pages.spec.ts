// Outgoing webhooks in a browser: their secret is shown once.
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useRunning(() => startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));
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
