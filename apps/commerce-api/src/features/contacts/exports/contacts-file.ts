import { csv } from '@platform/http';
import type { ContactRow } from '../people/public';

/** The columns that an import reads, and what the shop knows beside them. */
export const CONTACTS_FILE = csv<ContactRow>(
  [
    ['name', 'name'],
    ['phone', 'phone'],
    ['email', 'email'],
    ['birthday', 'birthday'],
    ['source', 'source'],
    ['tags', ({ tags }) => tags.map(({ name }) => name).join(';')],
    ['blocked', 'blocked'],
    ['opted_out', 'opted_out'],
    ['orders_count', 'orders_count'],
    ['spent', 'spent'],
    ['last_order_at', 'last_order_at'],
    ['created_at', 'created_at'],
  ],
  { filename: 'contacts.csv' },
);
