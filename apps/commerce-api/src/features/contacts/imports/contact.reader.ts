import type { Sql } from '@platform/data';
import { parse } from '@platform/validation';
import type { CsvRow, ImportMode, RowFault, RowReader } from '../../../imports/public';
import { ContactCells } from './contact.cells';
import type { ContactItem } from './contact.item';

const MOST_TAGS = 20;
const LONGEST_TAG = 40;
const TAKEN = 'SELECT phone FROM contact_phone WHERE store_id = $1 AND phone = ANY ($2::text[])';

const tagsOf = (cell = ''): string[] => [
  ...new Set(
    cell
      .split(/[;,]/)
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

const faultOf = ({ phone, tags }: ContactItem, taken: ReadonlySet<string>, first?: number): Omit<RowFault, 'row'>[] => {
  if (first !== undefined)
    return [{ field: 'phone', tag: 'twice', message: `phone is that of row ${first}`, about: String(first) }];
  if (taken.has(phone)) return [{ field: 'phone', tag: 'unique', message: 'phone is taken' }];
  const tooMany = tags.length > MOST_TAGS || tags.some((name) => name.length > LONGEST_TAG);
  const message = `tags must be at maximum ${MOST_TAGS} names of ${LONGEST_TAG} characters`;
  return tooMany ? [{ field: 'tags', tag: 'tags', message, about: String(MOST_TAGS) }] : [];
};

/** Reads one file's rows into contacts; a number may come once, in whatever form it is written. */
export const contactReader = (sql: Sql, storeId: string, mode: ImportMode): RowReader<ContactItem> => {
  const seen = new Map<string, number>();
  const takenOf = async (items: readonly ContactItem[]): Promise<ReadonlySet<string>> => {
    if (mode === 'upsert') return new Set();
    const phones = items.map(({ phone }) => phone);
    return new Set((await sql.query<{ phone: string }>(TAKEN, [storeId, phones])).map(({ phone }) => phone));
  };
  return async (rows: readonly CsvRow[]) => {
    const [items, read, errors]: [ContactItem[], ContactItem[], RowFault[]] = [[], [], []];
    for (const { row, cells } of rows) {
      const { value, violations } = parse(ContactCells, cells, { from: 'form' });
      if (value) read.push({ ...value, rows: [row], tags: tagsOf(value.tags) });
      else errors.push(...violations.map((violation) => ({ row, ...violation })));
    }
    const taken = await takenOf(read);
    for (const item of read) {
      const row = item.rows[0] ?? 0;
      const faults = faultOf(item, taken, seen.get(item.phone));
      if (!seen.has(item.phone)) seen.set(item.phone, row);
      if (faults.length === 0) items.push(item);
      errors.push(...faults.map((fault) => ({ row, ...fault })));
    }
    return { items, errors: errors.sort((a, b) => a.row - b.row) };
  };
};
