import type { Sql } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { methodsFor, type Gateways } from '../../paying/methods/public';
import { paymentMethods, type Order } from '../../sales/orders/public';

export const methodRefusals = {
  none: (): Failure =>
    new Conflict('The store takes no money before delivery for an order of this total', {
      code: 'provider_unavailable',
    }),
} as const;

type Method = Order['payment_method'];

/** How the bot's buyers pay: by the first gateway that takes this total, else by transfer. Throws `provider_unavailable`. */
export const methodOf = async (sql: Sql, storeId: string, total: number, gateways: Gateways): Promise<Method> => {
  const offered = await methodsFor(sql, storeId, total, gateways);
  const [code] = [
    ...offered.filter(({ kind }) => kind === 'gateway'),
    ...offered.filter(({ kind }) => kind === 'transfer'),
  ].map((method) => method.code);
  const method = paymentMethods.find((each) => each === code);
  if (method !== undefined) return method;
  throw methodRefusals.none();
};
