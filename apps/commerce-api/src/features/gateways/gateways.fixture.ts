import { startCommerce, type Commerce } from '../../commerce.fixture';
import { useRunning } from '@platform/testing';
import { orderShop, type OrderShop } from '../sales/orders/orders.fixture';
import type { OrderView } from '../sales/orders/orders.dto';
import type { Payment } from '../sales/payments/public';
import { Desk } from './desk.fixture';
import type { GatewayCode } from './port';

export const ROUTES: Readonly<Record<GatewayCode, string>> = {
  a: '/api/pay_a/notification',
  b: '/api/pay_b/webhook',
  c: '/api/pay_c/callback',
};

export interface Desks {
  readonly a: Desk;
  readonly b: Desk;
  readonly c: Desk;
}

/** The service with three providers in memory; B's notices are believed. */
export const startDesks = async (
  more: Readonly<Record<string, string>> = {},
  now?: string,
): Promise<Commerce & { readonly desks: Desks }> => {
  const desks = { a: new Desk('a'), b: new Desk('b'), c: new Desk('c') };
  const slots = { a: desks.a.slot(true), b: desks.b.slot(true), c: desks.c.slot(false) };
  const sign = (path: string, { invoice_number, status, amount }: Record<string, unknown>) => {
    const { headers, raw } = desks.a.notice(path, { number: invoice_number, status, amount, id: 'sim' });
    return { headers, raw: Buffer.from(raw) };
  };
  return { ...(await startCommerce(more, now, { gateways: { slots, sign } as never })), desks };
};

/** The same for the tests of the surrounding suite. */
export const useDesks = (): Commerce & { readonly desks: Desks } => useRunning(() => startDesks());

/** Sends bytes as a provider does. */
export const deliver = async (
  url: string,
  path: string,
  { headers, raw }: { readonly headers: Record<string, string>; readonly raw: string | Uint8Array },
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await fetch(url + path, { method: 'POST', headers, body: raw as never });
  return { status: answer.status, body: await answer.json() };
};

export const OK = { status: 200, body: { status: 'success', message: 'OK', data: null } };

export interface GatewayShop extends OrderShop {
  /** An order of two hats for 20,000 by a gateway, as it was placed. */
  sell(code: GatewayCode): Promise<OrderView>;
  now(order: { readonly id: string }): Promise<OrderView>;
  /** Its first attempt, or another one. */
  payment(order: { readonly id: string }, attempt?: number): Promise<Payment>;
  events(filter?: string): Promise<Record<string, unknown>[]>;
  /** What the ledger says of an order's payments. */
  postings(): Promise<string[]>;
}

/** A shop that sells so many hats, with its gateways switched on. */
export const gatewayShop = async (commerce: Commerce, pieces = 10): Promise<GatewayShop> => {
  const shop = await orderShop(commerce, pieces);
  for (const code of ['a', 'b', 'c']) await shop.ask('PUT', `/payment/methods/${code}`, { enabled: true });
  const now = async ({ id }: { readonly id: string }) => (await shop.ask<OrderView>('GET', `/order/${id}`)).body.data;
  const postings = `SELECT t.kind || ' ' || string_agg(e.side || ' ' || e.account || ' ' || e.amount, ', ' ORDER BY e.side DESC, e.account) AS told
    FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id WHERE t.store_id = $1
    GROUP BY t.id, t.kind ORDER BY t.id`;
  return {
    ...shop,
    now,
    sell: async (payment_method) => {
      const { status, body } = await shop.ask<OrderView>('POST', '/order', { ...shop.cart(2), payment_method });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data;
    },
    payment: async (order, attempt = 1) => {
      const { id = '' } = (await now(order)).payments[attempt - 1] ?? {};
      return (await shop.ask<Payment>('GET', `/payment/${id}`)).body.data;
    },
    events: async (filter = '') =>
      (await shop.ask<Record<string, unknown>[]>('GET', `/logs/webhook${filter}`)).body.data,
    postings: async () =>
      (await commerce.database.query<{ told: string }>(postings, [shop.storeId])).map(({ told }) => told),
  };
};
