import { signatureOf, timestampOf } from '@platform/sandbox-doku';
import type { OrderJob } from './order-load.types';

interface Placed {
  readonly id: string;
  readonly number: string;
  readonly total: number;
}

type Shop = Pick<OrderJob, 'url' | 'headers' | 'order' | 'keyWidth' | 'notice'>;

const asked = async ({ url, headers }: Shop, path: string, body: string): Promise<Placed> => {
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: Placed }).data;
};

const NOTICE = '/api/pay_a/notification';

/** Tells that an order is paid, signed as DOKU signs it. */
const told = async ({ url, notice }: Shop, invoice: string, amount: number): Promise<void> => {
  const { clientId = '', secret = '' } = notice ?? {};
  const timestamp = timestampOf(new Date());
  const requestId = `notice-${invoice}`;
  const body = JSON.stringify({
    order: { invoice_number: invoice, amount },
    transaction: { status: 'SUCCESS', date: timestamp, original_request_id: invoice },
    ...{ service: { id: 'VIRTUAL_ACCOUNT' }, acquirer: { id: 'BCA' }, channel: { id: 'VIRTUAL_ACCOUNT_BCA' } },
  });
  const signed = { clientId, requestId, timestamp, target: NOTICE, body };
  const headers = {
    ...{ 'Content-Type': 'application/json', 'Client-Id': clientId, 'Request-Id': requestId },
    ...{ 'Request-Timestamp': timestamp, Signature: signatureOf(signed, secret) },
  };
  const answer = await fetch(`${url}${NOTICE}`, { method: 'POST', headers, body });
  if (!answer.ok)
    throw new Error(`The notice of ${invoice} was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
};

/** Places an order that is to be paid through provider A, which tells then that it was; resolves to the milliseconds of the latter besides. */
export const placedAndTold = async (shop: Shop, key: number): Promise<Placed & { readonly settled: number }> => {
  const order = shop.order.replaceAll('{key}', String(key).padStart(shop.keyWidth, '0'));
  const placed = await asked(shop, '/api/order', order);
  const begun = performance.now();
  await told(shop, `${placed.number}-1`, placed.total);
  return { ...placed, settled: performance.now() - begun };
};

/** Places an order and records the money for it, as somebody at a counter does. */
export const placedAndPaid = async (shop: Shop, key: number): Promise<Placed> => {
  const order = shop.order.replaceAll('{key}', String(key).padStart(shop.keyWidth, '0'));
  const placed = await asked(shop, '/api/order', order);
  const paid = JSON.stringify({ order_id: placed.id, status: 'paid', method: 'cash' });
  await asked(shop, '/api/order/change_payment_status', paid);
  return placed;
};
