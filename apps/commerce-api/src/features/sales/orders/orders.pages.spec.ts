// Orders as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startFakeHandled } from '../../../clients/chat.handled.fake';
import { startCommerce } from '../../../commerce.fixture';
import { newPerson, openBrowser, PASSWORD, signedIn } from '../../../web/browser.fixture';
import { orderShop, type OrderShop } from './orders.fixture';
import type { Order } from './orders.dto';

const chat = useRunning(() => startFakeHandled());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));
const ADDRESS = { line: 'Jl. Dago 1', city: 'Bandung' };

/** A shop with hats, and its admin in a browser. */
const openShop = async (...stock: number[]) => {
  const shop = await orderShop(commerce, ...stock);
  return { shop, browser: (await signedIn(commerce, 'admin', shop.storeId)).browser };
};
const placed = (shop: OrderShop, more: object = {}): Promise<Order> =>
  shop.place({ ...shop.cart(2), address: ADDRESS, ...more });
const now = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;

const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
/** Buyers in the order of the list. */
const listed = (html: string): string[] =>
  [...html.matchAll(/<td [^>]*class="cell-main"[^>]*><a[^>]*>([^<]*)</g)].map(([, name = '']) => name);
/** What the forms of a page do. */
const formsOf = (html: string, { id }: Order): string[] =>
  [...html.matchAll(new RegExp(`action="/orders/${id}/([^"]*)"`, 'g'))].map(([, what = '']) => what);

describe('the page of an order', () => {
  it('records money by the way that its buyer chose, unless somebody says otherwise', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    await commerce.database.query(`UPDATE sales_order SET payment_method = 'transfer' WHERE id = $1`, [order.id]);
    expect((await browser.get(`/orders/${order.id}`)).text).toMatch(/<option[^>]*value="transfer"[^>]*selected/);
  });

  it('asks first for what the order waits for: money, packing, a waybill, its end', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    const path = `/orders/${order.id}`;
    const { text } = await browser.get(path);
    expect([formsOf(text, order), text.includes('Kurang Rp\u00a020.000')]).toEqual([
      ...[['payment-status', 'cancel', 'send', 'notes'], true],
    ]);

    const paid = await browser.post(`${path}/payment-status`, { action: 'paid', method: 'transfer', amount: '' });
    expect([paid.status, paid.location]).toEqual([303, path]);
    const after = await browser.get(path);
    expect([toast(after.text), formsOf(after.text, order), (await now(shop, order)).payment_status]).toEqual([
      ...['Pembayaran dicatat.', ['status', 'cancel', 'send', 'refund', 'notes'], 'paid'],
    ]);

    await browser.post(`${path}/status`, { action: 'processing', status: 'processing' });
    expect(formsOf((await browser.get(path)).text, order)).toEqual([
      'waybill',
      'status',
      'cancel',
      'send',
      'refund',
      'notes',
    ]);

    await browser.post(`${path}/waybill`, { action: 'ship', courier: 'jne', waybill: 'JNE00012345' });
    const sent = await browser.get(path);
    expect([formsOf(sent.text, order), (await now(shop, order)).fulfillment_status]).toEqual([
      ...[['status', 'cancel', 'send', 'refund', 'notes'], 'shipped'],
    ]);

    await browser.post(`${path}/status`, { action: 'completed', status: 'completed' });
    const ended = await browser.get(path);
    expect([formsOf(ended.text, order), (await now(shop, order)).status]).toEqual([
      ['send', 'refund', 'notes'],
      'completed',
    ]);
    expect(ended.text).toContain('Tidak ada yang perlu dilakukan.');
  });

  it('asks for no waybill of what its buyer fetches', async () => {
    const { shop, browser } = await openShop(5);
    const order = await shop.place({ ...shop.cart(1), shipping: { kind: 'pickup' } });
    await shop.pay(order.id);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    await browser.post(`${path}/status`, { action: 'processing', status: 'processing' });
    expect(formsOf((await browser.get(path)).text, order).slice(0, 2)).toEqual(['status', 'cancel']);
    await browser.post(`${path}/status`, { action: 'completed', status: 'completed' });
    expect((await now(shop, order)).status).toBe('completed');
  });

  it('records money once, however often the form is sent', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    const { _csrf = '', _idem = '' } = browser.hidden(`${path}/payment-status`);
    const fields = { _csrf, _idem, action: 'paid', method: 'cash', amount: '5.000' };
    const answers = [1, 2, 3].map(() => browser.send(`${path}/payment-status`, fields));
    expect((await Promise.all(answers)).filter(({ status }) => status === 303).length).toBeGreaterThan(0);
    expect((await now(shop, order)).paid_total).toBe(5_000);
  });

  it('says at its input what is wrong with a waybill, and keeps it', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    await shop.pay(order.id);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    await browser.post(`${path}/status`, { action: 'processing', status: 'processing' });
    await browser.get(path);
    const { status, text } = await browser.post(`${path}/waybill`, { action: 'ship', courier: 'jne', waybill: '??' });
    expect(status).toBe(422);
    expect(text).toMatch(/<input[^>]*id="ship-waybill"[^>]*aria-invalid="true"[^>]*value="\?\?"/);
    expect(text).toContain('<a href="#ship-waybill">Nomor resi tidak benar.</a>');
  });

  it('does not cancel what is paid, and says what to do first', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    await shop.pay(order.id);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    const { status, text } = await browser.post(`${path}/cancel`, { action: 'cancel', reason: 'Salah pesan' });
    expect([status, text.includes('Pesanan ini sudah dibayar: kembalikan uangnya dulu.')]).toEqual([409, true]);
    expect([text.includes('value="Salah pesan"'), (await now(shop, order)).status]).toEqual([true, 'open']);
  });

  it('cancels with a reason, releases the stock, and takes a note', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    const path = `/orders/${order.id}`;
    await browser.get(path);
    await browser.post(`${path}/notes`, { action: 'note', text: 'Pembeli menelepon' });
    await browser.get(path);
    await browser.post(`${path}/cancel`, { action: 'cancel', reason: 'Salah pesan' });
    const { text } = await browser.get(path);
    expect([toast(text), text.includes('Pembeli menelepon'), await shop.levels()]).toEqual([
      ...['Pesanan dibatalkan.', true, ['5/0']],
    ]);
  });

  it('leads whoever answers chats to the chat with its buyer', async () => {
    const { shop, browser } = await openShop(5);
    const order = await placed(shop);
    const way = async (reader: typeof browser) =>
      /href="(\/chats[^"]*)"[^>]*>Buka chat</.exec((await reader.get(`/orders/${order.id}`)).text)?.[1];
    const { browser: packer } = await signedIn(commerce, 'warehouse', shop.storeId);
    expect([await way(browser), await way(packer)]).toEqual([
      ...[`/chats?view=all&amp;q=${order.buyer.phone}`, undefined],
    ]);
  });

  it('gives whoever packs the waybill to fill in, which home leads them to, and nobody else', async () => {
    const { shop } = await openShop(5);
    const order = await placed(shop);
    await shop.pay(order.id);
    const path = `/orders/${order.id}`;
    const fields = { action: 'ship', courier: 'jne', waybill: 'JNE00054321' };
    const { browser: counter } = await signedIn(commerce, 'finance', shop.storeId);
    await counter.get(path);
    expect((await counter.send(`${path}/waybill`, { ...counter.hidden(`${path}/refund`), ...fields })).status).toBe(
      403,
    );
    const { browser: packer } = await signedIn(commerce, 'warehouse', shop.storeId);
    expect(formsOf((await packer.get(path)).text, order)).toEqual(['waybill']);
    expect((await packer.post(`${path}/waybill`, fields)).status).toBe(303);
    expect((await now(shop, order)).fulfillment_status).toBe('shipped');
  });

  it('has only the forms that its reader may use', async () => {
    const { shop } = await openShop(5);
    const order = await placed(shop);
    const formsFor = async (role: 'warehouse' | 'finance') => {
      const { browser } = await signedIn(commerce, role, shop.storeId);
      return formsOf((await browser.get(`/orders/${order.id}`)).text, order);
    };
    expect([await formsFor('warehouse'), await formsFor('finance')]).toEqual([[], ['payment-status']]);
    const { browser: packer } = await signedIn(commerce, 'warehouse', shop.storeId);
    expect((await packer.get(`/orders/${order.id}`)).text).toContain('<p>Menunggu bayar</p>');
  });

  it('is there for an agent whose customer the buyer is, and for no other', async () => {
    const { shop } = await openShop(5);
    const [own, other] = [
      await placed(shop, { contact: { name: 'Milik Rina', phone: '6281200000001' } }),
      await placed(shop, { contact: { name: 'Milik lain', phone: '6281200000002' } }),
    ];
    const { email, userId } = await newPerson(commerce, 'cs', shop.storeId);
    chat.handled.set(`${shop.storeId} ${userId}`, ['6281200000001']);
    const browser = openBrowser(commerce);
    await browser.get('/login');
    await browser.post('/login', { email, password: PASSWORD });
    expect(listed((await browser.get('/orders')).text)).toEqual(['Milik Rina']);
    const seen = await browser.get(`/orders/${own.id}`);
    const hidden = await browser.get(`/orders/${other.id}`);
    await browser.get(`/orders/${own.id}`);
    const { _csrf = '', _idem = '' } = browser.hidden(`/orders/${own.id}/notes`);
    const note = await browser.send(`/orders/${other.id}/notes`, { _csrf, _idem, action: 'note', text: '' });
    expect([seen.status, hidden.status, note.status]).toEqual([200, 404, 404]);
    expect(hidden.text + note.text).not.toContain('Milik lain');
    // Refused before anybody looks whose order it is
    const large = { _csrf, _idem, action: 'note', text: 'x'.repeat(1_100_000) };
    const [mine, theirs] = [
      await browser.send(`/orders/${own.id}/notes`, large),
      await browser.send(`/orders/${other.id}/notes`, large),
    ];
    expect([mine.status, mine.text.includes('Milik Rina'), theirs.status]).toEqual([413, true, 404]);
    expect(theirs.text).not.toContain('Milik lain');
  });
});

describe('the list of orders', () => {
  it('shows what its views and its search say', async () => {
    const { shop, browser } = await openShop(50);
    for (const name of ['Ani', 'Budi', 'Citra']) await placed(shop, { contact: { name, phone: '6281234567890' } });
    const all = await shop.ask<Order[]>('GET', '/order?sort=created_at');
    await shop.pay(all.body.data[0]?.id ?? '');
    const names = async (query: string) => listed((await browser.get(`/orders${query}`)).text);
    expect((await names('')).length).toBe(3);
    expect((await names('?status=open&payment_status=unpaid')).length).toBe(2);
    expect((await names('?payment_status=paid&fulfillment_status=none')).length).toBe(1);
    expect((await names('?payment_status=review')).length).toBe(0);
    expect(await names('?q=08123&sort=-total&per_page=1&page=4')).toEqual([]);
    const { text } = await browser.get('/orders?view=to_ship');
    expect(text).toMatch(/aria-current="true"[^>]*>Perlu dikirim</);
  });

  it('moves those that were picked on, and says how many cannot be', async () => {
    const { shop, browser } = await openShop(50);
    const [paid, unpaid] = [await placed(shop), await placed(shop)];
    await shop.pay(paid.id);
    await browser.get('/orders');
    await shop.ask('POST', '/order/change_status', { order_id: paid.id, status: 'processing' });
    const fields = { ...browser.hidden('/orders/bulk'), status: 'completed', ids: [paid.id, unpaid.id] };
    const { status } = await browser.send('/orders/bulk', fields as never);
    expect([status, toast((await browser.get('/orders')).text)]).toEqual([
      ...[303, '1 pesanan diubah, 1 tidak bisa dari keadaannya sekarang.'],
    ]);
    expect([(await now(shop, paid)).status, (await now(shop, unpaid)).status]).toEqual(['completed', 'open']);
  });

  it('is empty with words, for a shop that has sold nothing', async () => {
    const { browser } = await openShop(1);
    expect((await browser.get('/orders')).text).toContain('Belum ada pesanan.');
  });
});
