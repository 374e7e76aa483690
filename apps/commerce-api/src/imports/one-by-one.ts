import type { Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound } from '@platform/errors';
import type { Writer } from '../by';
import type { ImportMode, RowFault } from './import.dto';
import type { ImportItem, ImportKind, Outcome, Written } from './import.kind';

type Refusal = InvalidInput | Conflict | NotFound;
const isRefusal = (error: unknown): error is Refusal =>
  error instanceof InvalidInput || error instanceof Conflict || error instanceof NotFound;

const errorsOf = (row: number, error: Refusal): RowFault[] =>
  error instanceof InvalidInput
    ? error.violations.map((violation) => ({ row, ...violation }))
    : [{ row, field: '', tag: error.code, message: error.message }];

/** Writes each item by itself: what the domain refuses undoes that item alone. */
export const oneByOne = <Item extends ImportItem>(
  write: (tx: Transaction, by: Writer, item: Item, mode: ImportMode) => Promise<Outcome>,
): ImportKind<Item>['write'] => {
  const one = async (tx: Transaction, by: Writer, item: Item, mode: ImportMode): Promise<Written> => {
    await tx.query('SAVEPOINT item');
    try {
      const outcome = await write(tx, by, item, mode);
      await tx.query('RELEASE SAVEPOINT item');
      return outcome;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT item');
      return errorsOf(item.rows[0] ?? 0, error);
    }
  };
  return async (tx, by, items, mode) => {
    const written: Written[] = [];
    for (const item of items) written.push(await one(tx, by, item, mode));
    return written;
  };
};
