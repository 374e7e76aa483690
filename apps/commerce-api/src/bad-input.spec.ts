import { useRunning } from '@platform/testing';
import { invalid, refused, type Ask } from './asked.fixture';
import { bearer, startCommerce } from './commerce.fixture';
import type { Contact } from './features/contacts/people/contact.dto';
import type { Coupon } from './features/sales/coupons/coupons.dto';
import { orderShop, type OrderShop } from './features/sales/orders/orders.fixture';

const commerce = useRunning(() => startCommerce());
let shop: OrderShop;
let ask: Ask;
beforeAll(async () => {
  shop = await orderShop(commerce, 50_000);
  ask = shop.ask;
});

/** Bytes as they are, under any Content-Type. */
const send = async (type: string | undefined, body: string) => {
  const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
  const headers = { ...bearer(token), ...(type === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(`${commerce.url}/api/products`, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as unknown };
};
const malformed = (message: unknown) => refused(400, 'malformed', message as string);
const anyText: unknown = expect.stringMatching(/./);
const notJson = malformed('content type not supported: send json');

describe('a body that cannot be read is refused:', () => {
  const good = '{"name":"Topi","price":1,"weight_g":1}';
  it.each([
    ['broken JSON', 'application/json', '{"name":"Topi",', malformed(anyText)],
    ['half of a text', 'application/json', '{"name":"To', malformed(anyText)],
    ['JSON in another charset than Unicode', 'application/json; charset=iso-8859-1', good, malformed(anyText)],
    ['packed JSON that is not packed', 'application/json', '\u001f\u008b', malformed(anyText)],
    ['XML', 'text/xml', '<name>Topi</name>', notJson],
    ['a form where only JSON is taken', 'application/x-www-form-urlencoded', 'name=Topi', notJson],
    ['a form with parts', 'multipart/form-data; boundary=x', '--x--', notJson],
    ['a type that is none', 'json', good, notJson],
    ['1.2 MB', 'application/json', `"${'x'.repeat(1_200_000)}"`, refused(413, 'too_large', 'request too large')],
  ])('%s', async (_, type, body, answer) => expect(await send(type, body)).toEqual(answer));
});

const product = (more: object) => ({ name: 'Topi', price: 1, weight_g: 1, ...more });

describe('money that cannot be is refused:', () => {
  it.each([
    [-1, 'price must be 0 or greater'],
    [1_000_000_000_001, 'price must be 1000000000000 or less'],
    [1e308, 'price must be an integer'],
    [1.5, 'price must be an integer'],
    ['1000', 'price must be an integer'],
    ['Rp1.000', 'price must be an integer'],
    [true, 'price must be an integer'],
    [[1], 'price must be an integer'],
  ])('%j', async (price, message) =>
    expect(await ask('POST', '/products', product({ price }))).toEqual(invalid('price', message)),
  );

  it('and the most that it can be is taken and told as it is', async () => {
    const { status, body } = await ask<{ price_max: number }>(
      'POST',
      '/products',
      product({ price: 1_000_000_000_000 }),
    );
    expect([status, body.data.price_max]).toEqual([201, 1_000_000_000_000]);
  });
});

const order = (item: object, more: object = {}) => ({
  ...{ items: [{ variant_id: shop.variants[0], qty: 1, ...item }], payment_method: 'cash', ...more },
  contact: { name: 'Budi', phone: '6281234567890' },
});

describe('an order is refused with', () => {
  it.each([
    ['a quantity of 0', { qty: 0 }, 'items.0.qty', 'items[0].qty must be 1 or greater'],
    ['a quantity of -1', { qty: -1 }, 'items.0.qty', 'items[0].qty must be 1 or greater'],
    ['a quantity of 10,000', { qty: 10_000 }, 'items.0.qty', 'items[0].qty must be 9999 or less'],
    ['a quantity of a half', { qty: 0.5 }, 'items.0.qty', 'items[0].qty must be an integer'],
    ['a price of its own', { price: 1 }, 'items.0.price', 'items[0].price is not a known field'],
    [
      'a discount of its own',
      { discount_share: 9_999 },
      'items.0.discount_share',
      'items[0].discount_share is not a known field',
    ],
  ])('%s', async (_, item, field, message) => {
    for (const path of ['/order', '/order/calculate']) {
      const { contact, ...priced } = order(item);
      const body = path === '/order' ? { ...priced, contact } : priced;
      expect(await ask('POST', path, body)).toEqual(
        refused(422, 'validation', message, { errors: { [field]: [message] } }),
      );
    }
  });

  it.each(['total', 'subtotal', 'paid_total', 'status', 'store_id'])('a %s of its own', async (name) =>
    expect(await ask('POST', '/order', { ...order({}), [name]: 1 })).toEqual(
      invalid(name, `${name} is not a known field`),
    ),
  );
});

it('a category below itself, or below one that stands under it, is refused', async () => {
  const made = async (body: object) => (await ask<{ id: string }>('POST', '/category_product', body)).body.data.id;
  const top = await made({ name: 'Atas' });
  const middle = await made({ name: 'Tengah', parent_id: top });
  const low = await made({ name: 'Bawah', parent_id: middle });
  const circle = 'items[0].parent_id must not make a tree deeper than 3, or a circle';
  for (const parent_id of [top, middle, low])
    expect(await ask('PUT', '/category_product/order', { items: [{ id: top, position: 0, parent_id }] })).toEqual(
      refused(422, 'validation', circle, { errors: { 'items.0.parent_id': [circle] } }),
    );
});

describe('a name is kept and found as it was written:', () => {
  it.each([
    ['emoji', 'Topi 🧢👨‍👩‍👧‍👦🇮🇩'],
    ['from right to left', 'قبعة \u200fسوداء'],
    ['Chinese and Thai', '帽子 หมวก'],
    ['combined letters', 'Café cafe\u0301'],
    ['quotes and tags', `O'Neil "<b>&amp;</b>"; --`],
  ])('%s', async (_, name) => {
    const { status, body } = await ask<{ id: string; name: string }>('POST', '/products', product({ name }));
    expect([status, body.data.name]).toEqual([201, name]);
    const found = await ask<{ name: string }[]>('GET', `/products?q=${encodeURIComponent(name.split(' ')[0] ?? '')}`);
    expect(found.body.data.map((each) => each.name)).toContain(name);
  });

  it('half of a character becomes U+FFFD', async () => {
    const { body } = await ask<{ name: string }>('POST', '/products', product({ name: 'a\ud83d b' }));
    expect(body.data.name).toBe('a\ufffd b');
  });
});

it.each([
  ['a product', '/products', 'name', product({ name: 'a\0b' })],
  ['a contact', '/contact', 'name', { name: 'a\0b', phone: '081234567891' }],
  ['a tag', '/tag', 'name', { name: '\0' }],
  ['a coupon', '/coupon', 'code', { code: 'A\0', kind: 'fixed', value: 1 }],
  [
    'an upload',
    '/upload/presign',
    'filename',
    { filename: 'a\0.png', mime: 'image/png', bytes: 1, purpose: 'product' },
  ],
])('U+0000 in the text of %s is refused with the name of its field', async (_, path, field, body) =>
  expect(await ask('POST', path, body)).toEqual(invalid(field, `${field} cannot contain the following 'U+0000'`)),
);

it('U+0000 in a path or a query finds nothing and breaks nothing', async () => {
  expect((await ask('GET', '/variant_product/sku/a%00b')).status).toBe(404);
  expect((await ask('GET', '/products/%00')).status).toBe(404);
  expect(await ask('GET', '/products?q=a%00b')).toEqual(invalid('q', `q cannot contain the following 'U+0000'`));
});

describe('a phone number is the same in every form in which it is written:', () => {
  const written = [
    ...['081234500001', '0812-3450-0001', '0812 3450 0001', '(0812) 3450-0001', '0812.3450.0001'],
    ...[
      '6281234500001',
      '+6281234500001',
      '+62 812-3450-0001',
      '+62 (0)812 3450 0001',
      '006281234500001',
      '62081234500001',
    ],
  ];
  let id: string;
  beforeAll(async () => {
    const { body } = await ask<Contact>('POST', '/contact', { name: 'Budi', phone: written[0] });
    id = body.data.id;
  });

  it.each(written)('%s', async (phone) => {
    const found = await ask<Contact>('GET', `/contact/phone/${encodeURIComponent(phone)}`);
    expect([found.status, found.body.data.id, found.body.data.phone]).toEqual([200, id, '6281234500001']);
  });

  it.each([
    '',
    '12',
    '0',
    '+',
    '081234500001x',
    '08123450000112345678',
    '０８１２３４５００００１',
    '\u200e081234500001',
  ])('and %j is none', async (phone) => {
    const message = phone === '' ? 'phone is a required field' : 'phone must be a valid E.164 formatted phone number';
    expect(await ask('POST', '/contact', { name: 'X', phone })).toEqual(invalid('phone', message));
  });
});

describe('a time is read by its zone, and without one by that of the store:', () => {
  const coupon = (ends_at: unknown, code: string) =>
    ask<Coupon>('POST', '/coupon', { code, kind: 'fixed', value: 1, ends_at });

  it.each([
    ['2026-04-01T00:00:00+07:00', '2026-03-31T17:00:00.000Z'],
    ['2026-03-31T17:00:00Z', '2026-03-31T17:00:00.000Z'],
    ['2026-03-31T12:00:00-05:00', '2026-03-31T17:00:00.000Z'],
    // On the clocks of the store
    ['2026-04-01T00:00:00', '2026-03-31T17:00:00.000Z'],
    // The whole of a day that is named as the last one
    ['2026-04-01', '2026-04-01T17:00:00.000Z'],
  ])('%s is %s', async (given, told) => {
    const { status, body } = await coupon(given, `Z${given.replaceAll(/\W/g, '')}`.slice(0, 30));
    expect([status, body.data.ends_at]).toEqual([201, told]);
  });

  it.each(['2026-02-30T00:00:00Z', '2026-04-01T25:00:00Z', 'besok', 1_774_976_400])('and %j is none', async (given) =>
    expect(await coupon(given, 'NONE')).toEqual(
      invalid('ends_at', 'ends_at does not match the 2006-01-02T15:04:05Z07:00 format'),
    ),
  );

  it.each(['Mars/Phobos', 'WIB', '+07:00'])('a store cannot lie in the zone %j', async (timezone) => {
    const { status, body } = await commerce.post('/api/auth/register', {
      ...{ name: 'Budi', email: 'zone@x.example', phone: '081234567890', password: 'a good passphrase' },
      ...{ store_name: 'Toko', timezone },
    });
    expect({ status, body }).toEqual(invalid('timezone', 'timezone must be a known time zone'));
  });
});

it('while the database is away every route that needs it answers 503 and says when to ask again', async () => {
  const away = await startCommerce();
  const token = away.storeAuth.userToken({});
  const ends = away.app.components.flat().filter(({ name }) => name.startsWith('jobs '));
  for (const component of [...ends, away.app.database]) await component.stop?.();
  const calls = [
    ['GET', '/api/products', token],
    ['POST', '/api/order', token, order({})],
    ['POST', '/api/upload/presign', token, { filename: 'a.png', mime: 'image/png', bytes: 1, purpose: 'product' }],
    ['GET', '/api/store/public/toko-nusa'],
    ['POST', '/api/checkout/session', undefined, { store_slug: 'toko-nusa' }],
  ] as const;
  for (const [method, path, by, body] of calls) {
    const answer = await away.call(method, path, by, body);
    expect({ path, status: answer.status, body: answer.body, retryAfter: answer.headers.get('retry-after') }).toEqual({
      ...{ path, retryAfter: expect.stringMatching(/^\d+$/) as string },
      ...refused(503, 'unavailable', anyText as string),
    });
  }
  await away.stop();
});
