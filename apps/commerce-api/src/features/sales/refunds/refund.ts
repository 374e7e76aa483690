import type { SecretBox } from '@platform/auth';
import { writeAudit, type Audit, type Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { createHash } from 'node:crypto';
import type { Caller, Need } from '../../../abilities';
import type { By } from '../../../by';
import { jobQueue } from '../../../jobs';
import { refusals } from '../../../refusals';
import { countSent, leftOf, progressOf, type ItemProgress } from '../../shipping/parcels/public';
import {
  goodsOf,
  handOver,
  lockLevels,
  release,
  unsell,
  type Owner,
  type WantedGoods,
} from '../../stock/levels/public';
import { openWarehouse } from '../../stock/warehouses/public';
import { lockPayable, type PayableOrder } from '../payments/public';
import { isOfWallet, putAside, takePending, type RefundMoney } from './refund.money';
import {
  bearerOf,
  feeShareOf,
  refundRefusals,
  restOf,
  sharesOfAmount,
  sharesOfLines,
  type PaidPayment,
  type Shares,
  type SoldOrder,
} from './refund.rules';
import { succeedLocked } from './refund.ends';
import type { Refund, RefundInput, RefundLineInput } from './refunds.dto';
import { BY_KEY, readRefund, refundById, SOLD, WRITE, type StoredRefund } from './refunds.sql';

/** Who gives money back, under which key of theirs. */
export interface Refunding {
  readonly by: By;
  readonly audit: Audit;
  /** What the one who asks may do; undefined: the platform's operators, who pay nothing out. */
  readonly who: Pick<Caller, 'kind' | 'abilities'> | undefined;
  /** Seals the account of a payout. */
  readonly box: SecretBox;
  /** Of the request, for ever. */
  readonly key: string;
  /** Whose money it is; of the newest payment that bears it unless given. */
  readonly paymentId?: string | undefined;
}

const queue = jobQueue();

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

const hashOf = (orderId: string, input: RefundInput): string =>
  createHash('sha256')
    .update(JSON.stringify([orderId, input]))
    .digest('hex');

/** Purpose of the box of a payout's account. */
export const bankPurpose = (storeId: string, id: string): string => `refund/${storeId}/${id}`;

const refundedBefore = async (tx: Sql, { by, key }: Refunding, hash: string): Promise<Refund | undefined> => {
  const [row] = await tx.query<StoredRefund & { request_hash: string }>(BY_KEY, [by.storeId, `${by.actor} ${key}`]);
  if (!row) return undefined;
  const { request_hash, ...refund } = row;
  if (request_hash !== hash) throw refundRefusals.keyUsed();
  return readRefund(refund);
};

const refuseUnclear = ({ amount, lines, method, bank }: RefundInput): void => {
  if (amount !== undefined && lines) throw wrong('amount', 'excludes', 'must not be given with lines');
  if (method === 'payout' && !bank) throw wrong('bank', 'required', 'is a required field');
  if (method !== 'payout' && bank) throw wrong('bank', 'excludes', 'is only of a payout');
};

/** A payout takes money out of the wallet to any account: whoever asks for one may withdraw, too (ADR 129). */
const PAYING_OUT: Need = 'wallet.withdraw';

const refuseUnable = ({ method }: RefundInput, { who }: Refunding): void => {
  if (method !== 'payout') return;
  if (who?.kind === 'token') throw refusals.tokenNotAllowed();
  if (!who?.abilities.has(PAYING_OUT)) throw refusals.abilityMissing(PAYING_OUT);
};

interface Sold extends SoldOrder {
  readonly payments: readonly PaidPayment[];
}

/** Of a locked order, with the payments whose money may go. */
const soldOf = async (tx: Sql, { by, paymentId }: Refunding, orderId: string): Promise<Sold> => {
  const [sold] = (await tx.query<Sold>(SOLD, [by.storeId, orderId])) as [Sold];
  return paymentId === undefined ? sold : { ...sold, payments: sold.payments.filter(({ id }) => id === paymentId) };
};

interface WantedShares extends Shares {
  /** What of it is none of the order's price: it came beyond the total, or was paid before all was there. */
  readonly beyond: number;
}

const wantedOf = ({ was_full }: PayableOrder, sold: Sold, { amount, lines }: RefundInput): WantedShares => {
  // What the order owes still would be charged for pieces that are not sent any more
  if (lines && !was_full) throw refundRefusals.notPaid();
  if (lines) return { ...sharesOfLines(sold, lines), beyond: 0 };
  const rest = Math.max(0, ...sold.payments.map(restOf));
  const shares = sharesOfAmount(sold, amount ?? rest);
  // What was never sold has no tax to give back: what is sold later gives back all of its own
  if (!was_full) return { ...shares, tax: 0, beyond: shares.amount };
  return { ...shares, beyond: Math.min(shares.amount, sold.surplus) };
};

/** Pieces that go back on the shelf, by warehouse. */
const byWarehouse = (lines: readonly RefundLineInput[]): Map<string, RefundLineInput[]> => {
  const groups = new Map<string, RefundLineInput[]>();
  for (const line of lines)
    if (line.restock_to !== undefined) groups.set(line.restock_to, [...(groups.get(line.restock_to) ?? []), line]);
  return groups;
};

/** Throws `InvalidInput` for pieces that are packed or sent. */
const goodsIn = (progress: ReadonlyMap<string, ItemProgress>, group: readonly RefundLineInput[]): WantedGoods[] =>
  group.map(({ order_item_id, qty }) => {
    const item = progress.get(order_item_id);
    if (!item || leftOf(item) < qty)
      throw wrong(
        'lines',
        'restock',
        `can only restock what was not packed: book ${item?.sku ?? 'it'} back by a return`,
      );
    return { variant_id: item.variant_id, track_stock: item.track_stock, qty };
  });

/** All that goes to several warehouses is locked at once, as everybody locks levels. */
const lockAll = async (tx: Sql, by: By, from: Owner, groups: ReadonlyMap<string, readonly WantedGoods[]>) => {
  if (groups.size < 2) return;
  const has = await goodsOf(tx, by, from);
  const moves = ({ variant_id, track_stock }: WantedGoods): boolean =>
    track_stock || has.some((line) => line.variant_id === variant_id);
  const into = [...groups].flatMap(([warehouse_id, goods]) =>
    goods.filter(moves).map(({ variant_id }) => ({ variant_id, warehouse_id })),
  );
  await lockLevels(tx, by, [...has, ...into]);
};

/**
 * Pieces that were not packed go back on the shelf: they are taken from what the order has, and let go. Throws `InvalidInput` for pieces
 * that are packed or sent.
 */
const restock = async (tx: Sql, by: By, order: PayableOrder, refundId: string, lines: readonly RefundLineInput[]) => {
  const groups = byWarehouse(lines);
  if (groups.size === 0) return;
  const progress = new Map((await progressOf(tx, by.storeId, order.id)).map((item) => [item.id, item]));
  const from = { type: 'order', id: order.id };
  const goods = new Map([...groups].sort().map(([id, group]) => [id, goodsIn(progress, group)] as const));
  for (const id of goods.keys()) await openWarehouse(tx, by.storeId, id, 'FOR SHARE');
  await lockAll(tx, by, from, goods);
  for (const [warehouse_id, wanted] of goods) {
    const owner = { type: 'refund', id: `${refundId}:${warehouse_id}` };
    await handOver(tx, by, { from, to: owner, warehouse_id }, wanted);
    await unsell(tx, by, owner);
    await release(tx, by, owner);
  }
};

/** What the shares of a refund are taken from, and how. */
const plannedOf = (sold: Sold, input: RefundInput, shares: Shares): { payment: PaidPayment; feeShare: number } => {
  const { method, lines } = input;
  const payment = bearerOf(sold.payments, { amount: shares.amount, method, field: lines ? 'lines' : 'amount' });
  const isFee = isOfWallet({ mode: payment.mode, method });
  return { payment, feeShare: isFee ? feeShareOf(payment, shares.amount) : 0 };
};

const write = async (
  tx: Sql,
  refunding: Refunding,
  order: PayableOrder,
  money: RefundMoney,
  input: RefundInput,
  shares: WantedShares,
) => {
  const { by, box, key } = refunding;
  const bank_enc = input.bank ? box.seal(JSON.stringify(input.bank), bankPurpose(by.storeId, money.id)) : null;
  const { mode: _mode, ...columns } = money;
  const row = {
    ...{ ...columns, store_id: by.storeId, order_id: order.id, reason: input.reason, bank_enc },
    ...{ tax: shares.tax, beyond: shares.beyond },
    ...{ idempotency_key: `${by.actor} ${key}`, request_hash: hashOf(order.id, input) },
    ...{ actor: by.actor, created_at: by.at },
  };
  const restocked = new Map((input.lines ?? []).map(({ order_item_id, restock_to }) => [order_item_id, restock_to]));
  const lines = shares.lines.map((line) => ({ ...line, restocked_to: restocked.get(line.order_item_id) ?? null }));
  await tx.query(WRITE, [JSON.stringify(row), JSON.stringify(lines)]);
  // What is on the shelf again is not to be sent any more: all that is may have gone, or arrived, by that
  if (lines.some(({ restocked_to }) => restocked_to !== null)) await countSent(tx, by, order.id);
};

/**
 * Gives money back, in the caller's transaction: what the shop has given itself counts at once, anything else when a provider has done it. What
 * of it is the wallet's is put aside until then. Under one key once, for ever. Throws `NotFound`, `Forbidden`
 * for a payout by whoever may not withdraw, `InvalidInput` for more than is left, `not_paid` for lines of an order that never was in full,
 * `not_supported`, `insufficient_balance`, `idempotency_mismatch`; the transaction is then to be rolled back.
 */
export const requestRefund = async (
  tx: Sql,
  refunding: Refunding,
  orderId: string,
  input: RefundInput,
): Promise<Refund> => {
  const { by, audit } = refunding;
  refuseUnable(input, refunding);
  refuseUnclear(input);
  const order = await lockPayable(tx, by, orderId);
  const before = await refundedBefore(tx, refunding, hashOf(order.id, input));
  if (before) return before;
  const sold = await soldOf(tx, refunding, order.id);
  const shares = wantedOf(order, sold, input);
  if (shares.amount <= 0)
    throw wrong(input.lines ? 'lines' : 'amount', 'max', 'must be 0 or less: nothing is left to be given back');
  const { payment, feeShare } = plannedOf(sold, input, shares);
  const { amount } = shares;
  const money = {
    ...{
      id: uuidv7(),
      payment_id: payment.id,
      amount,
      currency: payment.currency,
      fee_share: feeShare,
      from_pending: 0,
    },
    ...{ mode: payment.mode, method: input.method },
  };
  const isWallet = isOfWallet(money);
  await restock(tx, by, order, money.id, input.lines ?? []);
  const held = { ...money, from_pending: isWallet ? await takePending(tx, by, money) : 0 };
  await write(tx, refunding, order, held, input, shares);
  const diff = { amount: { to: amount }, method: { to: input.method }, reason: { to: input.reason } };
  await writeAudit(tx, audit, { action: 'order.refund', subject: { type: 'order', id: order.id }, diff });
  if (isWallet) await putAside(tx, by, held);
  if (input.method === 'manual') await succeedLocked(tx, by, order, { id: held.id });
  else await queue.enqueue(tx, 'refund.execute', { storeId: by.storeId, id: held.id }, { key: `refund:${held.id}` });
  return refundById(tx, by.storeId, held.id);
};
