import { phoneDigits } from '@platform/validation';
import type { ImportItem, ImportKind } from '../../../imports/public';
import type { Touched } from '../copies/public';
import { contactColumns } from './contact.cells';
import type { ContactItem } from './contact.item';
import { contactReader } from './contact.reader';
import { ContactWriter } from './contact.writer';

/** Contacts from a file as the export writes it, known by their numbers. */
export const contactImport = (touched: Touched): ImportKind => {
  const writer = new ContactWriter(touched);
  return {
    name: 'contacts.import',
    columns: contactColumns,
    groupOf: ({ row, cells: { phone = '' } }) => phoneDigits(phone) ?? String(row),
    reader: (sql, storeId, mode) => Promise.resolve(contactReader(sql, storeId, mode)),
    needs: () => ['contact.write'],
    write: (tx, by, items: readonly ImportItem[], mode) => writer.write(tx, by, items as readonly ContactItem[], mode),
  };
};
