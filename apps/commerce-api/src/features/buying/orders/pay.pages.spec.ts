// What a buyer sees of the payment of an order, with the link that they were sent.
import { openBrowser } from '../../../web/browser.fixture';
import { NOW } from '../../../commerce.fixture';
import { gatewayShop, useDesks } from '../../gateways/gateways.fixture';
import type { Order, OrderView } from '../../sales/orders/orders.dto';

const commerce = useDesks();
beforeEach(() => {
  for (const code of ['a', 'b', 'c'] as const) commerce.desks[code].mood = 'good';
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const pathOf = ({ pay_url }: Pick<OrderView, 'pay_url'>): string => new URL(pay_url ?? '').pathname;
const PART = { 'hx-request': 'true', 'hx-target': 'div#status' };

/** An order of two hats by bank transfer, with the browser of its buyer. */
const byTransfer = async () => {
  const shop = await gatewayShop(commerce);
  await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Toko Nusa' });
  await shop.ask('PUT', '/payment/methods/transfer', { enabled: true });
  const order = (await shop.ask<OrderView>('POST', '/order', { ...shop.cart(2), payment_method: 'transfer' })).body
    .data;
  const proofs = async () => (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data.proofs;
  return { shop, order, path: pathOf(order), browser: openBrowser(commerce), proofs };
};

const sendProof = (path: string, fields: Readonly<Record<string, string>>, file: Buffer | undefined = PNG) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ action: 'proof', ...fields })) form.set(name, value);
  if (file.length > 0) form.set('file', new Blob([new Uint8Array(file)]), 'bukti.png');
  const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  return fetch(`${commerce.url}${path}/proof`, { method: 'POST', body: form, headers, redirect: 'manual' });
};

describe('an order by bank transfer', () => {
  it('says how much goes where, and is kept by nobody', async () => {
    const { browser, path } = await byTransfer();
    const { status, text, headers } = await browser.get(path);
    expect([status, headers['cache-control'], headers['referrer-policy'], headers['set-cookie']]).toEqual([
      ...[200, 'no-store', 'no-referrer', undefined],
    ]);
    for (const said of ['Rp</small>\u00a020.000', '1234567890', 'a.n. Toko Nusa', 'Menunggu pembayaran'])
      expect(text).toContain(said);
    expect((await browser.get(path, { 'accept-language': 'en' })).text).toContain('Waiting for your payment');
  });

  it('takes a proof once, however often it is sent, and says that it is looked at', async () => {
    const { browser, path, proofs } = await byTransfer();
    await browser.get(path);
    const key = browser.hidden(`${path}/proof`)._idem ?? '';
    const answers = await Promise.all([1, 2, 3].map(() => sendProof(path, { _idem: key, bank: 'Mandiri' })));
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      answers.map(() => [303, path]),
    );
    expect((await sendProof(path, { _idem: key })).status).toBe(303);
    expect(await proofs()).toMatchObject([{ status: 'pending', bank: 'Mandiri', amount: null }]);
    expect((await browser.get(path)).text).toContain('Bukti sedang diperiksa');
  });

  it('keeps what was typed where the file is missing, is none that is taken, or is too large', async () => {
    const { path, proofs } = await byTransfer();
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    const said: unknown[] = [];
    for (const file of [Buffer.alloc(0), Buffer.from('MZ no picture'), large]) {
      const answer = await sendProof(path, { bank: '"><script>alert(1)</script>' }, file);
      const text = await answer.text();
      said.push([answer.status, /field-wrong.*?class="error"[^>]*>([^<]+)/s.exec(text)?.[1]]);
      expect(text).not.toContain('<script>alert');
    }
    expect(said).toEqual([
      [422, 'Foto atau PDF bukti transfer harus diisi.'],
      [415, 'Pilih foto (JPG, PNG, WebP) atau PDF.'],
      [413, 'Berkas ini lebih besar dari 5 MB.'],
    ]);
    expect(await proofs()).toEqual([]);
  });

  it('turns paid by itself: an open page that asks is shown anew, and asks ever slower', async () => {
    const { browser, path, shop, order } = await byTransfer();
    const ask = async (seconds: number, pace: string) => {
      const since = Date.parse(NOW) - seconds * 1000;
      const { status, text, headers } = await browser.get(
        `${path}/status?since=${since}&pace=${pace}&seen=waiting`,
        PART,
      );
      return [status, /every \d+s/.exec(text)?.[0], headers['hx-redirect']];
    };
    expect((await browser.get(path)).text).toContain('hx-trigger="every 3s"');
    expect([
      await ask(119, 'quick'),
      await ask(120, 'quick'),
      await ask(3599, 'slow'),
      await ask(3600, 'slow'),
    ]).toEqual([
      [204, undefined, undefined],
      [200, 'every 10s', undefined],
      [204, undefined, undefined],
      [200, undefined, undefined],
    ]);
    await shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status: 'paid', method: 'transfer' });
    expect(await ask(1, 'quick')).toEqual([200, undefined, path]);
    const { text } = await browser.get(path);
    expect([text.includes('Lunas'), text.includes('hx-get'), text.includes('1234567890')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await browser.get(`${path}/status`)).toMatchObject({ status: 303, location: path });
  });

  it('says what is missing when too little came, and not to pay when it is cancelled', async () => {
    const { browser, path, shop, order } = await byTransfer();
    const paid = { order_id: order.id, status: 'paid', method: 'transfer', amount: 5_000 };
    await shop.ask('POST', '/order/change_payment_status', paid);
    const { text } = await browser.get(path);
    expect([text.includes('Dibayar sebagian'), text.includes('\u00a015.000'), text.includes('\u00a05.000')]).toEqual([
      ...[true, true, true],
    ]);
    const other = await byTransfer();
    await other.shop.ask('POST', `/order/${other.order.id}/cancel`, { reason: 'habis' });
    const cancelled = await other.browser.get(other.path);
    expect([cancelled.text.includes('Dibatalkan'), cancelled.text.includes('1234567890')]).toEqual([true, false]);
  });
});

describe('an order of a store that was suspended since', () => {
  it('says that it takes no payments, names no account, and takes neither a proof nor a payment', async () => {
    const { browser, path, shop } = await byTransfer();
    await browser.get(path);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    const key = browser.hidden(`${path}/proof`)._idem ?? '';
    const proof = await sendProof(path, { _idem: key });
    const paid = await browser.post(`${path}/proof`, { action: 'pay', method: 'b' });
    const said = 'Toko ini sedang tidak menerima pembayaran';
    expect([proof.status, (await proof.text()).includes(said), paid.status, paid.text.includes(said)]).toEqual([
      ...[403, true, 403, true],
    ]);
    const { text } = await browser.get(path);
    expect([text.includes(said), text.includes('1234567890'), text.includes('name="method"')]).toEqual([
      ...[true, false, false],
    ]);
    const rows = `SELECT 1 FROM transfer_proof WHERE store_id = $1 UNION ALL SELECT 1 FROM payment WHERE store_id = $1`;
    expect(await commerce.database.query(rows, [shop.storeId])).toEqual([]);
  });
});

describe('an order by a provider', () => {
  it('leads to where it is paid, and offers the others', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('b');
    const { text } = await openBrowser(commerce).get(pathOf(order));
    expect(text).toContain(`href="https://desk.example/${order.number}-1"`);
    expect([...text.matchAll(/name="method" value="(\w)"/g)].map(([, code]) => code)).toEqual(['a', 'c']);
  });

  it('goes on offering its own way when that has failed once, though it is switched off, or not for so much with its fee', async () => {
    const shop = await gatewayShop(commerce);
    await shop.ask('PUT', '/payment/methods/b', { fee_bearer: 'buyer', max: 20_000 });
    const orders = [await shop.sell('a'), await shop.sell('b')];
    await shop.ask('PUT', '/payment/methods/a', { enabled: false });
    await commerce.database.query(`UPDATE payment SET status = 'failed' WHERE store_id = $1`, [shop.storeId]);
    const ways = async (order: OrderView) => {
      const { text } = await openBrowser(commerce).get(pathOf(order));
      return [...text.matchAll(/name="method" value="(\w)"/g)].map(([, each]) => each);
    };
    expect([await ways(orders[0] as OrderView), await ways(orders[1] as OrderView)]).toEqual([['a', 'c'], ['b']]);
  });

  it('offers no way whose fee for the buyer is another than that of its own', async () => {
    const shop = await gatewayShop(commerce);
    for (const code of ['b', 'c']) await shop.ask('PUT', `/payment/methods/${code}`, { fee_bearer: 'buyer' });
    await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Toko Nusa' });
    const ways = async (code: 'a' | 'b') => {
      const { text } = await openBrowser(commerce).get(pathOf(await shop.sell(code)));
      const methods = [...text.matchAll(/name="method" value="(\w)"/g)].map(([, each]) => each);
      return [methods, text.includes('1234567890')];
    };
    expect([await ways('a'), await ways('b')]).toEqual([
      [[], true],
      [['c'], false],
    ]);
  });

  it('whose provider is away says so, and is tried again or at another, by one payment each', async () => {
    const shop = await gatewayShop(commerce);
    commerce.desks.b.mood = 'down';
    const order = await shop.sell('b');
    const [browser, path] = [openBrowser(commerce), pathOf(order)];
    expect((await browser.get(path)).text).toContain('Penyedia pembayaran belum menjawab');
    const asked = { action: 'pay', method: 'c' };
    const answers = await Promise.all([1, 2].map(() => browser.post(`${path}/proof`, asked)));
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [303, path],
      [303, path],
    ]);
    expect((await browser.get(path)).text).toContain('href="https://desk.example/');
    expect((await shop.now(order)).payments.filter(({ provider }) => provider === 'c')).toHaveLength(1);
  });

  it('is asked about when its buyer comes back, and is then paid', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('b');
    for (const payment of commerce.desks.b.payments.values()) payment.state = 'paid';
    const [browser, path] = [openBrowser(commerce), pathOf(order)];
    expect(await browser.get(`${path}/finish`)).toMatchObject({ status: 303, location: path });
    expect((await browser.get(path)).text).toContain('Lunas');
    expect((await browser.post(`${path}/proof`, { action: 'pay', method: 'a' })).status).toBe(409);
  });
});

describe('a link', () => {
  it('shows the invoice and the way of the order, each leading on to the others', async () => {
    const { browser, path, order } = await byTransfer();
    const token = path.split('/').at(-1) ?? '';
    const invoice = await browser.get(`/invoice/${token}`);
    const track = await browser.get(`/track/${token}`);
    for (const { status, text, headers } of [invoice, track]) {
      expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer']);
      expect(text).toContain(order.number);
      expect(text).toContain(`href="${path}"`);
      expect(text.match(/<h1\b/g)).toHaveLength(1);
    }
    expect(track.text).toContain('Belum dikirim');
  });

  it.each(['abc', 'a'.repeat(5000), '%00', `${'0'.repeat(36)}.99999999999.${'0'.repeat(64)}`])(
    'that is none of ours opens nothing (%.12s)',
    async (token) => {
      const browser = openBrowser(commerce);
      for (const page of ['pay', 'invoice', 'track']) {
        const { status, text } = await browser.get(`/${page}/${token}`);
        expect([status >= 400 && status < 500, text.includes('"status"')]).toEqual([true, false]);
      }
    },
  );

  it('takes no form from another site', async () => {
    const { browser, path, proofs } = await byTransfer();
    await browser.get(path);
    const foreign = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
    expect((await browser.post(`${path}/proof`, { action: 'proof' }, foreign)).status).toBe(403);
    expect(await proofs()).toEqual([]);
  });
});
