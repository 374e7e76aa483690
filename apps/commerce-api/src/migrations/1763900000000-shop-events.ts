import { ForwardMigration } from '@platform/data';

/** What was announced of what happened in shops; and of the last days nothing again that nobody waited for. */
export class ShopEvents1763900000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE shop_event (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      id uuid NOT NULL,
      kind text NOT NULL,
      subject_id text NOT NULL,
      at timestamptz NOT NULL,
      actor text NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE INDEX shop_event_at ON shop_event (at)`,
    `INSERT INTO shop_event (store_id, id, kind, subject_id, at, actor)
      SELECT store_id, id, type, order_id::text, at, actor FROM order_event WHERE at > now() - interval '3 days'
      ON CONFLICT DO NOTHING`,
  ];
}
