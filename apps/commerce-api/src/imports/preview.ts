import type { Sql } from '@platform/data';
import type { Ability } from '../abilities';
import { csvRows, type CsvRow } from './csv.file';
import type { ImportMode, RowFault } from './import.dto';
import type { ImportItem, ImportKind } from './import.kind';
import { MOST_ERRORS } from './import.sql';

/** Rows of a batch, unless one thing has more. */
export const BATCH_ROWS = 200;

export interface Preview {
  /** JSON of the items of each batch. */
  readonly batches: readonly string[];
  readonly errors: readonly RowFault[];
  readonly needs: readonly Ability[];
  /** Rows that a commit takes. */
  readonly total: number;
}

/** Rows of whole groups, about a batch of them at a time. */
const portionsOf = async function* (
  kind: ImportKind,
  rows: AsyncIterable<CsvRow>,
): AsyncGenerator<CsvRow[], void, undefined> {
  let portion: CsvRow[] = [];
  let last: string | undefined;
  for await (const row of rows) {
    const group = kind.groupOf(row);
    if (portion.length >= BATCH_ROWS && group !== last) {
      yield portion;
      portion = [];
    }
    portion.push(row);
    last = group;
  }
  if (portion.length > 0) yield portion;
};

/** Reads a whole file and writes nothing. The memory that it takes is that of the file's items as JSON. */
export const previewOf = async (
  sql: Sql,
  storeId: string,
  kind: ImportKind,
  { path, mode }: { readonly path: string; readonly mode: ImportMode },
): Promise<Preview> => {
  const read = await kind.reader(sql, storeId, mode);
  const [batches, errors, needs]: [string[], RowFault[], Set<Ability>] = [[], [], new Set()];
  let total = 0;
  for await (const portion of portionsOf(kind, csvRows(path, kind.columns))) {
    const { items, errors: found } = await read(portion);
    for (const item of items) for (const ability of kind.needs(item, mode)) needs.add(ability);
    total += items.reduce((sum: number, { rows }: ImportItem) => sum + rows.length, 0);
    errors.push(...found.slice(0, MOST_ERRORS - errors.length));
    if (items.length > 0) batches.push(JSON.stringify(items));
  }
  return { batches, errors, needs: [...needs], total };
};
