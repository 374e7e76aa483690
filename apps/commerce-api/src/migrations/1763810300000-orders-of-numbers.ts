import { ForwardMigration } from '@platform/data';

/** What a member sees who sees the orders and carts of their own chats alone: by the number of the buyer. */
export class OrdersOfNumbers1763810300000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_phone ON sales_order (store_id, (buyer ->> 'phone'), created_at, id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS checkout_session_abandoned_phone ON checkout_session (store_id, (buyer ->> 'phone'), abandoned_at, id)
      WHERE state = 'abandoned'`,
  ];
}
