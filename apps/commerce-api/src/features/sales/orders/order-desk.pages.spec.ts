// Orders that are written by hand, changed, paid back, shown and printed, as a browser without script does it.
import { useRunning } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn, type Browser } from '../../../web/browser.fixture';
import { orderShop, type OrderShop } from './orders.fixture';
import type { Order } from './orders.dto';

const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));

const openShop = async (...stock: number[]) => {
  const shop = await orderShop(commerce, ...stock);
  return { shop, browser: (await signedIn(commerce, 'admin', shop.storeId)).browser };
};
const now = async (shop: OrderShop, id: string): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
const orders = async (shop: OrderShop): Promise<Order[]> => (await shop.ask<Order[]>('GET', '/order')).body.data;
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
/** The buyer as they are typed. */
const BUDI = { 'contact[name]': 'Budi', 'contact[phone]': '0812-3456-7890', payment_method: 'transfer' };
const line = (shop: OrderShop, at: number, qty: string, product = at) => ({
  ...{ [`items[${at}][variant_id]`]: shop.variants[product] ?? '', [`items[${at}][qty]`]: qty },
});
const valueOf = (html: string, name: string): string | undefined =>
  new RegExp(`<input(?=[^>]*name="${name.replace(/[[\]]/g, '\\$&')}")[^>]*value="([^"]*)"`).exec(html)?.[1];

/** Another place, with so many of a kind. */
const alsoAt = async (shop: OrderShop, kind: number, counted: number): Promise<void> => {
  const address = { name: 'x', phone: '6281234567890', line: 'x' };
  const { body } = await shop.ask<{ id: string }>('POST', '/warehouse', {
    name: 'Gudang 2',
    phone: address.phone,
    address,
  });
  const lines = [{ variant_id: shop.variants[kind], counted }];
  await shop.ask('PUT', `/warehouse/${body.data.id}/stock`, { lines });
};

describe('a new order', () => {
  it('is made of goods that are looked up, counted, and placed once, however often it is sent', async () => {
    const { shop, browser } = await openShop(5, 5);
    await browser.get('/orders/create');
    const found = await browser.post('/orders', { ...BUDI, q: 'Hat 1', find: '1' });
    expect([found.status, found.text.includes(`value="${shop.variants[1]}"`)]).toEqual([200, true]);
    expect(valueOf(found.text, 'contact[phone]')).toBe('0812-3456-7890');
    const added = await browser.post('/orders', { ...BUDI, add: shop.variants[1] ?? '' });
    expect([valueOf(added.text, 'items[0][variant_id]'), valueOf(added.text, 'items[0][qty]')]).toEqual([
      ...[shop.variants[1], '1'],
    ]);
    const again = await browser.post('/orders', { ...BUDI, ...line(shop, 0, '1', 1), add: shop.variants[1] ?? '' });
    expect(valueOf(again.text, 'items[0][qty]')).toBe('2');
    const counted = await browser.post('/orders', { ...BUDI, ...line(shop, 0, '2', 1), count: '1' });
    expect([counted.text.includes('20.000'), (await orders(shop)).length]).toEqual([true, 0]);

    const fields = { ...browser.hidden('/orders'), ...BUDI, ...line(shop, 0, '2', 1) };
    const sent = await Promise.all([1, 2, 3].map(() => browser.send('/orders', fields)));
    const [order, ...others] = await orders(shop);
    expect([sent.some(({ location }) => location === `/orders/${order?.id}`), others]).toEqual([true, []]);
    expect(order).toMatchObject({ total: 20_000, channel: 'manual', address: null, buyer: { phone: '6281234567890' } });
    expect(await shop.levels()).toEqual(['5/0', '5/2']);
  });

  it('tells how much is left of what is counted alone', async () => {
    const { shop, browser } = await openShop(0, 0);
    const endless = 'UPDATE variant SET track_stock = false WHERE store_id = $1 AND id = $2';
    await commerce.database.query(endless, [shop.storeId, shop.variants[1]]);
    const left = async (q: string) => {
      await browser.get('/orders/create');
      return (await browser.post('/orders', { ...BUDI, q, find: '1' })).text.includes('sisa 0');
    };
    expect([await left('Hat 0'), await left('Hat 1')]).toEqual([true, false]);
  });

  it('that wants more than there is is told at which goods, and how many there are', async () => {
    const { shop, browser } = await openShop(3, 5, 0);
    await commerce.database.query('UPDATE variant SET track_stock = false WHERE store_id = $1 AND id = $2', [
      ...[shop.storeId, shop.variants[2]],
    ]);
    await browser.get('/orders/create');
    const wanted = { ...line(shop, 0, '4'), ...line(shop, 1, '5'), ...line(shop, 2, '9') };
    const { status, text } = await browser.post('/orders', { ...BUDI, ...wanted });
    expect([status, text.includes('Stoknya tidak cukup.')]).toEqual([409, true]);
    expect(text.match(/sisa \d+/g)).toEqual(['sisa 3']);
  });

  it('that no warehouse has whole is told what is short where there is most of it', async () => {
    const { shop, browser } = await openShop(5, 0);
    await alsoAt(shop, 1, 5);
    await browser.get('/orders/create');
    const { status, text } = await browser.post('/orders', { ...BUDI, ...line(shop, 0, '1'), ...line(shop, 1, '2') });
    expect([status, text.match(/sisa \d+/g)]).toEqual([409, ['sisa 0']]);
  });

  it('says at each input what is missing, and keeps the rest', async () => {
    const { shop, browser } = await openShop(5);
    await browser.get('/orders/create');
    const { status, text } = await browser.post('/orders', {
      ...{ ...BUDI, 'contact[name]': '', 'contact[phone]': 'abc', 'address[city]': 'Bandung' },
      ...{ ...line(shop, 0, '0'), ...line(shop, 1, 'x', 0) },
    });
    expect(status).toBe(422);
    for (const id of ['contact-name', 'contact-phone', 'address-line', 'items-0-qty'])
      expect(text).toContain(`<a href="#${id}">`);
    expect([valueOf(text, 'address[city]'), valueOf(text, 'items[0][qty]')]).toEqual(['Bandung', 'x']);
  });

  it('of goods that another store sells, or nobody any more, is told so, and nothing is lost', async () => {
    const [{ shop, browser }, other] = [await openShop(5), await openShop(5)];
    await browser.get('/orders/create');
    const { status, text } = await browser.post('/orders', { ...BUDI, ...line(other.shop, 0, '1') });
    expect([status, text.includes('Tidak dijual lagi'), valueOf(text, 'contact[name]')]).toEqual([422, true, 'Budi']);
    expect(text).not.toContain('Hat 0');
    expect(await orders(shop)).toEqual([]);
  });

  it('that is sold out says so, and keeps what was typed', async () => {
    const { shop, browser } = await openShop(1);
    await browser.get('/orders/create');
    const { status, text } = await browser.post('/orders', { ...BUDI, ...line(shop, 0, '2') });
    expect([status, text.includes('Stoknya tidak cukup.'), valueOf(text, 'items[0][qty]')]).toEqual([409, true, '2']);
  });

  it("is sent by a method of the shop, whose price is the shop's", async () => {
    const { shop, browser } = await openShop(5);
    await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir toko', cost: 7_000 });
    const place = { 'address[line]': 'Jl. Dago 1', 'address[city]': 'Bandung' };
    await browser.get('/orders/create');
    const { text } = await browser.post('/orders', { ...BUDI, ...place, ...line(shop, 0, '1'), count: '1' });
    const [, way = ''] = /<option value="(own:[^"]*)">Kurir toko/.exec(text) ?? [];
    await browser.post('/orders', { ...BUDI, ...place, ...line(shop, 0, '1'), way });
    expect((await orders(shop))[0]).toMatchObject({
      shipping_total: 7_000,
      total: 17_000,
      address: { city: 'Bandung' },
    });
  });
});

describe('an unpaid order', () => {
  const editing = async (shop: OrderShop, browser: Browser, more: object = {}) => {
    const order = await shop.place({ ...shop.cart(2), note: 'Cepat', ...more });
    const path = `/orders/${order.id}`;
    const { text } = await browser.get(`${path}?edit=true`);
    return { order, path, text };
  };

  it('is changed whole, with all that it had', async () => {
    const { shop, browser } = await openShop(5, 5);
    const { order, path, text } = await editing(shop, browser);
    expect([valueOf(text, 'items[0][qty]'), valueOf(text, 'contact[name]'), valueOf(text, 'note')]).toEqual([
      ...['2', 'Budi', 'Cepat'],
    ]);
    const fields = { ...BUDI, ...line(shop, 0, '1'), ...line(shop, 1, '3'), action: 'save', note: 'Santai' };
    const { status, location } = await browser.post(path, fields);
    expect([status, location]).toEqual([303, path]);
    expect(await now(shop, order.id)).toMatchObject({ total: 40_000, note: 'Santai', payment_method: 'transfer' });
    expect(await shop.levels()).toEqual(['5/1', '5/3']);
  });

  it('is changed to no more than its warehouse has, besides what it holds, and is told how many that is', async () => {
    const { shop, browser } = await openShop(5);
    const order = await shop.place(shop.cart(2));
    await alsoAt(shop, 0, 9);
    await browser.get(`/orders/${order.id}?edit=true`);
    const { status, text } = await browser.post(`/orders/${order.id}`, {
      ...BUDI,
      ...line(shop, 0, '6'),
      action: 'save',
    });
    expect([status, text.match(/sisa \d+/g)]).toEqual([409, ['sisa 5']]);
  });

  it('that somebody else has changed meanwhile shows both, and is saved with the next click', async () => {
    const { shop, browser } = await openShop(9);
    const { order, path } = await editing(shop, browser);
    await shop.ask('PUT', `/order/${order.id}`, { ...shop.cart(2), note: 'Dari API', version: order.version });
    const fields = { ...BUDI, ...line(shop, 0, '4'), action: 'save', note: 'Dari saya' };
    const { status, text } = await browser.post(path, fields);
    expect([status, valueOf(text, 'note'), text.includes('Sekarang: Dari API')]).toEqual([409, 'Dari saya', true]);
    expect((await browser.post(path, fields)).status).toBe(303);
    expect(await now(shop, order.id)).toMatchObject({ note: 'Dari saya', total: 40_000 });
  });

  it('is paid: there is no form, and one that was open says so', async () => {
    const { shop, browser } = await openShop(5);
    const { order, path } = await editing(shop, browser);
    const hidden = browser.hidden(path);
    await shop.pay(order.id);
    const { status, text } = await browser.send(path, { ...hidden, ...BUDI, ...line(shop, 0, '1'), action: 'save' });
    expect([status, text.includes('name="version"')]).toEqual([409, false]);
    expect((await browser.get(`${path}?edit=true`)).text).not.toContain('name="version"');
  });
});

describe('money', () => {
  const paid = async (shop: OrderShop, browser: Browser, more: object = {}) => {
    const order = await shop.place({ ...shop.cart(2), ...more });
    await shop.pay(order.id);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    return { order, path };
  };

  it('is given back once, however often somebody clicks, and no more than came', async () => {
    const { shop, browser } = await openShop(5);
    const { order, path } = await paid(shop, browser);
    const fields = { ...browser.hidden(`${path}/refund`), action: 'refund', method: 'manual', reason: 'Rusak' };
    const refund = { ...fields, ...(await refundKey(browser, path)), amount: '5.000' };
    await Promise.all([1, 2, 3, 4].map(() => browser.send(`${path}/refund`, refund)));
    expect((await now(shop, order.id)).refunded_total).toBe(5_000);
    await browser.get(path);
    const more = await browser.post(`${path}/refund`, {
      action: 'refund',
      method: 'manual',
      reason: 'x',
      amount: '15.001',
    });
    expect([more.status, (await now(shop, order.id)).refunded_total]).toEqual([422, 5_000]);
    await browser.post(`${path}/refund`, { action: 'refund', method: 'manual', reason: 'Sisanya', amount: '' });
    const { text } = await browser.get(path);
    expect([(await now(shop, order.id)).refunded_total, text.includes(`${path}/refund`)]).toEqual([20_000, false]);
    expect(text).toContain('Sisanya');
  });

  const refundKey = async (browser: Browser, path: string) => {
    const { text } = await browser.get(path);
    const form = new RegExp(`action="${path}/refund".*?</form>`, 's').exec(text)?.[0] ?? '';
    return { _csrf: valueOf(form, '_csrf') ?? '', _idem: valueOf(form, '_idem') ?? '' };
  };

  const attach = async (shop: OrderShop, { id }: Order) => {
    const form = new FormData();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    form.append('file', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'bukti.png');
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${commerce.url}/api/order/${id}/payment_proof`, { method: 'POST', body: form, headers });
  };

  it('that was shown is found to have come, or not, with a reason', async () => {
    const { shop, browser } = await openShop(9);
    const order = await shop.place({ ...shop.cart(1), payment_method: 'transfer' });
    const path = `/orders/${order.id}`;
    const proofId = async () => (await now(shop, order.id)).proofs.at(-1)?.id ?? '';
    const decide = async (fields: Readonly<Record<string, string>>) => {
      const id = await proofId();
      await browser.get(path);
      return browser.post(`${path}/proof`, { action: `proof.${id}`, proof_id: id, ...fields });
    };
    await attach(shop, order);
    expect((await browser.get(path)).text).toContain('Buka bukti transfer');
    const unsaid = await decide({ decision: 'reject' });
    expect([unsaid.status, unsaid.text.includes('Catatan harus diisi.')]).toEqual([422, true]);
    await decide({ decision: 'reject', note: 'Belum masuk' });
    await attach(shop, order);
    expect((await decide({ decision: 'approve' })).status).toBe(303);
    const after = await now(shop, order.id);
    expect([after.payment_status, after.proofs.map(({ status }) => status)]).toEqual([
      'paid',
      ['rejected', 'approved'],
    ]);
  });

  it('that was shown waits for a word whatever comes next: of who paid too late, and to be rejected where another one has paid all', async () => {
    const { shop, browser } = await openShop(9);
    const order = await shop.place({ ...shop.cart(1), payment_method: 'transfer' });
    const path = `/orders/${order.id}`;
    await attach(shop, order);
    await attach(shop, order);
    const [first, second] = (await now(shop, order.id)).proofs.map(({ id }) => id);
    const forms = async () => [...(await browser.get(path)).text.matchAll(/name="proof_id" value="([^"]*)"/g)];
    expect((await forms()).map(([, id]) => id)).toEqual([first, second]);
    await browser.post(`${path}/proof`, { action: `proof.${first}`, proof_id: first ?? '', decision: 'approve' });
    expect((await forms()).map(([, id]) => id)).toEqual([second]);
    const { text: paid } = await browser.get(path);
    expect([paid.includes('Pesanan ini sudah lunas.'), paid.includes('value="approve"')]).toEqual([true, false]);
    const note = 'Bukti yang sama';
    await browser.post(`${path}/proof`, {
      action: `proof.${second}`,
      proof_id: second ?? '',
      decision: 'reject',
      note,
    });
    expect([(await now(shop, order.id)).payment_status, await forms()]).toEqual(['paid', []]);

    const late = await shop.place({ ...shop.cart(1), payment_method: 'transfer' });
    await attach(shop, late);
    const lapse = `UPDATE sales_order SET status = 'cancelled', payment_status = 'expired' WHERE id = $1`;
    await commerce.database.query(lapse, [late.id]);
    const { text } = await browser.get(`/orders/${late.id}`);
    expect([text.includes('Buka bukti transfer'), text.includes('Tidak ada yang perlu dilakukan.')]).toEqual([
      ...[true, false],
    ]);
  });

  it('is asked for by the invoice, which goes once for a click to whoever stands on the button', async () => {
    const { shop, browser } = await openShop(5);
    const { body } = await shop.ask<Order>('POST', '/order', {
      ...{ ...shop.cart(1), contact: { name: 'Budi', phone: '6281234567890', email: 'budi@shop.example' } },
    });
    const path = `/orders/${body.data.id}`;
    const { text } = await browser.get(path);
    expect([text.includes('+6281234567890'), text.includes('budi@shop.example')]).toEqual([true, true]);
    const hidden = browser.hidden(`${path}/send`);
    const send = () => browser.send(`${path}/send`, { ...hidden, action: 'invoice', channel: 'email' });
    await Promise.all([send(), send(), send()]);
    const rows = await commerce.database.query(`SELECT 1 FROM job_row WHERE store_id = $1 AND kind = 'invoice.send'`, [
      shop.storeId,
    ]);
    expect([rows.length, toast((await browser.get(path)).text)]).toEqual([1, 'Akan segera dikirim ke pembeli.']);
  });

  it('of a download of another order is sent to nobody', async () => {
    const { shop, browser } = await openShop(5);
    const { path } = await paid(shop, browser);
    const delivery_id = '00000000-0000-7000-8000-000000000000';
    const { status } = await browser.post(`${path}/send`, { action: 'download.x', channel: 'whatsapp', delivery_id });
    expect(status).toBe(404);
  });
});

describe('papers', () => {
  it('are the invoice and, once it is packed, the label with what is collected', async () => {
    const { shop, browser } = await openShop(5);
    const order = await shop.place({ ...shop.cart(2), payment_method: 'cod', address: { line: 'Jl. Dago 1' } });
    const path = `/orders/${order.id}`;
    const invoice = await browser.get(`${path}/invoice`);
    expect([invoice.status, invoice.text.includes(order.number), invoice.text.includes('20.000')]).toEqual([
      ...[200, true, true],
    ]);
    expect((await browser.get(`${path}/label`)).text).toContain('Belum ada paket.');
    await shop.ask('POST', '/order/change_status', { order_id: order.id, status: 'processing' });
    await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'jne', waybill: 'JNE00012345' });
    const { text } = await browser.get(`${path}/label`);
    for (const told of ['JNE00012345', 'Jl. Dago 1', 'Rp 20.000', '<rect ']) expect(text).toContain(told);
  });
});

describe('what is to be shipped', () => {
  it('is what is paid or paid at the door, and no service', async () => {
    const { shop, browser } = await openShop(9, 9);
    await commerce.database.query(
      `UPDATE product SET kind = 'service' WHERE store_id = $1 AND id = (SELECT product_id FROM variant WHERE id = $2)`,
      [shop.storeId, shop.variants[1]],
    );
    const names = { cod: 'Cod', unpaid: 'Unpaid', paid: 'Paid', service: 'Service' };
    const place = (name: string, cart: object, more: object = {}) =>
      shop.place({ ...cart, contact: { name, phone: '6281234567890' }, ...more });
    await place(names.cod, shop.cart(1), { payment_method: 'cod' });
    await place(names.unpaid, shop.cart(1));
    await shop.pay((await place(names.paid, shop.cart(1))).id);
    await shop.pay((await place(names.service, shop.cart(0, 1))).id);
    const { body } = await shop.ask<Order[]>('GET', '/order?view=to_ship');
    expect(body.data.map(({ buyer }) => buyer.name).sort()).toEqual(['Cod', 'Paid']);
    const { text } = await browser.get('/orders?view=to_ship');
    expect([text.includes('>Cod<'), text.includes('>Service<')]).toEqual([true, false]);
  });

  it('is found by a number as it is dialled', async () => {
    const { shop } = await openShop(9);
    await shop.place(shop.cart(1));
    const found = await Promise.all(
      ['081234', '0812-3456-7890', '%2B62812345'].map(async (q) => {
        const [order, contact] = [`/order?q=${q}`, `/contact?q=${q}`];
        return [
          (await shop.ask<[]>('GET', order)).body.data.length,
          (await shop.ask<[]>('GET', contact)).body.data.length,
        ];
      }),
    );
    expect(found).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });
});
