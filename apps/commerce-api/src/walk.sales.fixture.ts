import { abandonIdle } from './features/checkout/abandoned/abandoned.sql';
import { OWNER_ID } from './clients/store-auth.fake';
import { pictureForm, type Made, type Story } from './walk.fixture';

const HOUR = 3_600_000;
const ACCOUNT = { bank_code: 'BCA', number: '5210001234', holder: 'Sari Nusa', active: true };
const LEBARAN = { code: 'LEBARAN', kind: 'percent', value: 10, max_discount: 50_000, usage_limit: 100 };
const KURIR = { kind: 'flat', name: 'Kurir toko', cost: 15_000, free_over: 300_000, areas: ['Bandung', 'Cimahi'] };

interface Placed extends Made {
  readonly number: string;
  readonly version: number;
  readonly items: readonly Made[];
  readonly payments: readonly Made[];
}

/** How the shop is paid, what it takes off and how it sends. */
export const setTerms = async ({
  tell,
  ask,
}: Story): Promise<{ readonly coupon: string; readonly courier: string }> => {
  const account = await tell('POST /api/payment/bank-transfer', ACCOUNT);
  await tell('PUT /api/payment/bank-transfer/{id}', { ...ACCOUNT, holder: 'CV Toko Nusa' }, account.id);
  await tell('GET /api/payment/bank-transfer');
  const old = await ask('POST /api/payment/bank-transfer', { ...ACCOUNT, bank_code: 'BRI' });
  await tell('DELETE /api/payment/bank-transfer/{id}', undefined, old.id);
  await ask('PUT /api/payment/methods/{code}', { enabled: true }, 'transfer');
  const fee = { fee_bearer: 'buyer', fee: { percent_bp: 100, fixed: 2000 }, max: 5_000_000 };
  await tell('PUT /api/payment/methods/{code}', fee, 'cod');
  await tell('GET /api/payment/methods');
  const coupon = await tell('POST /api/coupon', { ...LEBARAN, ends_at: '2026-04-01T00:00:00+07:00' });
  await tell('PUT /api/coupon/{id}', { per_contact_limit: 2, usage_limit: null }, coupon.id);
  const gone = await ask('POST /api/coupon', { code: 'LAMA', kind: 'fixed', value: 5_000 });
  await tell('DELETE /api/coupon/{id}', undefined, gone.id);
  const courier = await tell('POST /api/shipping/methods', KURIR);
  await tell('PUT /api/shipping/methods/{id}', { ...KURIR, max_weight_g: 20_000 }, courier.id);
  await tell('GET /api/shipping/methods');
  const pickup = await ask('POST /api/shipping/methods', { kind: 'pickup', name: 'Ambil di toko' });
  await tell('DELETE /api/shipping/methods/{id}', undefined, pickup.id);
  return { coupon: coupon.id, courier: courier.id };
};

const payments = async ({ tell }: Story, order_id: string): Promise<Placed> => {
  const picture = pictureForm('file', 'transfer.jpg', { amount: '100000', bank: 'BCA' });
  const proof = await tell('POST /api/order/{id}/payment_proof', picture, order_id);
  await tell('POST /api/order/{id}/payment_proof/review', { proof_id: proof.id, decision: 'approve' }, order_id);
  const rest = { order_id, status: 'paid', method: 'transfer' };
  const paid = await tell<Placed>('POST /api/order/change_payment_status', rest);
  await tell('GET /api/payment', { order_id });
  await tell('GET /api/payment/{id}', undefined, paid.payments[0]?.id ?? '');
  return paid;
};

/** An order that staff takes down, is paid by transfer in two parts, and sent in one parcel of two. */
export const sellByHand = async (
  { tell, ask, commerce, refuse }: Story,
  given: { hat: string; budi: string; coupon: string; courier: string; warehouse: string },
): Promise<void> => {
  const { hat, budi, coupon, courier, warehouse } = given;
  const items = [{ variant_id: hat, qty: 2 }];
  const address = { line: 'Jl. Merdeka 9', city: 'Bandung', postcode: '40111' };
  await tell('POST /api/coupon/validate', { code: 'LEBARAN', items, contact_phone: '6281234567890' });
  await tell('POST /api/shipping/rates', { items, destination: 'Coblong, Bandung' });
  const wish = { items, address, shipping: { method_id: courier }, payment_method: 'transfer', coupon: 'LEBARAN' };
  await tell('POST /api/order/calculate', wish);
  const order = await tell<Placed>('POST /api/order', { ...wish, contact_id: budi, expected_total: 150_000 });
  const { id } = order;
  await tell('PUT /api/order/{id}', { ...wish, contact_id: budi, note: 'Bungkus kado', version: order.version }, id);
  await tell('POST /api/order/{id}/assign', { user_id: OWNER_ID }, id);
  await tell('POST /api/order/{id}/notes', { text: 'Titip di satpam' }, id);
  await tell('GET /api/order/{id}/invoice', { format: 'json' }, id);
  await tell('POST /api/order/{id}/send_invoice', { channel: 'email' }, id);
  commerce.clock.advance(HOUR);
  const paid = await payments({ tell, ask, commerce, refuse }, id);
  await tell('POST /api/order/change_status', { order_id: id, status: 'processing' });
  await tell('GET /api/coupon/{id}', undefined, coupon);
  await tell('GET /api/coupon/{id}/usages', undefined, coupon);
  await tell('GET /api/coupon');
  await sendParcels({ tell, ask, commerce, refuse }, paid, warehouse);
  const broken = [{ order_item_id: paid.items[0]?.id, qty: 1 }];
  await tell('POST /api/order/{id}/refund', { lines: broken, reason: 'Sol lepas', method: 'manual' }, id);
  await tell('GET /api/order/number/{orderNumber}', undefined, order.number);
  await tell('GET /api/order/{id}/history', undefined, id);
  await tell('GET /api/contact/{id}/orders', undefined, budi);
};

const sendParcels = async ({ tell, ask }: Story, { id, items }: Placed, warehouse_id: string): Promise<void> => {
  const lines = [{ order_item_id: items[0]?.id, qty: 1 }];
  const parcel = { order_id: id, warehouse_id, lines };
  const mistaken = await ask('POST /api/shipping/shipments', parcel);
  await tell('POST /api/shipping/shipments/{id}/cancel', undefined, mistaken.id);
  const shipment = await tell('POST /api/shipping/shipments', parcel);
  await tell('POST /api/order/{id}/waybill', { courier: 'JNE', service: 'REG', waybill: 'JP1234567890' }, id);
  await tell('GET /api/shipping/shipments/{id}', undefined, shipment.id);
  await tell('GET /api/shipping/shipments', { order_id: id });
  await tell('GET /api/order/{id}', undefined, id);
};

interface Cart {
  readonly token: string;
}

const fillCart = async ({ tell }: Story, hat: string): Promise<string> => {
  const link = await tell<Made & { code: string }>('POST /api/checkout/links', {
    ...{ name: 'Promo Lebaran', lines: [{ variant_id: hat, qty: 1, editable: true }] },
    settings: { require_address: true },
  });
  await tell('PUT /api/checkout/links/{id}', { name: 'Promo Syawal' }, link.id);
  const { token } = await tell<Cart>('POST /api/checkout/session', { link_code: link.code });
  await tell('PUT /api/checkout/session/{token}/items', { items: [{ variant_id: hat, qty: 2 }] }, token);
  const buyer = { name: 'Ani Wijaya', phone: '6281299887766' };
  const address = { line: 'Jl. Dago 12', city: 'Bandung', postcode: '40135' };
  await tell('PUT /api/checkout/session/{token}/address', { buyer, address }, token);
  const [option] = await tell<{ quote_id: string; option: string }[]>(
    'GET /api/checkout/session/{token}/shipping-rates',
    undefined,
    token,
  );
  const chosen = { quote_id: option?.quote_id, option: option?.option };
  await tell('PUT /api/checkout/session/{token}/shipping', chosen, token);
  await tell('POST /api/checkout/session/{token}/coupon', { code: 'LEBARAN' }, token);
  await tell('DELETE /api/checkout/session/{token}/coupon', undefined, token);
  await tell('GET /api/checkout/session/{token}', undefined, token);
  return token;
};

/** A buyer who comes by a link, and one who goes away again. */
export const sellByLink = async (story: Story, hat: string): Promise<void> => {
  const { tell, ask, commerce } = story;
  const token = await fillCart(story, hat);
  await tell(
    'POST /api/checkout/session/{token}/place',
    { payment_method: 'transfer', expected_total: 165_000 },
    token,
  );
  await tell('GET /api/checkout/session/{token}/status', undefined, token);
  await tell('GET /api/checkout/links');
  const unused = await ask('POST /api/checkout/links', { name: 'Promo lama', lines: [{ variant_id: hat, qty: 1 }] });
  await tell('DELETE /api/checkout/links/{id}', undefined, unused.id);
  const left = await ask<Cart>('POST /api/checkout/session', {
    store_slug: 'toko-nusa',
    items: [{ variant_id: hat, qty: 1 }],
  });
  const buyer = { name: 'Dewi Lestari', phone: '6281299887755' };
  await ask('PUT /api/checkout/session/{token}/address', { buyer }, left.token);
  commerce.clock.advance(2 * HOUR);
  await abandonIdle(commerce.database, commerce.clock.now());
  await tell('GET /api/checkout/abandoned');
  await tell('POST /api/checkout/abandoned/{token}/remind', undefined, left.token.split('.')[1] ?? '');
};

/** What becomes of orders that nobody pays. */
export const endOrders = async ({ tell, ask }: Story, hat: string): Promise<void> => {
  const wish = { items: [{ variant_id: hat, qty: 1 }], payment_method: 'cash', shipping: { kind: 'pickup' } };
  const contact = { name: 'Joko', phone: '6281234567892' };
  const [left, waiting] = [
    await ask('POST /api/order', { ...wish, contact }),
    await ask('POST /api/order', { ...wish, contact }),
  ];
  await tell('POST /api/order/{id}/cancel', { reason: 'Pembeli batal' }, left.id);
  await tell('POST /api/order/bulk_status', { ids: [waiting.id, left.id], status: 'processing' });
  await tell('GET /api/order', { status: 'processing' });
  await tell('GET /api/order/statistics');
};
