import { openapi } from '@platform/http';
import { useRunning } from '@platform/testing';
import { askOf, type Ask } from './asked.fixture';
import { startFakeAgents } from './clients/bot.agents.fake';
import { startCommerce } from './commerce.fixture';
import { noticeEvents } from './notice.types';
import type { Rows } from './shop-rows.fixture';
import { wholeShop } from './whole-shop.fixture';

const AGENT = '0199f7a0-0000-7000-8000-00000000a9e0';
const bot = useRunning(startFakeAgents);
const commerce = useRunning(() => startCommerce({ CHAT_URL: 'http://127.0.0.1:1', BOT_URL: bot.url }));
let my: Rows;
let ask: Ask;
beforeAll(async () => {
  bot.agents.add(AGENT);
  commerce.storeAuth.users.set('owner@toko-nusa.example', { password: 'a good passphrase' });
  const shop = await wholeShop(commerce);
  my = shop.rows;
  ask = askOf(commerce)(shop.storeId);
});

/** One field of an update: a value for it, and what is shown of it when it is empty. */
interface Case {
  readonly route: string;
  readonly at: () => string;
  /** Its place in the body, and in the answer unless `shown` says otherwise. */
  readonly field: string;
  readonly value: unknown;
  readonly empty: unknown;
  readonly shown?: string;
  /** What the body needs besides. */
  readonly besides?: object;
}
type Field = readonly [field: string, value: unknown, empty: unknown, more?: Partial<Case>];

const cases = (route: string, at: () => string, fields: readonly Field[]): Case[] =>
  fields.map(([field, value, empty, more]) => ({ route, at, field, value, empty, ...more }));

const ADDRESS = { line: 'Jl. Braga 1', city: 'Bandung' };
const BUYER = { buyer: { name: 'Budi', phone: '6281234567890' } };
const PIXEL = { besides: { kind: 'meta', pixel_ref: '1234567890', events: ['purchase'] } };
const CASES: readonly Case[] = [
  ...cases('/api/products/{id}', () => `/products/${my.product}`, [
    ['category_id', () => my.category, null, { shown: 'category' }],
    ['description', 'Katun', ''],
    ['options', [], []],
    ['seo', { title: 'Topi' }, null],
    ['weight_g', 120, 0, { besides: { status: 'draft' } }],
  ]),
  ...cases('/api/digital-store/{id}', () => `/digital-store/${my.digital}`, [
    ['category_id', () => my.category, null, { shown: 'category' }],
    ['description', 'Bab 1 sampai 12', ''],
    ['options', [], []],
    ['seo', { title: 'Buku' }, null],
    ['weight_g', 120, 0],
    ['delivery.max_downloads', 7, 5],
    ['delivery.valid_days', 7, 30],
    ['delivery.needs_key', true, false],
    ['delivery', { max_downloads: 7 }, { max_downloads: 5, valid_days: 30, needs_key: false }],
  ]),
  ...cases('/api/variant_product/{id}', () => `/variant_product/${my.variant}`, [
    ['barcode', '8991234567890', null],
    ['compare_at', 900_000, null],
    ['cost', 5_000, null],
    ['weight_g', 90, null],
    ['tiers', [{ min_qty: 6, price: 1_000 }], []],
  ]),
  ...cases('/api/contact/{id}', () => `/contact/${my.contact}`, [
    ['name', 'Ani', null],
    ['email', 'ani@example.com', null],
    ['birthday', '1990-05-17', null],
    ['source', 'toko', null],
    ['custom', { ukuran: 42 }, {}],
  ]),
  ...cases('/api/tag/{id}', () => `/tag/${my.tag}`, [['color', '#ffaa00', null, { besides: { name: 'VIP' } }]]),
  ...cases('/api/coupon/{id}', () => `/coupon/${my.coupon}`, [
    ['max_discount', 50, null],
    ['min_subtotal', 1_000, 0],
    ['starts_at', '2026-02-28T17:00:00.000Z', null],
    ['ends_at', '2026-03-31T17:00:00.000Z', null],
    ['usage_limit', 9, null],
    ['per_contact_limit', 2, null],
    ['scope', () => ({ product_ids: [my.product], category_ids: [] }), { product_ids: [], category_ids: [] }],
  ]),
  ...cases('/api/checkout/links/{id}', () => `/checkout/links/${my.link}`, [
    ['settings.redirect_url', 'https://toko.example/terima-kasih', null],
    ['settings.pixel_ids', () => [my.product], []],
  ]),
  ...cases('/api/checkout/session/{token}/address', () => `/checkout/session/${my.cartToken}/address`, [
    ['address', ADDRESS, null, { besides: BUYER }],
  ]),
  ...cases('/api/payment/methods/{code}', () => '/payment/methods/cod', [
    ['fee', { percent_bp: 100, fixed: 2_000 }, { percent_bp: 0, fixed: 0 }],
    ['min', 1_000, null],
    ['max', 900_000, null],
  ]),
  ...cases('/api/payment/methods/{code}', () => '/payment/methods/a', [
    ['channels', ['VIRTUAL_ACCOUNT'], []],
    ['credentials', { client_id: 'MCH-1', secret: 's' }, false, { shown: 'configured' }],
  ]),
  ...cases('/api/store', () => '/store', [
    ['description', 'Topi dan sepatu', ''],
    ['phone', '6281234567890', null],
    ['address', ADDRESS, null],
    ['hours', [{ day: 1, open: '08:00', close: '17:00' }], []],
  ]),
  ...cases('/api/profile', () => '/profile', [['phone', '6281234567890', null]]),
  ...cases('/api/device/{id}', () => `/device/${my.device}`, [
    ['chat_team_id', () => my.chatTeam, null],
    ['bot_agent_id', AGENT, null],
  ]),
  ...cases('/api/team_chat/{id}', () => `/team_chat/${my.chatTeam}`, [
    ['hours', [{ day: 1, open: '08:00', close: '17:00' }], null],
  ]),
  ...cases('/api/team_chat/{id}/members', () => `/team_chat/${my.chatTeam}/members`, [
    ['device_ids', () => [my.device], [], { besides: { user_ids: [] }, shown: 'devices' }],
  ]),
  ...cases('/api/chatbot/{id}', () => `/chatbot/${my.rule}`, [
    ['device_ids', () => [my.device], [], { besides: { match: 'exact', keywords: ['a'], reply: { text: 'b' } } }],
  ]),
  ...cases('/api/response-template/{id}', () => `/response-template/${my.reply}`, [
    ['media_id', () => my.upload, null, { besides: { shortcut: 'salam', body: 'Halo' } }],
  ]),
  ...cases('/api/botwelcome', () => '/botwelcome', [
    ['text', 'Halo', ''],
    ['agent_id', AGENT, null],
    ['once_per_hours', 24, 0],
  ]),
  ...cases('/api/livechat/widget', () => '/livechat/widget', [
    ['enabled', true, false],
    ['title', 'Tanya kami', ''],
    ['greeting', 'Halo!', ''],
    ['color', '#aa0000', '#128c7e'],
    ['position', 'left', 'right'],
    ['device_id', () => my.device, null],
    ['allowed_hosts', ['toko.example'], []],
  ]),
  ...cases('/api/pixel/{id}', () => `/pixel/${my.pixel}`, [
    ['token', 'EAAG1', false, { ...PIXEL, shown: 'token_set' }],
  ]),
  ...cases('/api/biolink/{id}', () => `/biolink/${my.biolink}`, [
    ['bio', 'Topi dan sepatu', null],
    ['theme', { shape: 'pill' }, {}],
  ]),
  ...cases('/api/tracker/{id}', () => `/tracker/${my.tracker}`, [['utm', { source: 'ig' }, {}]]),
  ...cases('/api/setting', () => '/setting', [
    ['storefront!announcement', 'Libur 1 Syawal', ''],
    ['order!cancel_unpaid_hours', 48, 24],
  ]),
];

const within = (field: string, value: unknown): object =>
  field.split('.').reduceRight<unknown>((inner, name) => ({ [name.replace('!', '.')]: inner }), value) as object;
const read = (data: unknown, field: string): unknown =>
  field.split('.').reduce((at, name) => (at as Record<string, unknown>)[name.replace('!', '.')], data);

describe('null empties, and what is left out stays:', () => {
  it.each(CASES.map((each) => [each.route, each.field, each] as const))('PUT %s %s', async (_route, _field, each) => {
    const { at, field, value, empty, shown = field, besides } = each;
    const put = async (change: object) => {
      const { status, body } = await ask<unknown>('PUT', at(), { ...besides, ...change });
      expect({ status, body }).toEqual({ status: 200, body: expect.anything() as unknown });
      return read(body.data, shown);
    };
    const given = await put(within(field, typeof value === 'function' ? (value as () => unknown)() : value));
    const kept = await put({});
    expect({ given: JSON.stringify(given) === JSON.stringify(empty), kept }).toEqual({
      given: Array.isArray(value) && value.length === 0,
      kept: given,
    });
    expect(await put(within(field, null))).toEqual(empty);
  });

  it('in a group of settings null brings back what nobody has changed, inside of one too', async () => {
    const put = (version: number, change: object) =>
      ask<object>('PUT', '/settings/invoice', { version, tax: { ...change } });
    await put(0, { mode: 'included', npwp: '09.254.294.3-407.000' });
    expect((await put(1, { mode: null, npwp: null })).body.data).toEqual({
      ...{ tax: { mode: 'none', rate_bp: 1200, base_num: 11, base_den: 12, shipping: false, npwp: '' }, version: 2 },
    });
  });

  it('many products leave their category at once', async () => {
    await ask('PUT', `/products/${my.product}`, { category_id: my.category });
    await ask('POST', '/products/bulk-update', { ids: [my.product], set: { category_id: null } });
    const { body } = await ask<{ category: unknown }>('GET', `/products/${my.product}`);
    expect(body.data.category).toBeNull();
  });
});

/** What is replaced as a whole: whatever is left out, or null, is empty then. */
const WHOLE = [
  ...['/api/contact/{id}/addresses/{addressId}', '/api/contact/{id}/block', '/api/order/{id}', '/api/store/status'],
  ...[
    '/api/payment/bank-transfer/{id}',
    '/api/shipping/methods/{id}',
    '/api/warehouse/{id}',
    '/api/warehouse/{id}/stock',
    '/api/shipping/couriers',
  ],
];
/** What is never empty. */
const ALWAYS = [
  'name',
  'slug',
  'kind',
  'status',
  'taxable',
  'sku',
  'option_values',
  'price',
  'track_stock',
  'phone',
].concat(
  ...[
    'allow_backorder',
    'opted_out',
    'auto',
    'buy_qty',
    'get_qty',
    'value',
    'lines',
    'settings',
    'enabled',
    'fee_bearer',
  ],
  ...['locale', 'timezone', 'role_id', 'abilities', 'active', 'private', 'distribution'],
  ...['prompt', 'version', 'title', 'target', 'body', 'device_id', 'audience', 'message'],
  ...noticeEvents,
  ...['push_subscription', 'push_content'],
);

interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
const takesNull = ({ type, anyOf = [] }: Schema): boolean => type?.includes('null') === true || anyOf.some(takesNull);

it('every field of an update that may be left out can be emptied, or is never empty', () => {
  const { paths, components } = openapi(commerce.app) as unknown as {
    readonly paths: Record<
      string,
      { put?: { requestBody?: { content: Record<string, { schema: { $ref: string } }> } } }
    >;
    readonly components: { readonly schemas: Record<string, Schema> };
  };
  const stuck = Object.entries(paths).flatMap(([path, { put }]) => {
    const name = put?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
    const { properties = {}, required = [] } = components.schemas[name] ?? {};
    const optional = Object.entries(properties).filter(([field]) => !required.includes(field));
    const kept = optional.filter(([field, schema]) => !takesNull(schema) && !ALWAYS.includes(field));
    return WHOLE.includes(path) ? [] : kept.map(([field]) => `${path} ${field}`);
  });
  expect(stuck).toEqual([]);
});
