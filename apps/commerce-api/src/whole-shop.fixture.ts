import { uuidv7 } from '@platform/runtime';
import { newMember, NOW, type Commerce } from './commerce.fixture';
import { fund } from './features/billing/billing.fixture';
import { somebody } from './features/checkout/checkout.fixture';
import { linkHash, newLink } from './secret-link';
import { openInvoice } from './features/billing/invoices/public';
import type { Rows } from './shop-rows.fixture';
import { chatSideOf } from './features/automation/chat-side.fixture';
import { withWallet } from './features/wallet/wallet.fixture';
import { saidOf } from './features/notifications/said.fixture';
import { newBlock, newPage } from './features/marketing/biolinks/biolinks.fixture';
import { outsideOf } from './features/outside/outside.fixture';
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

const PERSON = { full_name: 'Sari', national_id: '3174012345670001', birth_date: '1990-05-17', address: 'Jl. Dago 1' };
const DELIVERED = `
  INSERT INTO digital_delivery (store_id, id, order_id, order_item_id, asset_id, issue, token_hash, max_downloads, valid_days, expires_at,
    created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $2, $6, 5, 30, '2100-01-01', $7, $7)`;

/** A digital product with a file and keys, and a link to the file as if a line of the order had sold it. */
const downloadsOf = async (
  { make, storeId }: Making,
  commerce: Commerce,
  rows: { order: string; orderItem: string },
) => {
  const delivery = { needs_key: true };
  const { id: digital } = await make('/digital-store', { name: 'Buku', price: 1_000, status: 'active', delivery });
  const { id: file } = await make(`/digital-store/${digital}/files`, fileForm('file', '%PDF-1.7'));
  await make(`/digital-store/${digital}/license-keys`, { keys: ['AAAA-1111'] });
  const id = uuidv7();
  const download = newLink(storeId, id);
  const values = [storeId, id, rows.order, rows.orderItem, file, linkHash(download), NOW];
  await commerce.database.query(DELIVERED, values);
  return { digital, file, delivery: id, download };
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
  const verification = await make('/verification', { kind: 'person', data: PERSON });
  const role = await make('/team/roles', { name: 'Tamu', abilities: ['order.read'] });
  const invitation = await make('/team/invite', { email: `${uuidv7()}@x.example`, role_id: role.id });
  const apiToken = await make('/settings/api-tokens', { name: 'Kasir', abilities: ['order.read'] });
  const ids = { role: role.id, invitation: invitation.id, apiToken: apiToken.id };
  return { ...ids, verification: verification.id };
};

/** A page with a block, a short link, and a file of a report. */
const shownOf = async (shop: Making) => {
  const { id: biolink } = await newPage(shop);
  const tracker = await shop.make('/tracker', { target: 'https://toko.example/promo' });
  const wanted = { report: 'sales', format: 'csv', from: '2026-02-01', to: '2026-02-28' };
  const file = await shop.make('/report/export', wanted);
  return { biolink, block: (await newBlock(shop, biolink)).id, tracker: tracker.id, reportFile: file.id };
};

const STARTER = '39dd15b3-e70a-5534-8053-7ce7b90daa98';
const DEVICE = 'afdfb195-5d56-5909-89c4-bcb43b8659e0';

/** A plan with an add-on, and a bill that is not paid yet. */
const planOf = async (commerce: Commerce, { make, ask, storeId }: Making) => {
  const choice = { plan_id: STARTER, period: 'monthly', addon_ids: [DEVICE] };
  const first = await make<Made & { amount: number }>('/subscription', choice);
  await fund(commerce, storeId, first.amount);
  await make(`/subscription/invoices/${first.id}/pay`, { method: 'wallet' });
  const [item] = (await ask<Made[]>('GET', '/addon/active')).body.data;
  const bill = await make(`/addon/${DEVICE}/buy`, {});
  return { addon: item?.id ?? '', bill: bill.id };
};

const GOODS = `SELECT v.product_id AS product, w.id AS warehouse FROM variant v JOIN warehouse w ON w.store_id = v.store_id
  WHERE v.store_id = $1 AND v.sku = 'HAT-1'`;

/** A charge is a service's to make. */
const CHARGE = `INSERT INTO wallet_charge (store_id, id, reference, service, amount, currency, purpose, application_id, account_id,
    idempotency_key, created_at, updated_at)
  VALUES ($1, $2, 'CHG-1', 'svc:ads-client', 1, 'IDR', 'ads_topup', $2, '1', '1', now(), now())`;

const TOPUP = `INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, amount, currency, status, mode,
    created_at, updated_at) VALUES ($1, $2, $2, 1, $2, 'b', 20000, 'IDR', 'expired', 'platform', now(), now())`;
/** One that nobody has paid: the shop has no provider. */
const topupOf = async ({ database }: Commerce, storeId: string): Promise<string> => {
  const id = uuidv7();
  const lines = [{ text: 'Top-up', qty: 1, amount: 20_000 }];
  await database.tx(async (tx) => {
    const by = { storeId, actor: 'u1', at: new Date() };
    const opened = await openInvoice(tx, by, { kind: 'topup', ref: id, lines, currency: 'IDR', dueAt: null });
    await tx.query('UPDATE invoice SET id = $3 WHERE store_id = $1 AND id = $2', [storeId, opened.id, id]);
    await tx.query(TOPUP, [storeId, id]);
  });
  return id;
};

const walletOf = async (commerce: Commerce, { storeId, ask }: Making) => {
  const { account, withdraw } = await withWallet(commerce, { storeId, ask }, 50_000_000);
  // Of so much that it waits for somebody
  const { body } = await withdraw({ amount: 12_000_000 });
  const charge = uuidv7();
  await commerce.database.query(CHARGE, [storeId, charge]);
  return { payout: account, withdrawal: body.data.id, topup: await topupOf(commerce, storeId), charge };
};

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
  const downloads = await downloadsOf(making, commerce, made);
  const plan = await planOf(commerce, making);
  const told = await toldOf(making, made.order, commerce);
  const own = {
    ...(await teamOf(making)),
    ...{ ...(await outsideOf(make, digits)), ...(await saidOf(make, storeId, commerce)) },
    ...(await chatSideOf(make, storeId, commerce)),
    ...(await shownOf(making)),
    ...plan,
    ...told,
    ...(await walletOf(commerce, making)),
  };
  return { ...shop, rows: { product, warehouse, member, ...made, ...downloads, ...own } };
};
