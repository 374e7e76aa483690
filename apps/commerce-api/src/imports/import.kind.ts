import type { Sql, Transaction } from '@platform/data';
import type { Ability } from '../abilities';
import type { Writer } from '../by';
import type { CsvRow } from './csv.file';
import type { ImportMode, RowFault } from './import.dto';

export type Outcome = 'created' | 'updated' | 'unchanged';
/** What became of an item, or why nothing of it was written. */
export type Written = Outcome | readonly RowFault[];

/** What one or more rows of a file say of one thing; kept as JSON between preview and commit. */
export interface ImportItem {
  /** Of the rows that were taken, the first of them first. */
  readonly rows: readonly number[];
}

export interface Read<Item> {
  readonly items: readonly Item[];
  readonly errors: readonly RowFault[];
}

/** Reads rows that follow each other; all rows of a group come in one call. */
export type RowReader<Item> = (rows: readonly CsvRow[]) => Promise<Read<Item>>;

/** One kind of import: what its file holds, and how one item of it is written. */
export interface ImportKind<Item extends ImportItem = ImportItem> {
  readonly name: string;
  /** Every column that a file may have. */
  readonly columns: readonly string[];
  /** Rows of one thing have the same group, and follow each other. */
  groupOf(row: CsvRow): string;
  /** A reader for one file. */
  reader(sql: Sql, storeId: string, mode: ImportMode): Promise<RowReader<Item>>;
  /** Abilities without which nobody may import this. */
  needs(item: Item, mode: ImportMode): readonly Ability[];
  /** Writes the items of a batch in its transaction; tells of each in their order. */
  write(tx: Transaction, by: Writer, items: readonly Item[], mode: ImportMode): Promise<readonly Written[]>;
}
