import { uuidv7 } from '@platform/runtime';
import { newMember, type Commerce } from './commerce.fixture';
import { somebody } from './features/checkout/checkout.fixture';
import { orderShop, type OrderShop } from './features/sales/orders/orders.fixture';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export const fileForm = (
  field: string,
  bytes: Buffer | string,
  more: Readonly<Record<string, string>> = {},
): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(more)) data.append(name, value);
  data.append(field, new Blob([bytes as string]), 'a.png');
  return data;
};

const PLACE = { line: 'Jl. Merdeka 7', city: 'Bandung', postcode: '40111' };

/** The names of a shop's rows, one of each kind. */
export type Rows = Readonly<Record<RowName, string>>;
export type RowName =
  | ('product' | 'image' | 'variant' | 'sku' | 'category' | 'productImport' | 'warehouse' | 'second' | 'transfer')
  | (
      | 'contact'
      | 'spare'
      | 'phone'
      | 'address'
      | 'tag'
      | 'contactImport'
      | 'coupon'
      | 'order'
      | 'orderNumber'
      | 'orderItem'
    )
  | ('payment' | 'proof' | 'account' | 'link' | 'cart' | 'cartToken' | 'method' | 'shipment' | 'member' | 'role')
  | ('invitation' | 'apiToken' | 'upload')
  | ('invoiceNumber' | 'reference' | 'event');

interface Made {
  readonly id: string;
}

/** Makes one thing over HTTP. */
type Make = <Data = Made>(path: string, body: unknown) => Promise<Data>;
interface Making extends OrderShop {
  readonly make: Make;
  /** A cart, as one of many buyers. */
  readonly begin: (body: object) => Promise<{ readonly token: string }>;
  /** Eight digits that no other store has. */
  readonly digits: string;
}
interface Goods {
  readonly product: string;
  readonly warehouse: string;
}

const goodsOf = async ({ make, variants }: Making, { product, warehouse }: Goods) => {
  const variant = variants[1] ?? '';
  const category = await make('/category_product', { name: 'Topi' });
  const second = await make('/warehouse', { name: 'Gudang dua', phone: '081234567890', address: PLACE });
  const lines = [{ variant_id: variant, qty: 1 }];
  const transfer = await make('/warehouse/transfer', { from_id: warehouse, to_id: second.id, lines });
  const { images } = await make<{ images: Made[] }>(`/products/${product}/images`, fileForm('files', PNG));
  const upload = await make('/upload', fileForm('file', PNG, { purpose: 'product' }));
  const preview = await make('/products/import', fileForm('file', 'sku,name,price\nNEW-1,Topi,1000\n'));
  return {
    ...{ variant, sku: 'HAT-1', category: category.id, second: second.id, transfer: transfer.id },
    ...{ image: images[0]?.id ?? '', upload: upload.id, productImport: preview.id },
  };
};

const peopleOf = async ({ make, digits }: Making) => {
  const [phone, spare] = [`62812${digits}`, `62813${digits}`];
  const tag = await make('/tag', { name: 'VIP' });
  const contact = await make('/contact', { name: 'Budi', phone });
  const other = await make('/contact', { name: 'Sari', phone: spare });
  const address = await make(`/contact/${contact.id}/addresses`, { name: 'Rumah', phone, ...PLACE });
  const preview = await make('/contact/import', fileForm('file', 'name,phone\nAni,081299887766\n'));
  const ids = { tag: tag.id, contact: contact.id, spare: other.id, address: address.id };
  return { ...ids, phone, contactImport: preview.id };
};

const salesOf = async ({ make, begin, cart, storeId }: Making, { warehouse }: Goods) => {
  const { items } = cart(1);
  const coupon = await make('/coupon', { code: 'SALE', kind: 'fixed', value: 100 });
  const order = await make<Made & { number: string; items: Made[] }>('/order', cart(1, 1));
  const proof = await make(`/order/${order.id}/payment_proof`, fileForm('file', PNG));
  const { id: order_id } = await make('/order', cart(1));
  const pay = { order_id, status: 'paid', method: 'cash' };
  const { payments } = await make<{ payments: Made[] }>('/order/change_payment_status', pay);
  const account = await make('/payment/bank-transfer', { bank_code: 'BCA', number: '5210001234', holder: 'Sari' });
  const link = await make('/checkout/links', { name: 'Promo', lines: items });
  const { token } = await begin({ store_slug: storeId, items });
  const method = await make('/shipping/methods', { kind: 'pickup', name: 'Ambil di toko', cost: 0 });
  const [first, second] = order.items.map(({ id }) => id);
  const parcel = { order_id: order.id, warehouse_id: warehouse, lines: [{ order_item_id: first, qty: 1 }] };
  const shipment = await make('/shipping/shipments', parcel);
  return {
    ...{ coupon: coupon.id, order: order.id, orderNumber: order.number, orderItem: second ?? '', proof: proof.id },
    ...{ payment: payments[0]?.id ?? '', account: account.id, link: link.id, cartToken: token },
    ...{ cart: token.split('.')[1] ?? '', method: method.id, shipment: shipment.id },
  };
};

/** As providers leave it: an attempt at each, and what one of them has told. */
const toldOf = async ({ storeId, digits }: Making, orderId: string, { database }: Commerce) => {
  const [invoiceNumber, reference, event] = [`INV-${digits}-1`, `D${digits}`, uuidv7()];
  await database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, invoice_number, provider_ref, amount, currency, status,
       mode, created_at, updated_at)
     SELECT $1, uuidv7(), $2, 80 + n, uuidv7(), provider, $3 || provider, $4, 1, 'IDR', 'failed', 'platform', now(), now()
     FROM unnest('{a,c}'::text[]) WITH ORDINALITY AS each(provider, n)`,
    [storeId, orderId, invoiceNumber, reference],
  );
  await database.query(
    `INSERT INTO webhook_event (store_id, id, provider, route, dedupe_key, headers, raw, signature_ok, outcome, received_at)
     VALUES ($1, $2, 'a', '/api/pay_a/notification', $3, '{}', '', true, 'received', now())`,
    [storeId, event, digits],
  );
  return { invoiceNumber: `${invoiceNumber}a`, reference, event };
};

const teamOf = async ({ make }: Making) => {
  const role = await make('/team/roles', { name: 'Tamu', abilities: ['order.read'] });
  const invitation = await make('/team/invite', { email: `${uuidv7()}@x.example`, role_id: role.id });
  const apiToken = await make('/settings/api-tokens', { name: 'Kasir', abilities: ['order.read'] });
  return { role: role.id, invitation: invitation.id, apiToken: apiToken.id };
};

const GOODS = `SELECT v.product_id AS product, w.id AS warehouse FROM variant v JOIN warehouse w ON w.store_id = v.store_id
  WHERE v.store_id = $1 AND v.sku = 'HAT-1'`;

/** A store with a row of every kind, made as its owner makes them. */
export const wholeShop = async (commerce: Commerce): Promise<OrderShop & { readonly rows: Rows }> => {
  const shop = await orderShop(commerce, 50, 50);
  const { storeId, ask } = shop;
  const make: Make = async <Data>(path: string, body: unknown) => {
    const answer = await ask<Data>('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body.data;
  };
  const digits = String(parseInt(storeId.slice(-8), 16))
    .padStart(10, '0')
    .slice(-8);
  const begin = async (body: object) => {
    const answer = await commerce.post('/api/checkout/session', body, somebody());
    return (answer.body as { data: { token: string } }).data;
  };
  const making = { ...shop, make, begin, digits };
  const [goods = { product: '', warehouse: '' }] = await commerce.database.query<Goods>(GOODS, [storeId]);
  const { userId: member } = await newMember(commerce, storeId, 'cs');
  const made = { ...(await goodsOf(making, goods)), ...(await peopleOf(making)), ...(await salesOf(making, goods)) };
  const { product, warehouse } = goods;
  const told = await toldOf(making, made.order, commerce);
  return { ...shop, rows: { product, warehouse, member, ...made, ...told, ...(await teamOf(making)) } };
};

const PLACES: readonly (readonly [path: string, row: RowName])[] = [
  ['/api/products/import/{jobId}', 'productImport'],
  ['/api/contact/import/{jobId}', 'contactImport'],
  ['/api/products/{id}', 'product'],
  ['/api/category_product/{id}', 'category'],
  ['/api/variant_product/sku/{sku}', 'sku'],
  ['/api/variant_product/{id}', 'variant'],
  ['/api/order/number/{orderNumber}', 'orderNumber'],
  ['/api/order/{id}', 'order'],
  ['/api/payment/bank-transfer/{id}', 'account'],
  ['/api/payment/{id}', 'payment'],
  ['/api/pay_a/status/{invoiceNumber}', 'invoiceNumber'],
  ['/api/pay_c/status/{reference}', 'reference'],
  ['/api/logs/webhook/{id}', 'event'],
  ['/api/checkout/links/{id}', 'link'],
  ['/api/checkout/abandoned/{token}', 'cart'],
  ['/api/checkout/session/{token}', 'cartToken'],
  ['/api/coupon/{id}', 'coupon'],
  ['/api/contact/phone/{phone}', 'phone'],
  ['/api/contact/{id}', 'contact'],
  ['/api/tag/{id}', 'tag'],
  ['/api/shipping/methods/{id}', 'method'],
  ['/api/shipping/shipments/{id}', 'shipment'],
  ['/api/warehouse/transfer/{id}', 'transfer'],
  ['/api/warehouse/{id}', 'warehouse'],
  ['/api/team/invitation/{id}', 'invitation'],
  ['/api/team/roles/{id}', 'role'],
  ['/api/team/{id}', 'member'],
  ['/api/settings/api-tokens/{id}', 'apiToken'],
  ['/api/upload/{id}', 'upload'],
];
const FURTHER: Readonly<Record<string, RowName>> = { imageId: 'image', addressId: 'address' };

/** The path of a route with a shop's rows in it; undefined where it names none. */
export const pathWith = (path: string, rows: Rows): string | undefined => {
  const [template, row] = PLACES.find(([each]) => path === each || path.startsWith(`${each}/`)) ?? [];
  if (!template || !row) return undefined;
  return path
    .replace(template, template.replace(/\{\w+\}/, rows[row]))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => rows[FURTHER[name] as RowName]);
};
