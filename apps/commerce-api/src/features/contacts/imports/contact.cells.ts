import { Email, Flag, Phone, Text } from '@platform/validation';

/** One row of the file that the export writes: a contact. An empty cell says nothing. */
export class ContactCells {
  @Phone() phone!: string;
  @Text({ optional: true, max: 200, trim: true }) name?: string;
  @Email({ optional: true }) email?: string;
  @Text({ optional: true, format: 'date' }) birthday?: string;
  @Text({ optional: true, max: 40, trim: true }) source?: string;
  @Text({ optional: true, max: 1000, trim: true }) tags?: string;
  @Flag({ optional: true }) opted_out?: boolean;
}

/** What only the export tells is passed over. */
export const contactColumns = [
  ...['phone', 'name', 'email', 'birthday', 'source', 'tags', 'opted_out'],
  ...['blocked', 'orders_count', 'spent', 'last_order_at', 'created_at'],
] as const;
