import { ForwardMigration } from '@platform/data';

/** A customer's chats, which its name, picture and tags are told. */
const BY_CUSTOMER = `CREATE INDEX CONCURRENTLY IF NOT EXISTS conversations_customer ON conversations (store_id, customer_id)`;

/** What a row shows of its customer; null until somebody could read it. `listed`: see \`storedListRecord\`. */
const COLUMNS = `ALTER TABLE conversations ADD COLUMN IF NOT EXISTS listed text, ADD COLUMN IF NOT EXISTS listed_customer text[]`;

/** Of a function that writers call who have another search_path: its tables are those of the schema that is migrated. */
const OWN_TABLES = 'SET search_path FROM CURRENT';

/**
 * Takes the part from the chats of customers who changed or are gone. A customer's row is locked by whoever changes it, so chats
 * that took the old values in the meantime have committed and are seen here. All chats of a statement are locked in the order
 * of their keys, as messages lock them: one customer after the other would wait for messages in a circle. A batch of messages
 * changes none as a rule: asking first costs 4 us instead of 16 (measured).
 */
const CUSTOMERS_LISTED = `
  CREATE OR REPLACE FUNCTION customers_listed() RETURNS trigger LANGUAGE plpgsql ${OWN_TABLES} AS $$
  BEGIN
    IF EXISTS (SELECT FROM before) THEN
      UPDATE conversations c SET listed_customer = NULL FROM (
        SELECT v.store_id, v.id FROM before b JOIN conversations v ON v.store_id = b.store_id AND v.customer_id = b.id
        WHERE NOT EXISTS (SELECT 1 FROM customers k WHERE k.store_id = b.store_id AND k.id = b.id
          AND (k.nama, k.profilepic, k.tags) IS NOT DISTINCT FROM (b.nama, b.profilepic, b.tags))
        ORDER BY v.store_id, v.instance, v.nohp FOR UPDATE OF v) told
      WHERE c.store_id = told.store_id AND c.id = told.id;
    END IF;
    RETURN NULL;
  END $$`;
const onCustomers = (event: string): string => `
  CREATE OR REPLACE TRIGGER customers_${event.toLowerCase()}_listed AFTER ${event} ON customers REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION customers_listed()`;

const text = (name: string, value: string): string => `'"${name}":', coalesce(to_json(${value})::text, 'null')`;
const epoch = (name: string, value: string): string =>
  `'"${name}":', coalesce(floor(extract(epoch FROM ${value}))::bigint::text, 'null')`;
const word = (name: string, words: readonly string[], value: string): string =>
  `'"${name}":', coalesce((ARRAY[${words.map((each) => `'"${each}"'`).join(',')}])[${value} + 1], 'null')`;
const joined = (...members: string[]): string => members.join(", ',', ");

/**
 * Writes the record anew at every change of the row, from nothing but the row: the customer's part is read when there is none,
 * under a lock that makes its next writer wait for us. Who holds the customer now tells us later; nobody is waited for, so no
 * circle of locks can close. Expressions without a query of their own: PL/pgSQL hands those to the executor directly (24 us
 * instead of 65, measured).
 */
const CONVERSATION_LISTED = `
  CREATE OR REPLACE FUNCTION conversation_listed() RETURNS trigger LANGUAGE plpgsql ${OWN_TABLES} AS $$
  BEGIN
    IF NEW.listed_customer IS NULL OR NEW.customer_id <> OLD.customer_id THEN
      SELECT ARRAY[concat(${joined(text('nama', 'k.nama'), text('profilepic', 'k.profilepic'))}), concat(${text('tag', 'k.tags')})]
      INTO NEW.listed_customer FROM customers k WHERE k.store_id = NEW.store_id AND k.id = NEW.customer_id FOR SHARE SKIP LOCKED;
    END IF;
    NEW.listed := CASE WHEN NEW.listed_customer IS NOT NULL THEN concat('{', ${joined(
      `'"chatId":"', NEW.store_id, '.', NEW.id, '"'`,
      text('nohp', 'NEW.nohp'),
      text('instance', 'NEW.instance'),
      text('team', 'NEW.team_id'),
      `'"customerId":"', NEW.customer_id, '"'`,
      'NEW.listed_customer[1]',
      text('is_group', 'NEW.is_group'),
      word('status', ['open', 'handle', 'pending', 'finish'], 'NEW.status'),
      word('status_escalate', ['', 'requested', 'finished'], 'NEW.status_escalate'),
      text('user_id', 'NEW.assignee_id'),
    )}, ',"user_nama":null,', ${joined(
      text('gudang_id', 'NEW.gudang_id'),
      text('prioritas', 'NEW.prioritas'),
      'NEW.listed_customer[2]',
      `'"unread":', NEW.unread_count, ',"last_seq":', NEW.last_seq, ',"read_seq":', NEW.read_seq`,
      text('last_pesan', 'NEW.last_text'),
      text('last_type', 'NEW.last_type'),
      text('last_fromMe', 'NEW.last_from_me'),
      text('last_pesan_id', 'NEW.last_pesan_id'),
      word('status_ack', ['pending', 'sent', 'delivered', 'viewed', 'played'], 'NEW.last_ack'),
    )}, ',"order_status":null,', ${joined(
      text('ticketId', "NEW.store_id || '.' || NEW.ticket_id"),
      epoch('waiting_since', 'NEW.waiting_since'),
      epoch('first_response_at', 'NEW.first_response_at'),
    )}, ',"pending_until":null,"episode":', NEW.episode, ',"version":', NEW.version, ',"waktu":"') END;
    RETURN NEW;
  END $$`;
const ON_CONVERSATION = `
  CREATE OR REPLACE TRIGGER conversation_listed BEFORE UPDATE ON conversations FOR EACH ROW EXECUTE FUNCTION conversation_listed()`;

/**
 * The part of a chat's list record that only its own row and its customer say, stored with the row. Rows get it with their next
 * change, new ones with their second write; until then it is computed where it is read. Every step can be repeated.
 */
export class Listed1795209000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    BY_CUSTOMER,
    COLUMNS,
    CUSTOMERS_LISTED,
    onCustomers('UPDATE'),
    onCustomers('DELETE'),
    CONVERSATION_LISTED,
    ON_CONVERSATION,
  ];
}
