import { listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { book, come, lockLevels } from '../levels/public';
import { openWarehouse, refuseTwice } from '../warehouses/public';
import { TransfersQuery, type NewTransfer, type Receipt, type Transfer, type TransferLine } from './transfers.dto';

export const transferRefusals = {
  invalidTransition: (status: string): Failure =>
    new Conflict(`The transfer is ${status}`, { code: 'invalid_transition' }),
} as const;

const SELECT = `t.id, t.from_id, t.to_id, t.status, t.created_at,
  (SELECT coalesce(json_agg(json_build_object('variant_id', l.variant_id, 'qty', l.qty, 'received', l.received) ORDER BY l.variant_id), '[]')
   FROM stock_transfer_line l WHERE l.store_id = $1 AND l.transfer_id = t.id) AS lines`;

type Stored = Omit<Transfer, 'created_at'> & { readonly created_at: Date };
const read = (row: Stored): Transfer => ({ ...row, created_at: row.created_at.toISOString() });

export const transferListing = listingOf(TransfersQuery, {
  from: 'stock_transfer t',
  tenant: 't.store_id',
  select: SELECT,
  sort: { created_at: 't.created_at' },
  usualSort: '-created_at',
  tie: 't.id',
  where: { status: 't.status = ?' },
  read,
});

export const transferById = async (tx: Sql, storeId: string, id: string, lock = ''): Promise<Transfer> => {
  const statement = `SELECT ${SELECT} FROM stock_transfer t WHERE t.store_id = $1 AND t.id = $2 ${lock}`;
  const [row] = await tx.query<Stored>(statement, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Transfer not found');
};

const INSERT_LINES = `INSERT INTO stock_transfer_line (store_id, transfer_id, variant_id, qty)
  SELECT $1, $2, l.variant_id, l.qty FROM unnest($3::uuid[], $4::int[]) AS l(variant_id, qty)`;

const at = (lines: readonly { readonly variant_id: string }[], warehouse_id: string) =>
  lines.map(({ variant_id }) => ({ variant_id, warehouse_id }));

const refuseSame = ({ from_id, to_id }: NewTransfer): void => {
  if (from_id.toLowerCase() !== to_id.toLowerCase()) return;
  throw new InvalidInput([{ field: 'to_id', tag: 'nefield', message: 'to_id must be another warehouse than from_id' }]);
};

/** Sends the goods off: they leave `from` now, and are stock of `to` when they are received. Throws `below_reserved`, `NotFound`. */
export const sendTransfer = async (tx: Sql, by: By, transfer: NewTransfer): Promise<Transfer> => {
  const { from_id, to_id, lines } = transfer;
  refuseTwice(lines);
  refuseSame(transfer);
  const id = uuidv7();
  await openWarehouse(tx, by.storeId, to_id, 'FOR SHARE');
  await lockLevels(tx, by, [...at(lines, from_id), ...at(lines, to_id)]);
  const out = lines.map(({ variant_id, qty }) => ({ variant_id, warehouse_id: from_id, delta: -qty }));
  await book(tx, by, { reason: 'transfer_out', ref: `transfer:${id}` }, out);
  await come(
    tx,
    by,
    lines.map(({ variant_id, qty }) => ({ variant_id, warehouse_id: to_id, qty })),
  );
  await tx.query(
    `INSERT INTO stock_transfer (store_id, id, from_id, to_id, status, created_at, updated_at) VALUES ($1, $2, $3, $4, 'in_transit', $5, $5)`,
    [by.storeId, id, from_id, to_id, by.at],
  );
  await tx.query(INSERT_LINES, [by.storeId, id, lines.map((line) => line.variant_id), lines.map(({ qty }) => qty)]);
  return transferById(tx, by.storeId, id);
};

/** Every line with what came of it, all unless the receipt says less. Throws `InvalidInput` for a line that was not sent, or more than was. */
const receivedOf = (sent: readonly TransferLine[], given: Receipt['lines'] = []): Required<TransferLine>[] => {
  refuseTwice(given);
  const wrong = given.flatMap(({ variant_id, received }, index) => {
    const line = sent.find((one) => one.variant_id === variant_id.toLowerCase());
    const field = `lines[${index}].${line ? 'received' : 'variant_id'}`;
    if (!line) return [{ field, tag: 'oneof', message: `${field} was not sent` }];
    return received > line.qty ? [{ field, tag: 'max', message: `${field} must be ${line.qty} or less` }] : [];
  });
  if (wrong.length > 0) throw new InvalidInput(wrong);
  const came = new Map(given.map(({ variant_id, received }) => [variant_id.toLowerCase(), received]));
  return sent.map((line) => ({ ...line, received: came.get(line.variant_id) ?? line.qty }));
};

const RECEIVE_LINES = `UPDATE stock_transfer_line t SET received = l.received FROM unnest($3::uuid[], $4::int[]) AS l(variant_id, received)
  WHERE t.store_id = $1 AND t.transfer_id = $2 AND t.variant_id = l.variant_id`;

/** Books what was sent into its warehouse, and what did not come out of it again as a count. Throws `invalid_transition` when it is not on its way. */
export const receiveTransfer = async (tx: Sql, by: By, id: string, receipt: Receipt): Promise<Transfer> => {
  const { status, to_id, lines: sent } = await transferById(tx, by.storeId, id, 'FOR UPDATE');
  if (status !== 'in_transit') throw transferRefusals.invalidTransition(status);
  const lines = receivedOf(sent, receipt.lines);
  const to = (delta: (line: (typeof lines)[number]) => number) =>
    lines.map((line) => ({ variant_id: line.variant_id, warehouse_id: to_id, delta: delta(line) }));
  const ref = `transfer:${id}`;
  await book(
    tx,
    by,
    { reason: 'transfer_in', ref },
    to(({ qty }) => qty),
  );
  await book(
    tx,
    by,
    { reason: 'count', ref },
    to(({ qty, received }) => (received ?? qty) - qty),
  );
  await come(
    tx,
    by,
    lines.map(({ variant_id, qty }) => ({ variant_id, warehouse_id: to_id, qty: -qty })),
  );
  const columns = [lines.map(({ variant_id }) => variant_id), lines.map(({ received }) => received)];
  await tx.query(RECEIVE_LINES, [by.storeId, id, ...columns]);
  await tx.query(`UPDATE stock_transfer SET status = 'received', updated_at = $3 WHERE store_id = $1 AND id = $2`, [
    by.storeId,
    id,
    by.at,
  ]);
  return transferById(tx, by.storeId, id);
};
