import { onlyPage, succeeds } from '../../../examples';
import { paidByTransfer } from '../payments/public';

const items = [{ variant_id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530', qty: 2 }];
const body = { items, payment_method: 'transfer' };
const contact = { name: 'Budi', phone: '6281234567890' };
const amounts = {
  ...{ subtotal: 500_000, discount: 50_000, coupon: { code: 'LEBARAN', amount: 50_000 }, shipping_total: 0 },
  ...{ fee: 0, tax_total: 0, tax: null, total: 450_000 },
};
const line = {
  ...{ ...items[0], name: 'Sepatu Lari Nusa Hitam 42', sku: 'SEPATU-HITAM-42', price: 250_000 },
  ...{ discount_share: 50_000, tax: 0, total: 500_000, weight_g: 1000, image_url: null },
};
/** As a list shows an order. */
export const orderRow = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000202', number: 'INV-260301-7K3QX9', channel: 'manual', status: 'open' },
  ...{ payment_status: 'unpaid', fulfillment_status: 'none', contact_id: null, buyer: contact, address: null },
  ...{ shipping: null, payment_method: 'transfer', note: null, ...amounts, paid_total: 0, refunded_total: 0 },
  ...{
    receipt_no: null,
    review_reason: null,
    currency: 'IDR',
    assignee_id: null,
    warehouse_id: '0199f7a0-0000-7000-8000-000000000101',
    version: 1,
  },
  ...{ placed_at: '2026-03-01T08:00:00.000Z', pay_expires_at: '2026-03-02T08:00:00.000Z', paid_at: null },
  ...{ completed_at: null, cancelled_at: null },
};
const item = { id: '0199f7a0-0000-7000-8000-000000000203', ...line, note: null };
const order = { ...orderRow, items: [item], shipments: [], notes: [], payments: [] };
const assignee_id = '0199f7a0-0000-7000-8000-000000000001';
const waitsNoMore = { version: 2, pay_expires_at: null };
const cancelled = { ...order, ...waitsNoMore, status: 'cancelled', cancelled_at: '2026-03-01T08:00:00.000Z' };
const paid = {
  ...{ ...order, ...waitsNoMore, payment_status: 'paid', paid_total: 450_000, receipt_no: 'RCP-2026-000001' },
  ...{ paid_at: '2026-03-01T08:00:00.000Z', payments: [paidByTransfer] },
};
const note = { id: '0199f7a0-0000-7000-8000-000000000204', text: 'Titip di satpam', author: 'u1' };

export const orderExamples = {
  statistics: succeeds('of all times', [{ status: 'open', orders: 1, total: 450_000, paid_total: 0 }]),
  bulk: succeeds(
    'one of two',
    { changed: [orderRow.id], failed: [{ id: '0199f7a0-0000-7000-8000-000000000205', code: 'not_found' }] },
    { request: { ids: [orderRow.id, '0199f7a0-0000-7000-8000-000000000205'], status: 'processing' } },
  ),
  list: succeeds('all of a store', [orderRow], { meta: onlyPage(1) }),
  place: succeeds('two pairs with a coupon', order, {
    status: 201,
    message: 'Order created',
    request: { ...body, contact, coupon: 'LEBARAN', expected_total: 450_000 },
  }),
  edit: succeeds(
    'the buyer transfers after all',
    { ...order, version: 2 },
    { message: 'Order updated', request: { ...body, contact, coupon: 'LEBARAN', version: 1 } },
  ),
  calculate: succeeds(
    'two pairs with a coupon',
    { ...amounts, lines: [line], warnings: [] },
    { request: { ...body, coupon: 'LEBARAN' } },
  ),
  show: succeeds('with its lines', order),
  history: succeeds('just placed', [
    { at: '2026-03-01T08:00:00.000Z', type: 'placed', text: 'Order placed', actor: 'u1' },
  ]),
  cancel: succeeds('one that nobody paid', cancelled, {
    message: 'Order cancelled',
    request: { reason: 'Pembeli batal' },
  }),
  move: succeeds(
    'to processing',
    { ...order, ...waitsNoMore, status: 'processing' },
    { message: 'Order updated', request: { order_id: orderRow.id, status: 'processing' } },
  ),
  pay: succeeds('all of it', paid, {
    message: 'Order updated',
    request: { order_id: orderRow.id, status: 'paid', method: 'transfer' },
  }),
  assign: succeeds(
    'to a member',
    { ...order, assignee_id, version: 2 },
    { message: 'Order updated', request: { user_id: assignee_id } },
  ),
  note: succeeds(
    'for the staff',
    { ...order, notes: [{ ...note, created_at: '2026-03-01T08:00:00.000Z' }] },
    { message: 'Order updated', request: { text: note.text } },
  ),
} as const;
