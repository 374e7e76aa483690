import type { Sql, Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import { createHash } from 'node:crypto';

import { refusals } from '../../../refusals';
import { sessionRefusals } from '../../checkout/sessions/public';
import { cartLines, notOnSale, wantedBySku, type StockedLine } from '../../sales/carts/public';
import { placedBefore, placeOrder, quoteOf, type Order, type Placing } from '../../sales/orders/public';
import type { Address } from '../../../address.dto';
import { placeOf, quoteFor } from '../../shipping/rates/public';
import { addressOf, chosenOffer, type Sent, type Ways } from './destination';
import type { BotCheckout } from './door.dto';
import { methodOf } from './method';

export const BOT = 'svc:bot-engine';

/** Of what the engine asked for: what the order follows from besides may change between two tries. */
const hashOf = (body: BotCheckout): string => {
  const { idempotencyKey: _key, dryRun: _dry, instanceID: _device, expectedTotal: _told, ...asked } = body;
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
};

const STORE = 'SELECT status FROM store WHERE store_id = $1';
/** Tries of one checkout that come at once come one after the other. */
const TURN = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Throws as carts do: `NotFound`, `store_suspended`, `store_closed`. */
const refuseStore = async (sql: Sql, storeId: string): Promise<void> => {
  const [store] = await sql.prepared<{ status: string }>('store status', STORE, [storeId]);
  if (!store) throw refusals.unknownStore();
  if (store.status === 'suspended') throw refusals.storeSuspended();
  if (store.status === 'closed') throw sessionRefusals.storeClosed();
};

const UNSOLD = /^items\.(\d+)\.variant_id$/;

/** The lines and what they are now. Throws `InvalidInput` in the names that the engine used. */
const linesOf = async (sql: Sql, storeId: string, { items }: BotCheckout) => {
  const wanted = await wantedBySku(
    sql,
    storeId,
    items.map(({ sku, quantity: qty }) => ({ sku, qty })),
  );
  const lines: StockedLine[] = await cartLines(sql, storeId, wanted).catch((failure: unknown) => {
    const at = failure instanceof NotFound ? UNSOLD.exec(String(failure.details.field))?.[1] : undefined;
    throw at === undefined ? failure : notOnSale([`items[${at}].sku`]);
  });
  return { wanted, lines };
};

/** Where the goods go and how, as it was found out before the order is placed. */
export interface Way {
  readonly address: Address;
  readonly sent: Sent | undefined;
}

/**
 * Finds out how the goods are sent, which may ask couriers: before the transaction that places the order. Throws `NotFound`,
 * `store_suspended`, `store_closed`, and `InvalidInput` in the names that the engine used.
 */
export const wayOf = async (ways: Ways, body: BotCheckout): Promise<Way> => {
  const { idStore: storeId, customer, courier } = body;
  await refuseStore(ways.database, storeId);
  const { lines } = await linesOf(ways.database, storeId, body);
  const address = await addressOf(ways.database, body);
  const { destination } = customer;
  return { address, sent: await chosenOffer(ways, storeId, { lines, address, destination, courier }) };
};

/** As everybody chooses it: a method of the store at its price of now, a courier at that of a quote. */
const shippingOf = async (sql: Sql, by: Placing['by'], lines: readonly StockedLine[], { address, sent }: Way) => {
  if (!sent) return undefined;
  const { option, kind } = sent.offer;
  if (kind !== 'courier') return { method_id: option.replace('own:', '') };
  return { quote_id: await quoteFor(sql, by, { lines, place: placeOf(address) }, sent.offers), option };
};

/** What an order of the bot is, as everybody places one. Throws `InvalidInput` and `provider_unavailable`. */
const wantedOf = async (sql: Sql, { by, tills }: Pick<Placing, 'by' | 'tills'>, body: BotCheckout, way: Way) => {
  const { wanted: items, lines } = await linesOf(sql, by.storeId, body);
  const { address } = way;
  const asked = { items, address, shipping: await shippingOf(sql, by, lines, way), coupon: body.coupon };
  const { totals } = await quoteOf({ sql, gateways: tills.gateways }, by, asked, body.idUser);
  const payment_method = await methodOf(sql, by.storeId, totals.total, tills.gateways);
  const contact = { name: body.customer.name, phone: body.idUser };
  const expected_total = body.expectedTotal;
  return { ...asked, contact, payment_method, expected_total, channel: 'bot' as const };
};

const placingOf = ({ by, buyers, tills }: Pick<Placing, 'by' | 'buyers' | 'tills'>, body: BotCheckout) => {
  const audit = { tenantId: by.storeId, actor: { id: BOT, name: 'Bot', kind: 'service' as const }, at: by.at };
  return { by, buyers, tills, audit, key: body.idempotencyKey, hash: hashOf(body) };
};

/** The order that this checkout has made before. Throws `idempotency_mismatch` for another one under its key. */
export const botOrderBefore = (
  sql: Sql,
  parts: Pick<Placing, 'by' | 'buyers' | 'tills'>,
  body: BotCheckout,
): Promise<Order | undefined> => {
  const placing = placingOf(parts, body);
  return placedBefore(sql, placing, placing.hash);
};

/**
 * Places what the bot's buyer wants, once for ever under its key: whoever comes again finds the order. Throws what `wantedOf` and
 * `placeOrder` throw, `idempotency_mismatch` for another checkout under the key; the transaction is then to be rolled back.
 */
export const placeBotOrder = async (
  tx: Transaction,
  parts: Pick<Placing, 'by' | 'buyers' | 'tills'>,
  body: BotCheckout,
  way: Way,
): Promise<Order> => {
  const placing = placingOf(parts, body);
  const { storeId } = placing.by;
  if (placing.key !== undefined) await tx.query(TURN, [`bot checkout ${storeId} ${placing.key}`]);
  const before = await placedBefore(tx, placing, placing.hash);
  if (before) return before;
  await refuseStore(tx, storeId);
  return placeOrder(tx, placing, await wantedOf(tx, placing, body, way));
};
