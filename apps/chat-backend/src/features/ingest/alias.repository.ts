import { hidesNumber } from '@platform/contracts';
import { isUniqueViolation, type Sql } from '@platform/data';
import { LruCache } from '@platform/runtime';
import { anyDevice } from '../tenancy/public';
import type { InboundMessage } from './inbound-message';
import type { IngestJobs } from './ingest.sql';

const KNOWN = 'devices d JOIN conversation_aliases a ON a.store_id = d.store_id AND a.instance = d.instance';
/** When it was told. Of what a release before has learned nobody knows: earlier than any message, later than what is told without a time. */
const SAID = `coalesce(a.said_at, '2000-01-01')`;
/** Another hidden id of number $3. A number has one `@lid`; how many business-scoped ones is not known. */
const other = (alias: string): string => `${alias} <> $2 AND ${alias} LIKE '%@lid' AND $2::text LIKE '%@lid'`;
const OTHER = `a.nohp = $3 AND ${other('a.alias')}`;
/** Somebody else was told to have the number later than $4. */
const TAKEN_SINCE = `SELECT 1 FROM ${KNOWN} WHERE d.store_id = $1 AND ${OTHER} AND ${SAID} > $4::timestamptz`;
/** What is known was written later than $4. */
const OVERTAKEN = `
  overtaken AS MATERIALIZED (
    SELECT 1 FROM ${KNOWN} WHERE d.store_id = $1 AND a.alias = $2 AND a.nohp <> $3 AND ${SAID} > $4::timestamptz
    UNION ALL ${TAKEN_SINCE})`;
/** A STOP that was said by number $3 stays with the hidden ids of before, `left`: their owners have not taken it back, whatever is said by the number from now on. */
const remembered = (left: string): string => `
  remembered AS (
    INSERT INTO customers AS k (store_id, id, nohp, opt_out, opt_out_by_customer)
    SELECT $1, uuidv7(), l.alias, true, true FROM (SELECT DISTINCT alias FROM ${left}) l
    WHERE EXISTS (SELECT 1 FROM customers s WHERE s.store_id = $1 AND s.nohp = $3 AND s.opt_out_by_customer)
    ORDER BY l.alias ON CONFLICT (store_id, nohp) DO UPDATE SET opt_out = true, opt_out_by_customer = true)`;

/**
 * Links hidden id $2 and number $3 on every device of store $1: whoever hides the number from one of them is known to the store. A hidden id
 * whose owner has another number now goes with it, and a number that is somebody else's now leaves the hidden id of before: or answers would go
 * to whoever has the number now; nor does the bot remember for them what was said under that. What was written at $4, before what is known, tells nothing. Writes nothing
 * where it is so already, but that it is told still, once a day: or who had the number in between would take it.
 */
const link = (unless = 'false'): string => `${OVERTAKEN},
  alias AS (
    INSERT INTO conversation_aliases AS o (store_id, instance, alias, nohp, said_at) SELECT d.store_id, d.instance, $2, $3, $4::timestamptz FROM devices d
    WHERE d.store_id = $1 AND NOT ${unless} AND NOT EXISTS (SELECT FROM overtaken) AND NOT EXISTS (
      SELECT 1 FROM conversation_aliases a WHERE a.store_id = d.store_id AND a.instance = d.instance AND a.alias = $2 AND a.nohp = $3
        AND ${SAID} > $4::timestamptz - interval '1 day')
    ORDER BY d.instance ON CONFLICT (store_id, instance, alias) DO UPDATE SET nohp = excluded.nohp, said_at = excluded.said_at
      WHERE o.said_at IS NULL OR o.said_at <= excluded.said_at),
  left_behind AS (
    DELETE FROM conversation_aliases a USING devices d WHERE d.store_id = $1 AND a.store_id = d.store_id AND a.instance = d.instance AND ${OTHER}
      AND NOT ${unless} AND NOT EXISTS (SELECT FROM overtaken) RETURNING a.alias),
  begun_anew AS (
    UPDATE conversations c SET begun_as = NULL WHERE c.store_id = $1 AND c.instance = ${anyDevice('$1')} AND c.nohp = $3
      AND ${other('c.begun_as')} AND NOT ${unless} AND NOT EXISTS (SELECT FROM overtaken))`;

/** Tells commerce-api of number $3. */
const contactJob = (contact: IngestJobs['contact']): string =>
  contact
    ? `(${contact("json_build_object('storeId', $1::text, 'nohp', $3::text)", "'contact.' || $1 || '.' || $3")}).id`
    : '1';

/**
 * Records that a hidden id is a number's, and gives chats and the customer that were only known by the hidden id the number, unless
 * the number has its own: then that one has the STOP that was said under the hidden id, which moves, so that a START said since is
 * not undone by the next call. commerce-api is told, if anybody is: it knows nobody by a hidden id. Tickets go with their chat. What a chat was begun as it stays
 * known by: to callers, to the bot, and in the lane of what waits for the gateway. Locks customers in the order of ingest. $1 store  $2 hidden id  $3 number  $4 when it was told
 */
const learnStatement = (contact: IngestJobs['contact']): string => `
  WITH ${link()},
  names AS MATERIALIZED (
    SELECT k.id, k.nohp, k.opt_out_by_customer FROM customers k WHERE k.store_id = $1 AND k.nohp IN ($2, $3) AND NOT EXISTS (SELECT FROM overtaken) ORDER BY k.nohp FOR UPDATE),
  known AS (SELECT id FROM names WHERE nohp = $3),
  renamed AS (
    UPDATE customers k SET nohp = $3 WHERE k.store_id = $1 AND k.id IN (SELECT id FROM names WHERE nohp = $2) AND NOT EXISTS (SELECT 1 FROM known) RETURNING k.id),
  stopped AS (
    UPDATE customers k SET opt_out = true, opt_out_by_customer = k.nohp = $3
    WHERE k.store_id = $1 AND k.id IN (SELECT id FROM names) AND EXISTS (SELECT 1 FROM known) AND EXISTS (SELECT 1 FROM names WHERE nohp = $2 AND opt_out_by_customer) RETURNING k.id),
  told AS MATERIALIZED (
    SELECT ${contactJob(contact)}
    WHERE EXISTS (SELECT 1 FROM renamed) OR EXISTS (SELECT 1 FROM stopped)),
  chats AS (
    UPDATE conversations c SET nohp = $3, begun_as = $2, customer_id = coalesce((SELECT id FROM known), c.customer_id), version = c.version + 1, updated_at = now()
    WHERE c.store_id = $1 AND c.instance = ${anyDevice('$1')} AND c.nohp = $2 AND NOT EXISTS (SELECT FROM overtaken)
      AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.store_id = $1 AND o.instance = c.instance AND o.nohp = $3 OFFSET 0) RETURNING c.id, c.customer_id),
  tickets_of_chats AS (
    UPDATE tickets t SET nohp = $3, customer_id = c.customer_id FROM chats c WHERE t.store_id = $1 AND t.conversation_id = c.id AND t.nohp = $2)
  SELECT count(*) FROM told`;

/**
 * Who has another number than the hidden id was known by has said STOP under that as well; whoever has the old one now keeps it, too, as do
 * those who had the new one, if it was said by that before. Before the two are linked: once is enough, and a START said since stands. $1 store  $2 hidden id  $3 number  $4 when it was told
 */
const carryStatement = (contact: IngestJobs['contact']): string => `
  WITH ${OVERTAKEN},
  stopped AS MATERIALIZED (
    SELECT 1 FROM ${KNOWN} JOIN customers k ON k.store_id = a.store_id AND k.nohp = a.nohp
    WHERE d.store_id = $1 AND a.alias = $2 AND a.nohp <> $3 AND k.opt_out_by_customer AND NOT EXISTS (SELECT FROM overtaken) LIMIT 1),
  others AS (SELECT a.alias FROM ${KNOWN} WHERE d.store_id = $1 AND ${OTHER} AND NOT EXISTS (SELECT FROM overtaken)),
  ${remembered('others')},
  carried AS (
    INSERT INTO customers AS k (store_id, id, nohp, opt_out, opt_out_by_customer) SELECT $1, uuidv7(), $3, true, true FROM stopped
    ON CONFLICT (store_id, nohp) DO UPDATE SET opt_out = true, opt_out_by_customer = true WHERE NOT k.opt_out_by_customer RETURNING 1)
  SELECT ${contactJob(contact)} FROM carried`;

const isNumber = (nohp: string): boolean => !nohp.includes('@');

/**
 * Whether the hidden id has a chat, said STOP elsewhere, or was another number's, on any device of the store; without any of it the two are one
 * from now on, for what is on its way under the hidden id. And whether what is known was written later. $1 store $2 hidden id $3 number $4 when it was told
 */
const MEET = `
  WITH begun AS MATERIALIZED (
    SELECT 1 FROM customers WHERE store_id = $1 AND nohp = $2
    UNION ALL SELECT 1 FROM conversations c WHERE c.store_id = $1 AND c.instance = ${anyDevice('$1')} AND c.nohp = $2
    UNION ALL SELECT 1 FROM ${KNOWN} WHERE d.store_id = $1 AND a.alias = $2 AND a.nohp <> $3),
  ${link('EXISTS (SELECT FROM begun)')},
  ${remembered('left_behind')}
  SELECT EXISTS (SELECT FROM begun) AS begun, EXISTS (SELECT FROM overtaken) AS overtaken`;
/** A chat that was begun under the hidden id in the same moment is found by the next look. */
const MET = { limit: 50_000, ttlMs: 10 * 60_000 };

/** Of a message that came by the number. */
type Named = Pick<InboundMessage, 'store_id' | 'instance' | 'number' | 'at'>;

interface Met {
  readonly nohp: string;
  readonly on: readonly string[];
}

interface Look {
  readonly begun: boolean;
  readonly overtaken: boolean;
}

/** A customer's number and WhatsApp's hidden id of the same person are two names of one chat (design 3.2). */
export class AliasRepository {
  private readonly statement: string;
  private readonly carry: string;
  /** The number of a hidden id, and on which devices nothing is left to be done for now: who comes back to the one of before is looked at again. */
  private readonly met = new LruCache<string, Met>(MET);

  constructor(
    private readonly sql: Sql,
    { contact }: Pick<IngestJobs, 'contact'>,
  ) {
    this.statement = learnStatement(contact);
    this.carry = carryStatement(contact);
  }

  /** Who writes by the number now may have a chat that began under the hidden id: it goes on as theirs. One look for each pair, again after a while. */
  async meet({ store_id: storeId, instance, number: nohp, at }: Named, hidden: string): Promise<void> {
    if (!hidesNumber(hidden) || !isNumber(nohp)) return;
    const who = `${storeId} ${hidden}`;
    const met = this.met.get(who);
    const on = met?.nohp === nohp ? met.on : [];
    if (on.includes(instance)) return;
    const [look] = await this.sql.prepared<Look>('alias_meet', MEET, [storeId, hidden, nohp, at]);
    // An older message tells nothing of those to come
    if (look?.overtaken) return;
    if (!look?.begun || (await this.learn(storeId, [hidden, nohp], at)))
      this.met.set(who, { nohp, on: [...on, instance] });
  }

  /** Links both names of one message, which was written at `at`; false when they are not a number and a hidden id. */
  async learn(storeId: string, names: readonly [string, string], at: string): Promise<boolean> {
    const hidden = names.find(hidesNumber);
    const number = names.find(isNumber);
    if (!hidden || !number) return false;
    const values = [storeId, hidden, number, at];
    await this.sql.prepared('alias_carry', this.carry, values);
    // The number may get a chat of its own in this moment, which a second look finds
    return (await this.linked(values)) || this.linked(values);
  }

  private async linked(values: readonly string[]): Promise<boolean> {
    try {
      await this.sql.prepared('alias_learn', this.statement, values);
      return true;
    } catch (failure) {
      if (isUniqueViolation(failure)) return false;
      throw failure;
    }
  }
}
