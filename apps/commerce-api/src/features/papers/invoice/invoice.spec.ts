import { hostileTexts } from '@platform/testing';
import { invalid, refused, succeeded } from '../../../asked.fixture';
import { bearer, NOW, useCommerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { OrderInvoice } from './invoice.dto';
import { byPoppler, textOf } from '@platform/testing/pdf';
import { invoicePdf } from './invoice.pdf';
import { paperOf } from './paper';
import { printable } from '../pdf/printable';

const commerce = useCommerce();
const account = { bank_code: 'BCA', number: '5210001234', holder: 'Sari Nusa' };
const place = async (shop: OrderShop, body: object): Promise<Order> =>
  (await shop.ask<Order>('POST', '/order', body)).body.data;
const fetched = async ({ storeId }: OrderShop, path: string) => {
  const answer = await fetch(`${commerce.url}/api${path}`, {
    headers: bearer(commerce.storeAuth.userToken({ store_id: storeId })),
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
};
const set = (shop: OrderShop, group: string, body: object) =>
  shop.ask('PUT', `/settings/${group}`, { ...body, version: 0 });
/** As pay's settling leaves it. */
const paid = ({ id }: Order) =>
  commerce.database.query(
    `UPDATE sales_order SET payment_status = 'paid', paid_total = total, receipt_no = 'RCP-2026-000001', paid_at = $2 WHERE id = $1`,
    [id, NOW],
  );

describe('the invoice of an order', () => {
  it('is JSON with its lines, shares, tax, sum and where to transfer it', async () => {
    const shop = await orderShop(commerce, 9, 9);
    await shop.ask('POST', '/payment/bank-transfer', account);
    await shop.ask('POST', '/payment/bank-transfer', { ...account, active: false });
    await set(shop, 'invoice', { tax: { mode: 'added', npwp: '01.234.567.8-901.000' } });
    const { id, number } = await place(shop, { ...shop.cart(2, 1), payment_method: 'transfer' });
    const line = (at: number, qty: number) => ({
      ...{ name: `Hat ${at}`, sku: `HAT-${at}`, price: 10_000, qty, discount_share: 0 },
      ...{ tax: 1_100 * qty, total: 10_000 * qty },
    });
    expect(await shop.ask('GET', `/order/${id}/invoice?format=json`)).toEqual(
      succeeded(200, 'OK', {
        ...{ number, receipt_no: null, locale: 'id', timezone: 'Asia/Jakarta', currency: 'IDR', status: 'open' },
        ...{ payment_status: 'unpaid', payment_method: 'transfer', placed_at: NOW, paid_at: null },
        store: { name: 'Toko Nusa', phone: null, address: null, npwp: '01.234.567.8-901.000' },
        ...{ buyer: { name: 'Budi', phone: '6281234567890' }, address: null, lines: [line(0, 2), line(1, 1)] },
        ...{ subtotal: 30_000, discount: 0, coupon: null, shipping_total: 0, fee: 0, tax_total: 3_300 },
        ...{ tax: { mode: 'added', rate_bp: 1200, base: 30_000 }, total: 33_300, paid_total: 0, due: 33_300 },
        accounts: [{ bank: 'BCA', number: '5210001234', holder: 'Sari Nusa' }],
      }),
    );
  });

  it('is a PDF in the language and on the clocks of its store, and a receipt once it is paid', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await place(shop, shop.cart(3));
    const pdf = async () => {
      const { status, headers, body } = await fetched(shop, `/order/${order.id}/invoice?format=pdf`);
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        ...[200, 'application/pdf', `inline; filename="${order.number}.pdf"`],
      ]);
      return (await textOf(body)).join('\n');
    };
    const unpaid = await pdf();
    for (const part of [
      'Faktur',
      order.number,
      '1 Maret 2026 pukul 15.00',
      'Hat 0',
      'HAT-0',
      'Rp 30.000',
      'Sisa tagihan',
    ])
      expect(unpaid).toContain(part);
    expect(unpaid).not.toContain('Kuitansi');
    await paid(order);
    await set(shop, 'general', { locale: 'en' });
    const receipt = await pdf();
    for (const part of ['Receipt', 'RCP-2026-000001', 'PAID', '1 March 2026 at 15:00', 'IDR 30,000'])
      expect(receipt).toContain(part);
    expect(receipt).not.toContain('Amount due');
  });

  it('is no receipt any more once its payment was taken back', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await place(shop, shop.cart(3));
    await shop.pay(order.id);
    await shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status: 'unpaid' });
    const page = (await fetched(shop, `/order/${order.id}/invoice`)).body.toString();
    const [pdf = ''] = await textOf((await fetched(shop, `/order/${order.id}/invoice?format=pdf`)).body);
    for (const paper of [page, pdf]) {
      expect(paper).not.toContain('RCP-2026');
      expect([/Faktur/.test(paper), /Kuitansi/i.test(paper), /LUNAS/.test(paper)]).toEqual([true, false, false]);
    }
    await shop.pay(order.id);
    expect((await fetched(shop, `/order/${order.id}/invoice`)).body.toString()).toContain('RCP-2026-000001');
  });

  it('is a page by default, on which no text of a stranger becomes markup and nothing may run', async () => {
    const shop = await orderShop(commerce, 9);
    const name = `<script>alert(1)</script>"'`;
    const { id, number } = await place(shop, { ...shop.cart(1), contact: { name, phone: '6281234567890' } });
    const { status, headers, body } = await fetched(shop, `/order/${id}/invoice`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      ...[200, 'text/html; charset=utf-8', 'private, no-store'],
    ]);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; frame-ancestors/,
    );
    const page = body.toString();
    expect(page).toContain('&lt;script>alert(1)&lt;/script>');
    expect([page.includes('<script'), page.includes(number), page.includes('Rp 10.000')]).toEqual([false, true, true]);
  });

  it('of another store is 404 in every format, and another format is refused', async () => {
    const [mine, theirs] = [await orderShop(commerce, 9), await orderShop(commerce, 9)];
    const { id } = await place(theirs, theirs.cart(1));
    for (const format of ['html', 'json', 'pdf'])
      expect(await mine.ask('GET', `/order/${id}/invoice?format=${format}`)).toEqual(
        refused(404, 'not_found', 'Order not found'),
      );
    expect(await theirs.ask('GET', `/order/${id}/invoice?format=doc`)).toEqual(
      invalid('format', 'format must be one of [html json pdf]'),
    );
  });

  it('that nobody will pay any more asks for nothing', async () => {
    const shop = await orderShop(commerce, 9);
    await shop.ask('POST', '/payment/bank-transfer', account);
    const { id } = await place(shop, { ...shop.cart(1), payment_method: 'transfer' });
    await shop.ask('POST', `/order/${id}/cancel`, { reason: 'x' });
    const { data } = (await shop.ask<OrderInvoice>('GET', `/order/${id}/invoice?format=json`)).body;
    expect([data.due, data.accounts]).toEqual([0, []]);
    expect(await textOf((await fetched(shop, `/order/${id}/invoice?format=pdf`)).body)).toEqual([
      expect.stringContaining('DIBATALKAN'),
    ]);
  });
});

const invoice = (more: Partial<OrderInvoice> = {}): OrderInvoice => ({
  ...{ number: 'INV-260301-7K3QX9', receipt_no: null, locale: 'id', timezone: 'Asia/Jayapura', currency: 'IDR' },
  ...{ status: 'open', payment_status: 'unpaid', payment_method: 'cash', placed_at: NOW, paid_at: null },
  store: { name: 'Toko Nusa', phone: '6281111111111', address: { line: 'Jl. Merdeka 7', city: 'Bandung' }, npwp: null },
  ...{ buyer: { name: 'Budi', phone: '6281234567890' }, address: null },
  lines: [{ name: 'Sepatu', sku: 'S', price: 100, qty: 1, discount_share: 10, tax: 9, total: 100 }],
  ...{ subtotal: 100, discount: 10, coupon: { code: 'SALE', amount: 10 }, shipping_total: 20, fee: 5, tax_total: 9 },
  ...{ tax: { mode: 'included', rate_bp: 1250, base: 90 }, total: 115, paid_total: 15, due: 100, accounts: [] },
  ...more,
});
const pagesOf = async (more: Partial<OrderInvoice> = {}): Promise<string[]> =>
  textOf(await invoicePdf(paperOf(invoice(more)), new Date(NOW)));

describe('the PDF of an invoice', () => {
  it('with many lines leaves others their turn while it is drawn, and another PDF comes after it', async () => {
    const lines = Array.from({ length: 100 }, () => invoice().lines[0] as OrderInvoice['lines'][number]);
    const done: string[] = [];
    const drawn = ['long', 'short'].map(async (name) => {
      await invoicePdf(paperOf(invoice(name === 'long' ? { lines } : {})), new Date(NOW));
      done.push(name);
    });
    for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
    expect(done).toEqual([]);
    await Promise.all(drawn);
    expect(done).toEqual(['long', 'short']);
  });

  it('shows every amount that is not nothing', async () => {
    const [page = ''] = await pagesOf();
    const shown = [
      'Diskon (SALE)',
      '-Rp 10',
      'Ongkos kirim',
      'Biaya pembayaran',
      'Termasuk PPN 12,5%',
      'Rp 115',
      'Sudah dibayar',
      'pukul 17.00',
    ];
    for (const part of shown) expect(page).toContain(part);
  });

  it('of 500 lines goes over many pages, each with the head of the table and its number, and loses none', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => ({
      ...{
        name: `Barang nomor ${at} dengan nama yang cukup panjang untuk dua baris di dalam kolomnya`,
        sku: `SKU-${at}-`,
      },
      ...{ price: 1_000_000_000, qty: 9_999, discount_share: 0, tax: 0, total: 9_999_000_000_000 },
    }));
    const pages = await pagesOf({ lines });
    expect(pages.length).toBeGreaterThan(10);
    pages.forEach((page, at) => expect(page).toContain(`Halaman ${at + 1}/${pages.length}`));
    expect(pages.filter((page) => page.includes('Jml'))).toHaveLength(
      pages.length - (pages.at(-1)?.includes('SKU-') ? 0 : 1),
    );
    const whole = pages.join('\n');
    expect(lines.filter(({ sku }) => !whole.includes(sku))).toEqual([]);
    expect(whole).toContain('Rp 115');
  });

  it.each(Object.entries(hostileTexts))('is one that opens with %s in every text', async (_, hostile) => {
    const text = hostile(600);
    const lines = [{ name: text, sku: text, price: 1, qty: 1, discount_share: 1, tax: 1, total: 1 }];
    const pages = await pagesOf({
      ...{ number: 'INV-1', lines, buyer: { name: text, phone: '1', email: text }, coupon: { code: text, amount: 1 } },
      store: { name: text, phone: '1', address: { line: text, city: text }, npwp: text },
      accounts: [{ bank: text, number: text, holder: text }],
    });
    expect(pages.join('\n')).toContain('INV-1');
  });

  it('is the same file for the same invoice at the same time', async () => {
    const make = () => invoicePdf(paperOf(invoice()), new Date(NOW));
    expect((await make()).equals(await make())).toBe(true);
  });
});

it('the number and the sum are found by every reader of PDF that the machine has', async () => {
  const pdf = await invoicePdf(paperOf(invoice()), new Date(NOW));
  for (const text of [(await textOf(pdf)).join('\n'), ...byPoppler(pdf)])
    expect([text.includes('INV-260301-7K3QX9'), text.includes('Rp 115')]).toEqual([true, true]);
});

describe('what the fonts of a PDF cannot draw', () => {
  it.each([
    ['emoji, each as one', 'a 👨‍👩‍👧 b', 'a ? b'],
    ['other scripts', 'مرشل', '????'],
    ['letters with foreign marks, by the letter', 'Nguyễn Łódź', 'Nguyen ?ódz'],
    ['decomposed letters, whole', 'e\u0301', 'é'],
    ['controls and marks of direction, by nothing', 'a\0\u202eb\u00adc\u200d', 'abc'],
    ['half of a surrogate pair, by nothing', 'a\ud83d', 'a'],
    ['typographic signs, which they can', '“€” – …', '“€” – …'],
    ['blanks of all widths, by one', 'Rp\u00a01\u2003x', 'Rp 1 x'],
  ])('is replaced: %s', (_, text, drawn) => expect(printable(text)).toBe(drawn));
});
