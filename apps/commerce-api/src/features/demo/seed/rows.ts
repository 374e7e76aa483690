import type { Sql } from '@platform/data';

/** In the order in which they refer to each other; the counter of receipts last, as everybody locks it. */
const TABLES = [
  ...(['warehouse', 'setting', 'category', 'media', 'product', 'product_image', 'variant'] as const),
  ...(['digital_product', 'digital_asset', 'license_key'] as const),
  ...(['stock_level', 'stock_movement', 'stock_reservation', 'stock_transfer', 'stock_transfer_line'] as const),
  ...(['contact_phone', 'contact', 'contact_address', 'contact_note', 'tag', 'contact_tag'] as const),
  ...(['payment_method', 'transfer_account', 'shipping_method', 'coupon', 'global_key'] as const),
  ...(['sales_order', 'order_item', 'order_event', 'order_note', 'coupon_redemption'] as const),
  ...(['payment', 'payment_event', 'shipment', 'shipment_line', 'shipment_event'] as const),
  ...(['domain_binding', 'pixel', 'tracker_link', 'tracker_daily'] as const),
  ...(['biolink', 'biolink_block', 'biolink_daily'] as const),
  ...(['notification', 'staff_room', 'staff_room_member', 'staff_message'] as const),
  ...(['checkout_link', 'checkout_session', 'api_token', 'audit_log', 'plan_use', 'receipt_counter'] as const),
] as const;
export type Table = (typeof TABLES)[number];
export type Row = Readonly<Record<string, unknown>>;

/** Rows of many tables, which are written with one statement a table. */
export class Rows {
  private readonly tables = new Map<Table, Row[]>();

  /** All rows of a table have the same columns. */
  add(table: Table, ...rows: readonly Row[]): void {
    const known = this.tables.get(table) ?? [];
    known.push(...rows);
    this.tables.set(table, known);
  }

  of(table: Table): readonly Row[] {
    return this.tables.get(table) ?? [];
  }

  async write(tx: Sql): Promise<void> {
    for (const table of TABLES) {
      const [first, ...others] = this.of(table);
      if (!first) continue;
      const columns = Object.keys(first).join(', ');
      const insert = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`;
      await tx.query(insert, [JSON.stringify([first, ...others])]);
    }
  }
}
