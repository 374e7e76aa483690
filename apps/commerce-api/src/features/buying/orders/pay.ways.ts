import type { Sql } from '@platform/data';
import { accountsOf, type TransferAccount } from '../../paying/accounts/public';
import { isGatewayCode, methodsFor, type GatewayCode, type Gateways } from '../../paying/methods/public';
import type { Bought } from './bought';
import { dueOf, isPayable, payStateOf } from './pay.state';

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
  const due = dueOf(order);
  const waiting = order.payments.filter(({ status, amount }) => status === 'pending' && amount === due);
  for (const { provider, url, expires_at } of [...waiting].reverse()) {
    const isOver = expires_at !== null && Date.parse(expires_at) <= now.getTime();
    if (url !== null && !isOver && isGatewayCode(provider)) return { provider, url };
  }
  return undefined;
};

/** The ways to pay what is left of an order: those that its shop offers for so much. */
export const waysOf = async (sql: Sql, gateways: Gateways, bought: Bought): Promise<Ways> => {
  const { storeId, order } = bought;
  if (!isPayable(payStateOf(bought))) return NONE;
  const offered = (await methodsFor(sql, storeId, dueOf(order), gateways)).map(({ code }) => code);
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
