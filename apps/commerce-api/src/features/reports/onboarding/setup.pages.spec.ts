// Where a new shop begins.
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, useRunning } from '@platform/testing';
import { startFakeGateway } from '../../../clients/wa.gateway.fake';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { SETUP } from './setup';

const gateway = useRunning(() => startFakeGateway());
const commerce = useRunning(() => startCommerce({ WA_GATEWAY_URL: gateway.url }));
const steps = (text: string) => [...text.matchAll(/<span class="chip (good|plain)">/g)].map(([, tone]) => tone);

it('all seven steps stand open for a new shop, on the home page, too, and one that was done is ticked', async () => {
  const { browser, storeId } = await signedIn(commerce);
  expect(steps((await browser.get('/onboarding')).text)).toEqual(Array.from({ length: 7 }, () => 'plain'));
  expect((await browser.get('/dashboard')).text).toContain('Tambah produk pertama');
  await browser.get('/products/create');
  const product = { name: 'Sepatu', price: '1000', weight_g: '100', kind: 'physical', status: 'active' };
  await browser.post('/products', product);
  const { text } = await browser.get('/onboarding');
  expect(steps(text)).toEqual(['plain', 'good', 'plain', 'plain', 'plain', 'plain', 'plain']);
  expect(text).toContain('1 dari 7 langkah selesai');
  expect(text).toContain(`href="/s/${storeId}"`);
});

it('a WhatsApp number is connected once a phone has scanned its code, and stays so while nobody can be asked', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const isDone = async () => steps((await browser.get('/onboarding')).text)[4] === 'good';
  await commerce.database.query(
    `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at) VALUES ($1, $2, 'setup', 'Kasir', $3, $3)`,
    [storeId, uuidv7(), NOW],
  );
  gateway.sessions.set('setup', { status: 'qr', number: null, name: 'Kasir' });
  expect(await isDone()).toBe(false);
  await gateway.scan('setup', '628110000077');
  commerce.clock.advance(10_000);
  expect(await isDone()).toBe(true);
  gateway.state.mood = 'down';
  commerce.clock.advance(10_000);
  expect(await isDone()).toBe(true);
  gateway.state.mood = 'answer';
});

it('who sets nothing up sees figures at home', async () => {
  const { storeId } = await signedIn(commerce);
  const { browser } = await signedIn(commerce, 'finance', storeId);
  expect((await browser.get('/dashboard')).text).not.toContain('Tambah produk pertama');
});

it('is read without a scan of what all shops have', async () => {
  const shop = await startCommerce();
  expectNoSeqScan(await explain(shop.database, SETUP, ['S1']));
  await shop.stop();
});
