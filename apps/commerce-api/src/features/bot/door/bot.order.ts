import type { Sql, Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import { createHash } from 'node:crypto';

import { refusals } from '../../../refusals';
import { sessionRefusals } from '../../checkout/sessions/public';
import { cartLines, notOnSale, wantedBySku, type StockedLine } from '../../sales/carts/public';
import { placedBefore, placeOrder, quoteOf, type Order, type Placing } from '../../sales/orders/public';
import { addressOf, chosenOffer } from './destination';
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
  const [store] = await sql.query<{ status: string }>(STORE, [storeId]);
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

/** What an order of the bot is, as everybody places one. Throws `InvalidInput` and `provider_unavailable`. */
const wantedOf = async (sql: Sql, { by, tills }: Pick<Placing, 'by' | 'tills'>, body: BotCheckout) => {
  const { wanted: items, lines } = await linesOf(sql, by.storeId, body);
  const address = addressOf(body);
  const offer = await chosenOffer(sql, by.storeId, lines, { address, courier: body.courier });
  const shipping = offer && { method_id: offer.option.replace('own:', '') };
  const asked = { items, address, shipping, coupon: body.coupon };
  const { totals } = await quoteOf(sql, by, asked, body.idUser);
  const payment_method = await methodOf(sql, by.storeId, totals.total, tills.gateways);
  const contact = { name: body.customer.name, phone: body.idUser };
  const expected_total = body.expectedTotal;
  return { ...asked, contact, payment_method, expected_total, channel: 'bot' as const };
};

/**
 * Places what the bot's buyer wants, once for ever under its key: whoever comes again finds the order. Throws what `wantedOf` and
 * `placeOrder` throw, `idempotency_mismatch` for another checkout under the key; the transaction is then to be rolled back.
 */
export const placeBotOrder = async (
  tx: Transaction,
  { by, buyers, tills }: Pick<Placing, 'by' | 'buyers' | 'tills'>,
  body: BotCheckout,
): Promise<Order> => {
  const { storeId } = by;
  const { idempotencyKey: key } = body;
  const audit = { tenantId: storeId, actor: { id: BOT, name: 'Bot', kind: 'service' as const }, at: by.at };
  const placing = { by, buyers, tills, audit, key, hash: hashOf(body) };
  if (key !== undefined) await tx.query(TURN, [`bot checkout ${storeId} ${key}`]);
  const before = await placedBefore(tx, placing, placing.hash);
  if (before) return before;
  await refuseStore(tx, storeId);
  return placeOrder(tx, placing, await wantedOf(tx, placing, body));
};
