// API tokens in a browser: shown once, and kept nowhere.
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const PATH = '/settings/api-tokens';
const everythingKept = async (): Promise<string> => {
  const tables = ['idempotency_keys', 'form_draft', 'audit_log', 'api_token'];
  const rows = await Promise.all(
    tables.map((table) => commerce.database.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t`)),
  );
  return JSON.stringify(rows) + commerce.lines.join();
};

it('a token is shown on the answer alone, also after a double click, works, and is not shown again, however often its form is sent', async () => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get(PATH);
  const fields = { ...browser.hidden(PATH), action: 'create', name: 'Kasir <b>', lasts: 'month' };
  const form = { ...fields, abilities: 'product.read' };
  const made = await browser.send(PATH, form);
  expect([made.status, made.headers['cache-control'], made.headers['set-cookie']]).toEqual([
    200,
    'no-store',
    undefined,
  ]);
  const token = /<code>(sk_[^<]+)<\/code>/.exec(made.text)?.[1] ?? '';
  expect((await commerce.call('GET', '/api/products', token)).status).toBe(200);
  expect((await browser.send(PATH, form)).text).toContain(token);
  commerce.clock.advance(60_000);
  const again = await browser.send(PATH, form);
  expect([again.status, again.location]).toEqual([303, PATH]);
  const { text } = await browser.get(PATH);
  expect([text.includes(token), text.includes('Kasir &lt;b>'), text.includes(token.slice(-4))]).toEqual([
    false,
    true,
    true,
  ]);
  const count = 'SELECT count(*)::int AS tokens FROM api_token WHERE store_id = $1';
  expect(await commerce.database.query(count, [storeId])).toEqual([{ tokens: 1 }]);
  expect(await everythingKept()).not.toContain(token);

  const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
  expect((await browser.post(PATH, { action: `revoke.${id}`, id })).location).toBe(PATH);
  expect((await commerce.call('GET', '/api/products', token)).status).toBe(401);
  expect((await browser.get(PATH)).text).toContain('Dicabut');
});

it('without a name or a right there is none, and what was typed stays', async () => {
  const { browser } = await signedIn(commerce);
  await browser.get(PATH);
  const { status, text } = await browser.post(PATH, { action: 'create', name: '', lasts: 'forever' });
  expect([status, text.includes('Nama harus diisi.'), text.includes('Boleh harus diisi.')]).toEqual([422, true, true]);
  expect(text).toMatch(/value="forever" selected/);
  await browser.get(PATH);
  const people = { action: 'create', name: 'x', lasts: 'month', abilities: 'team.manage' };
  expect((await browser.post(PATH, people)).status).toBe(422);
});

it("another store's token is 404, and stays", async () => {
  const { browser } = await signedIn(commerce);
  await browser.get(PATH);
  await browser.post(PATH, { action: 'create', name: 'Milik sendiri', lasts: 'month', abilities: 'product.read' });
  const id = /name="id" value="([^"]+)"/.exec((await browser.get(PATH)).text)?.[1] ?? '';
  const other = await signedIn(commerce);
  await other.browser.get(PATH);
  const hidden = other.browser.hidden(PATH);
  expect((await other.browser.send(PATH, { ...hidden, action: `revoke.${id}`, id })).status).toBe(404);
  expect((await browser.get(PATH)).text).toContain('>Berlaku<');
});
