import { hidesNumber } from '@platform/contracts';
import { isUniqueViolation, type Sql } from '@platform/data';

/**
 * Records that a hidden id is a number's, on every device of the store, and gives chats and the customer that were only known
 * by the hidden id the number, unless the number has its own. $1 store  $2 hidden id  $3 number
 */
const LEARN = `
  WITH alias AS (
    INSERT INTO conversation_aliases (store_id, instance, alias, nohp) SELECT d.store_id, d.instance, $2, $3 FROM devices d WHERE d.store_id = $1 ON CONFLICT DO NOTHING),
  known AS (SELECT k.id FROM customers k WHERE k.store_id = $1 AND k.nohp = $3),
  renamed AS (UPDATE customers k SET nohp = $3 WHERE k.store_id = $1 AND k.nohp = $2 AND NOT EXISTS (SELECT 1 FROM known))
  UPDATE conversations c SET nohp = $3, customer_id = coalesce((SELECT id FROM known), c.customer_id), version = c.version + 1, updated_at = now()
  WHERE c.store_id = $1 AND c.instance IN (SELECT d.instance FROM devices d WHERE d.store_id = $1) AND c.nohp = $2
    AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.store_id = $1 AND o.instance = c.instance AND o.nohp = $3)`;

const isNumber = (nohp: string): boolean => !nohp.includes('@');

/** One message arrives under a customer's number and under WhatsApp's hidden id of the same person (design 3.2). */
export class AliasRepository {
  constructor(private readonly sql: Sql) {}

  /** Links both names of one message; false when they are not a number and a hidden id. */
  async learn(storeId: string, one: string, other: string): Promise<boolean> {
    const hidden = [one, other].find(hidesNumber);
    const number = [one, other].find(isNumber);
    if (!hidden || !number) return false;
    try {
      await this.sql.prepared('alias_learn', LEARN, [storeId, hidden, number]);
      return true;
    } catch (failure) {
      // The number got a chat of its own just now: the next message of the hidden id links them again
      if (isUniqueViolation(failure)) return false;
      throw failure;
    }
  }
}
