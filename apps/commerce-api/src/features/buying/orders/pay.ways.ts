import type { Sql } from '@platform/data';
import { accountsOf, type TransferAccount } from '../../paying/accounts/public';
import { buyersWays } from '../../gateways/attempts/public';
import { isGatewayCode, type GatewayCode, type Gateways } from '../../paying/methods/public';
import { leftToPay } from '../../sales/payments/public';
import type { Bought } from './bought';
import { isPayable, payStateOf } from './pay.state';

/** How an order can be paid now. */
export interface Ways {
  /** The payment that waits at a provider. */
  readonly open?: { readonly provider: GatewayCode; readonly url: string };
  /** Others, or the one that has not answered. */
  readonly providers: readonly GatewayCode[];
  /** A provider was asked and has not answered. */
  readonly isAway: boolean;
  readonly accounts: readonly Pick<TransferAccount, 'bank' | 'number' | 'holder'>[];
}

const NONE: Ways = { providers: [], isAway: false, accounts: [] };

const openOf = ({ order, now }: Bought): Ways['open'] => {
  const due = leftToPay(order);
  const waiting = order.payments.filter(({ status, amount }) => status === 'pending' && amount === due);
  for (const { provider, url, expires_at } of [...waiting].reverse()) {
    const isOver = expires_at !== null && Date.parse(expires_at) <= now.getTime();
    if (url !== null && !isOver && isGatewayCode(provider)) return { provider, url };
  }
  return undefined;
};

/** The ways to pay what is left of an order. */
export const waysOf = async (sql: Sql, gateways: Gateways, bought: Bought): Promise<Ways> => {
  const { storeId, order } = bought;
  if (!isPayable(payStateOf(bought))) return NONE;
  const { payment_method: own, subtotal, discount, shipping_total, fee } = order;
  const net = subtotal - discount + shipping_total;
  const offered = await buyersWays(sql, gateways, { storeId, own, net, fee, due: leftToPay(order) });
  const open = openOf(bought);
  const isByTransfer = order.payment_method === 'transfer' || offered.includes('transfer');
  const accounts = isByTransfer ? await accountsOf(sql, storeId) : [];
  const last = order.payments.at(-1)?.status;
  return {
    ...(open && { open }),
    providers: offered.filter(isGatewayCode).filter((code) => code !== open?.provider),
    isAway: open === undefined && (last === 'created' || last === 'failed'),
    accounts: accounts.filter(({ active }) => active),
  };
};
