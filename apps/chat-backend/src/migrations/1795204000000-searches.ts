import { ForwardMigration } from '@platform/data';

/** Searches of the list by order number and by tag. Both tables change seldom, so these cost messages nothing. */
export class Searches1795204000000 extends ForwardMigration {
  readonly steps = [
    'CREATE INDEX chat_orders_number ON chat_orders USING gin (store_id, order_number gin_trgm_ops);',
    'CREATE INDEX customers_tags ON customers USING gin (store_id, tags);',
  ];
}
