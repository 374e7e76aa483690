import type { Sql } from '@platform/data';
import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import type { Address } from '../../../address.dto';
import type { By } from '../../../by';
import type { StockedLine } from '../../sales/carts/public';
import { ownMethods } from './own-methods';
import { isAt, placeOf } from './place';
import { knownPlace } from './rates';
import { liveQuote } from './quotes.sql';
import type { OrderShipping, ShippingChoice } from './rates.dto';
import { goodsHash, sendingOf, sentOf, type Offer } from './sending';
import { refusals } from '../../../refusals';

/** What of an order decides on its shipping. */
export interface ShippingAsked {
  readonly shipping?: ShippingChoice | undefined;
  readonly address?: Address | undefined;
  readonly warehouse_id?: string | undefined;
  /** Undefined: nothing depends on it yet. */
  readonly payment_method?: string | undefined;
}

/** What was chosen, as the order keeps it, and what it costs. */
export interface ChosenShipping {
  readonly price: number;
  readonly shipping: OrderShipping | null;
}

export const rateRefusals = {
  quoteExpired: (): Failure =>
    new Conflict('The price of the shipping is not good for this any more: ask for the options again', {
      code: 'quote_expired',
    }),
} as const;

const invalid = (field: string, tag: string, message: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${message}` }]);

const quoted = async (
  sql: Sql,
  by: Pick<By, 'storeId' | 'at'>,
  lines: readonly StockedLine[],
  { shipping, address, warehouse_id }: ShippingAsked,
): Promise<Offer> => {
  const quote = await liveQuote(sql, by, shipping?.quote_id ?? '');
  const isForThis =
    quote?.goods === goodsHash({ lines, warehouseId: warehouse_id }) &&
    isAt(quote.place, await knownPlace(sql, placeOf(address)));
  if (!isForThis) throw rateRefusals.quoteExpired();
  const offer = quote.options.find(({ option }) => option === shipping?.option);
  if (offer) return offer;
  throw invalid('shipping.option', 'exists', 'is none of the quote');
};

const OWN_METHOD = 'SELECT 1 FROM shipping_method WHERE store_id = $1 AND id = $2';

const ofMethod = async (
  sql: Sql,
  { storeId }: Pick<By, 'storeId'>,
  lines: readonly StockedLine[],
  { shipping, address, warehouse_id: warehouseId }: ShippingAsked,
): Promise<Offer> => {
  const place = await knownPlace(sql, placeOf(address));
  const sending = await sendingOf(sql, storeId, { lines, place, warehouseId });
  const wanted = `own:${shipping?.method_id?.toLowerCase()}`;
  const offer = (await ownMethods(sql)(sending)).find(({ option }) => option === wanted);
  if (offer && sentOf(lines).length > 0) return offer;
  const [own] = await sql.query(OWN_METHOD, [storeId, shipping?.method_id]);
  if (!own) throw refusals.notHere('shipping.method_id', 'is not a shipping method of this store');
  throw invalid('shipping.method_id', 'exists', 'does not send this order there');
};

const refuseWrong = ({ kind, cod }: Offer, { address, payment_method }: ShippingAsked): void => {
  if (kind === 'pickup') return;
  if (!address) throw new InvalidInput([{ field: 'address', tag: 'required', message: 'address is a required field' }]);
  if (payment_method === undefined) return;
  const paidThere = payment_method === 'cod';
  if (kind === 'cod' && !paidThere) throw invalid('payment_method', 'eq', 'must be cod for this shipping');
  if (paidThere && !cod) throw invalid('payment_method', 'ne', 'cannot be cod for this shipping');
};

const refuseUnclear = ({ quote_id, option, method_id, kind }: ShippingChoice): void => {
  const given = [quote_id, method_id, kind].filter((one) => one !== undefined).length;
  if (given === 1 && (quote_id === undefined) === (option === undefined)) return;
  throw invalid('shipping', 'oneof', 'must be a quote_id with its option, a method_id, or the kind pickup');
};

/**
 * What the chosen shipping costs, from the quote or the store's method, never from the request. Throws `quote_expired` when the quote is
 * too old, or is not for these goods from this warehouse to this address; `NotFound` for another store's method, `InvalidInput` for what is not offered or cannot be paid so.
 */
export const chosenShipping = async (
  sql: Sql,
  by: Pick<By, 'storeId' | 'at'>,
  lines: readonly StockedLine[],
  asked: ShippingAsked,
): Promise<ChosenShipping> => {
  const { shipping: choice } = asked;
  if (choice === undefined) return { price: 0, shipping: null };
  refuseUnclear(choice);
  if (choice.kind) return { price: 0, shipping: { kind: 'pickup', courier: null, service: null, etd: null } };
  const offer = await (choice.quote_id === undefined ? ofMethod : quoted)(sql, by, lines, asked);
  refuseWrong(offer, asked);
  const { kind, courier, service, name, cost, etd_days: etd } = offer;
  return { price: cost, shipping: { kind, courier, service: service ?? name, etd } };
};
