// What was done, by whom, and what providers have told, in a browser.
import { uuidv7 } from '@platform/runtime';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const TOLD = `INSERT INTO webhook_event (store_id, id, provider, route, dedupe_key, headers, raw, signature_ok, outcome, attempts, received_at, error)
  VALUES ($1, $2, 'b', '/api/pay_b/notify', $3, '{}', '', $4, $5, 1, $6, $7)`;
const told = async (storeId: string, isProved: boolean) => {
  const id = uuidv7();
  const values = [storeId, id, id, isProved, isProved ? 'error' : 'signature_failed', NOW, '<script>alert(1)</script>'];
  await commerce.database.query(TOLD, values);
  return id;
};

it('what was done is told in words, with what it was and became', async () => {
  const { browser } = await signedIn(commerce);
  await browser.get('/settings/order');
  await browser.post('/settings/order', { action: 'save', cancel_unpaid_hours: '12', auto_complete_days: '3' });
  const { text } = await browser.get('/logs');
  expect(text).toContain('Mengubah pengaturan dan toko');
  expect(text).toContain('<small>cancel_unpaid_hours</small> 24 → 12');
  expect((await browser.get('/logs?kind=activity&action=order.refund')).text).toContain('Belum ada yang tercatat.');
  expect((await browser.get('/logs?kind=activity&cursor=nonsense')).status).toBe(422);
});

it('one sees the sign-ins of oneself', async () => {
  const { browser } = await signedIn(commerce);
  commerce.storeAuth.history.push({
    at: NOW,
    type: 'login_failed',
    ip: '203.0.113.9',
    user_agent: 'x'.repeat(5_000),
    sid_hash: null,
  });
  const { text } = await browser.get('/logs?kind=logins');
  expect([text.includes('Gagal masuk'), text.includes('203.0.113.9'), text.includes('x'.repeat(121))]).toEqual([
    ...[true, true, false],
  ]);
});

it('what nobody has proved is not processed again, and what another store was told is 404', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const [proved, forged] = [await told(storeId, true), await told(storeId, false)];
  const { text } = await browser.get('/logs?kind=payments');
  expect([text.includes(`/logs/webhook/${proved}/replay`), text.includes(`/logs/webhook/${forged}/replay`)]).toEqual([
    ...[true, false],
  ]);
  expect(text).toContain('&lt;script>');
  const { _csrf = '' } = browser.hidden(`/logs/webhook/${proved}/replay`);
  const refused = await browser.send(`/logs/webhook/${forged}/replay`, { _csrf });
  expect([refused.status, refused.text.includes('Tanda tangan kabar ini salah')]).toEqual([409, true]);
  const foreign = await told((await signedIn(commerce)).storeId, true);
  expect((await browser.send(`/logs/webhook/${foreign}/replay`, { _csrf })).status).toBe(404);
});

it('who may not process again sees no button', async () => {
  const { storeId } = await signedIn(commerce);
  const { browser } = await signedIn(commerce, 'admin', storeId);
  await told(storeId, true);
  await commerce.database.query(
    `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'x', '{logs.read}', now(), now())`,
    [storeId, uuidv7()],
  );
  await commerce.database.query(
    `UPDATE membership m SET system_role = NULL, role_id = r.id FROM role r WHERE r.store_id = m.store_id AND m.store_id = $1 AND m.system_role = 'admin'`,
    [storeId],
  );
  const { status, text } = await browser.get('/logs?kind=payments');
  expect([status, text.includes('/replay')]).toEqual([200, false]);
});
