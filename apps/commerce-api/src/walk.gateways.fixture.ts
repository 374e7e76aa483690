import { FakeGateway } from './clients/gateway.fake';
import type { Slot } from './clients/gateways';
import type { GatewayClient } from './features/gateways/port';
import { Desk, type SignedBody } from './features/gateways/desk.fixture';
import type { GatewayNeeds } from './features/gateways/gateways.composition';
import { Signed, type Made, type Story } from './walk.fixture';

export interface Desks {
  readonly a: Desk;
  readonly b: Desk;
  readonly c: Desk;
}

/** The same provider, which pays out, too. */
const payingOut = (slot: Slot): Slot => {
  const bank = new FakeGateway('b');
  const { platform } = slot;
  const payout: GatewayClient['payout'] = (given, signal) => bank.payout(given, signal);
  const payoutStatus: GatewayClient['payoutStatus'] = (ref, signal) => bank.payoutStatus(ref, signal);
  return { ...slot, platform: platform && { ...platform, client: { ...platform.client, payout, payoutStatus } } };
};

/** Three providers in memory, as the service is given them. */
export const openDesks = (): { readonly desks: Desks; readonly gateways: GatewayNeeds } => {
  const desks = { a: new Desk('a'), b: new Desk('b'), c: new Desk('c') };
  const slots = { a: desks.a.slot(true), b: payingOut(desks.b.slot(true)), c: desks.c.slot(false) };
  const sign: GatewayNeeds['sign'] = (path, { invoice_number: number, status, amount }) => {
    const { headers, raw } = desks.a.notice(path, { number, status, amount, id: 'simulated' });
    return { headers, raw: Buffer.from(raw) };
  };
  return { desks, gateways: { slots, sign } };
};

interface Placed extends Made {
  readonly number: string;
  readonly total: number;
  readonly pay_url: string;
  readonly payments: readonly Made[];
}

const signed = ({ headers, raw }: SignedBody, body: object): Signed => new Signed(headers, body, raw);

/** Orders that buyers pay at providers, what those tell, and what somebody does who wants to know. */
export const payByProviders = async ({ tell, ask }: Story, hat: string, desks: Desks): Promise<void> => {
  for (const code of ['a', 'b', 'c']) await ask('PUT /api/payment/methods/{code}', { enabled: true }, code);
  const contact = { name: 'Rina', phone: '6281234567899' };
  const place = (payment_method: string) =>
    ask<Placed>('POST /api/order', { contact, payment_method, items: [{ variant_id: hat, qty: 1 }] });
  const notice = (code: 'a' | 'b', path: string, { number, total: amount }: Placed, status = 'SUCCESS') => {
    const body = { number: `${number}-1`, status, amount, id: 'evt-1' };
    return signed(desks[code].notice(path, body), body);
  };
  const [first, bot, cash] = [await place('a'), await place('a'), await place('cash')];
  const pay_token = first.pay_url.split('/pay/')[1];
  await tell('POST /api/payment/create-checkout', { pay_token, method: 'b' });
  await tell('POST /api/payment/{id}/check', undefined, first.payments[0]?.id ?? '');
  await tell('GET /api/pay_a/status/{invoiceNumber}', undefined, `${first.number}-1`);
  await tell('POST /api/pay_a/notification', notice('a', '/api/pay_a/notification', first));
  const checkout = '/api/pay_a/checkout-notification';
  await tell('POST /api/pay_a/checkout-notification', notice('a', checkout, bot));
  await tell('POST /api/pay_a/create-payment', { order_id: cash.id, channels: ['QRIS'] });
  await tell('POST /api/pay_a/sandbox/simulate-webhook', { invoice_number: `${cash.number}-1` });
  const byB = await place('b');
  await tell('POST /api/pay_b/webhook', notice('b', '/api/pay_b/webhook', byB));
  const byC = await place('cash');
  await tell('POST /api/pay_c/create-payment', { order_id: byC.id });
  await tell('GET /api/pay_c/status/{reference}', undefined, `ref-${byC.number}-1`);
  const form = { number: `${byC.number}-1`, amount: String(byC.total), resultCode: '01' };
  await tell('POST /api/pay_c/callback', signed(desks.c.notice('/api/pay_c/callback', form), form));
  const [event] = await tell<readonly Made[]>('GET /api/logs/webhook', { provider: 'a', limit: 1 });
  await tell('POST /api/logs/webhook/{id}/replay', undefined, event?.id ?? '');
};
