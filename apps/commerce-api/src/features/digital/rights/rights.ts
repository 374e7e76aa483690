import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { stockRefusals } from '../../stock/levels/public';
import { HOLD, HOLD_MISSED, LOSE, REGAIN, SUSPEND } from './rights.sql';

/*
 * What an order has of digital goods: licence keys, and links to files. Every write is made under the order's lock; nobody waits for a key.
 */

/**
 * Holds the licence keys that the written lines of an order lack, in the caller's transaction: two orders never get one key. Throws
 * `out_of_stock` with the lines for which there are not enough; the transaction is then to be rolled back.
 */
export const holdKeys = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  type Short = Parameters<typeof stockRefusals.outOfStock>[0];
  const short = await tx.prepared<Short[number]>('keys hold', HOLD, [storeId, orderId, at]);
  if (short.length > 0) throw stockRefusals.outOfStock(short);
};

/**
 * Holds keys for lines of a locked order that has been paid, where its product needs them only since it was placed. False when there are not
 * enough: the order then has those that there were.
 */
export const holdMissedKeys = async (tx: Sql, { storeId, at }: Pick<By, 'storeId' | 'at'>, orderId: string) =>
  (await tx.prepared('keys hold missed', HOLD_MISSED, [storeId, orderId, at])).length === 0;

/** Pieces of a line that came back. */
export interface ReturnedLine {
  readonly order_item_id: string;
  /** In all, those of earlier returns included: so the same again changes nothing. */
  readonly qty: number;
}

interface Loss {
  /** Nothing is left. */
  readonly all: boolean;
  readonly lines?: readonly ReturnedLine[] | undefined;
  /** `return`: for ever; `reversal`: until the order is paid. */
  readonly why: 'return' | 'reversal';
}

const lose = async (tx: Sql, by: By, orderId: string, { all, lines = [], why }: Loss): Promise<void> => {
  const columns = [lines.map(({ order_item_id }) => order_item_id), lines.map(({ qty }) => qty)];
  await tx.prepared('rights lose', LOSE, [by.storeId, orderId, by.at, all, ...columns, why]);
};

/**
 * The buyer has given back these pieces, or everything: links to lines of which nothing is left stop for ever, and so do the newest keys of
 * the others. Keys that were sent to somebody are nobody's, the rest is free again. In the caller's transaction, which holds the lock of the
 * order; the same again changes nothing.
 */
export const revokeDeliveries = (tx: Sql, by: By, orderId: string, lines?: readonly ReturnedLine[]): Promise<void> =>
  lose(tx, by, orderId, { all: lines === undefined, lines, why: 'return' });

/** An order was edited: it loses the keys of what it does not sell any more. */
export const keepRights = (tx: Sql, by: By, orderId: string): Promise<void> =>
  lose(tx, by, orderId, { all: false, why: 'return' });

/** An order ends unpaid: what it has of keys is free again, as far as nobody has seen them. Money that comes late opens it again. */
export const releaseRights = (tx: Sql, by: By, orderId: string): Promise<void> =>
  lose(tx, by, orderId, { all: true, why: 'reversal' });

/** A locked order that never had all of its money has given nothing back, whatever a release before took for it: it gets all when it is paid. */
export const regainDeliveries = async (tx: Sql, { storeId }: By, orderId: string): Promise<void> => {
  await tx.query(REGAIN, [storeId, orderId]);
};

/** An order is not paid after all: its links stop until it is. Its keys stay its own. */
export const suspendDeliveries = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.prepared('rights suspend', SUSPEND, [storeId, orderId, at]);
};
