// How goods are sent, as a browser without script meets it.
import { ownStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import type { Couriers } from '../couriers/public';
import type { ShippingMethod } from '../methods/public';

const commerce = useCommerce();

const openShop = async (role: 'admin' | 'cs' = 'admin') => {
  const { ask, storeId } = await ownStore(commerce);
  const { browser } = await signedIn(commerce, role, storeId);
  const methods = async () => (await ask<ShippingMethod[]>('GET', '/shipping/methods')).body.data;
  const couriers = async () => (await ask<Couriers>('GET', '/shipping/couriers')).body.data;
  return { browser, ask, methods, couriers };
};
const NEW = {
  action: 'create',
  kind: 'flat',
  name: 'Kurir toko',
  cost: '7.000',
  areas: 'Bandung\r\n\r\nCimahi',
  active: 'true',
};

it('a way of its own is made with its places, changed, switched off and deleted', async () => {
  const { browser, methods } = await openShop();
  await browser.get('/shipping');
  await browser.post('/shipping', NEW);
  const [made] = await methods();
  expect(made).toMatchObject({ name: 'Kurir toko', cost: 7_000, areas: ['Bandung', 'Cimahi'], active: true });
  await browser.get(`/shipping?id=${made?.id}`);
  const { active: _ticked, ...unticked } = NEW;
  await browser.post('/shipping', { ...unticked, action: 'save', cost: '9000', areas: '' });
  expect((await methods())[0]).toMatchObject({ cost: 9_000, areas: [], active: false });
  await browser.get(`/shipping?id=${made?.id}`);
  await browser.post('/shipping', { action: 'remove' });
  expect(await methods()).toEqual([]);
});

it('what is wrong with it is said at its input, and what was typed stays', async () => {
  const { browser } = await openShop();
  await browser.get('/shipping');
  const { status, text } = await browser.post('/shipping', { ...NEW, name: '', cost: 'murah' });
  expect([status, text.includes('<a href="#create-cost">'), text.includes('Bandung')]).toEqual([422, true, true]);
});

it('couriers are kept with their terms, and a row whose code is empty is none', async () => {
  const { browser, couriers } = await openShop();
  await browser.get('/shipping');
  const fields = {
    action: 'couriers',
    'couriers[0][code]': '',
    'couriers[1][code]': 'jne',
    'couriers[1][markup][fixed]': '1.000',
  };
  await browser.post('/shipping', {
    ...{ ...fields, 'couriers[1][active]': 'true', 'free_shipping[min_subtotal]': '100.000' },
  });
  expect(await couriers()).toMatchObject({
    couriers: [{ code: 'jne', active: true, markup: { fixed: 1_000 } }],
    free_shipping: { min_subtotal: 100_000, max_cost: null },
  });
  await browser.get('/shipping');
  await browser.post('/shipping', { action: 'couriers', 'couriers[0][code]': 'jne', 'couriers[1][code]': '' });
  expect(await couriers()).toMatchObject({ couriers: [{ code: 'jne', active: false }], free_shipping: null });
});

it('the last courier goes as any other, and terms of couriers are kept before there is one', async () => {
  const { browser, couriers } = await openShop();
  await browser.get('/shipping');
  const code = (value: string) => ({ action: 'couriers', 'couriers[0][code]': value });
  await browser.post('/shipping', code('jne'));
  await browser.get('/shipping');
  const free = { 'free_shipping[min_subtotal]': '100.000' };
  expect((await browser.post('/shipping', { ...code(''), ...free })).status).toBe(303);
  expect(await couriers()).toEqual({ couriers: [], free_shipping: { min_subtotal: 100_000, max_cost: null } });
});

it('what is wrong with a courier is said at its own row, also behind one that was emptied', async () => {
  const { browser } = await openShop();
  await browser.get('/shipping');
  const fields = { action: 'couriers', 'couriers[0][code]': '', 'couriers[1][code]': 'jne' };
  const { status, text } = await browser.post('/shipping', { ...fields, 'couriers[1][markup][fixed]': 'murah' });
  expect([status, text.match(/href="#couriers-[^"]+"/g)]).toEqual([
    ...[422, ['href="#couriers-couriers-1-markup-fixed"']],
  ]);
});

it('of another store is not there, and who may only read has no form', async () => {
  const [mine, theirs] = [await openShop(), await openShop()];
  await theirs.browser.get('/shipping');
  await theirs.browser.post('/shipping', NEW);
  const id = (await theirs.methods())[0]?.id ?? '';
  await mine.browser.get('/shipping');
  const stolen = await mine.browser.post('/shipping', { action: 'remove', id });
  expect([stolen.status, (await mine.browser.get(`/shipping?id=${id}`)).status]).toEqual([404, 404]);
  const { browser } = await openShop('cs');
  expect((await browser.get('/shipping')).text).not.toContain('action="/shipping"');
});
