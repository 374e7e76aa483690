import { ForwardMigration } from '@platform/data';

const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
/** Of a function that writers call who have another search_path: its tables are those of the schema that is migrated. */
const OWN_TABLES = 'SET search_path FROM CURRENT';
const day = (at: string): string => `(${at} AT TIME ZONE 'UTC')::date`;

/**
 * The days on which an order counts: that on which it was paid, before its change and now, and those of all its refunds, because what one of
 * them gives back of each line depends on the others.
 */
const MARK = `
  CREATE OR REPLACE FUNCTION mark_product_days(of_store varchar, of_order uuid, before timestamptz) RETURNS void LANGUAGE sql ${OWN_TABLES} AS $$
    INSERT INTO product_daily_change (store_id, day) SELECT of_store, t.day FROM (
      SELECT ${day('before')} AS day
      UNION SELECT ${day('o.paid_at')} FROM sales_order o WHERE o.store_id = of_store AND o.id = of_order
      UNION SELECT ${day('r.ended_at')} FROM refund r WHERE r.store_id = of_store AND r.order_id = of_order AND r.status = 'succeeded') t
    WHERE t.day IS NOT NULL
  $$`;

const marks = (name: string, order: string, moment: string): string => `
  CREATE OR REPLACE FUNCTION ${name}_marks_product_days() RETURNS trigger LANGUAGE plpgsql ${OWN_TABLES} AS $$
  BEGIN
    PERFORM mark_product_days(NEW.store_id, NEW.${order}, CASE WHEN TG_OP = 'UPDATE' THEN OLD.${moment} END);
    RETURN NULL;
  END $$`;
const trigger = (table: string, event: string, when: string): string => `
  CREATE OR REPLACE TRIGGER ${table}_${event.toLowerCase()}_marks_product_days AFTER ${event} ON ${table}
  FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${table}_marks_product_days()`;

/** What of an order tells how much its lines have brought, and when; the lines of a paid order stay as they are. */
const figures = (row: string): string =>
  `(${row}.paid_at, ${row}.status = 'cancelled', ${row}.total, ${row}.paid_total, ${row}.tax ->> 'mode')`;
const given = (row: string): string => `(${row}.status = 'succeeded', ${row}.ended_at, ${row}.amount)`;

/** Whoever wrote before the triggers has committed when they are there. The same id every time: a second try marks nothing twice. */
const ALL_DAYS = `
  INSERT INTO product_daily_change (store_id, day, id)
  SELECT store_id, day, '00000000-0000-0000-0000-000000000000' FROM (
    SELECT store_id, ${day('paid_at')} AS day FROM sales_order WHERE paid_at IS NOT NULL
    UNION SELECT store_id, ${day('ended_at')} FROM refund WHERE status = 'succeeded' AND ended_at IS NOT NULL) t
  ON CONFLICT DO NOTHING`;

/** What each product has brought by the day, and which days are to be summed up again: docs/adr/0151-products-are-summed-up-by-the-day.md. */
export class ProductDaily1763921000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE TABLE IF NOT EXISTS product_daily (
      ${OF_STORE},
      day date NOT NULL,
      sold_id uuid NOT NULL,
      is_gone boolean NOT NULL,
      name text,
      units bigint NOT NULL,
      revenue bigint NOT NULL,
      refunded bigint NOT NULL,
      cost bigint NOT NULL,
      unknown boolean NOT NULL,
      PRIMARY KEY (store_id, day, sold_id)
    )`,
    `COMMENT ON COLUMN product_daily.day IS 'in UTC, so that no time zone of a store changes it'`,
    `COMMENT ON COLUMN product_daily.sold_id IS 'the product, or the variant whose product is gone'`,
    `COMMENT ON COLUMN product_daily.name IS 'as it was sold; null: the product has it'`,
    `COMMENT ON COLUMN product_daily.unknown IS 'the cost of some of it is not known'`,
    // A row for each change: nobody waits for another who sells on the same day
    `CREATE TABLE IF NOT EXISTS product_daily_change (
      ${OF_STORE},
      day date NOT NULL,
      id uuid NOT NULL DEFAULT uuidv7(),
      PRIMARY KEY (store_id, day, id)
    )`,
    MARK,
    marks('sales_order', 'id', 'paid_at'),
    marks('refund', 'order_id', 'ended_at'),
    trigger('sales_order', 'INSERT', 'NEW.paid_at IS NOT NULL'),
    trigger(
      'sales_order',
      'UPDATE',
      `(OLD.paid_at IS NOT NULL OR NEW.paid_at IS NOT NULL) AND ${figures('OLD')} IS DISTINCT FROM ${figures('NEW')}`,
    ),
    trigger('refund', 'INSERT', `NEW.status = 'succeeded'`),
    trigger(
      'refund',
      'UPDATE',
      `(OLD.status = 'succeeded' OR NEW.status = 'succeeded') AND ${given('OLD')} IS DISTINCT FROM ${given('NEW')}`,
    ),
    ALL_DAYS,
  ];
}
