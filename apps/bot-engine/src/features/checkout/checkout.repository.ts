import { bigintNumber, type Database, type Sql } from '@platform/data';
import type { CheckoutOrder, CheckoutRequest, CheckoutTotals, OrderState } from '../../clients/commerce.client';

export type CheckoutState = 'quoted' | 'superseded' | 'creating' | OrderState;
/** What commerce is asked for, the same at every try. */
export type CheckoutArgs = Omit<CheckoutRequest, 'idempotencyKey'>;

export interface NewQuote {
  readonly id: string;
  readonly conversationId: string;
  readonly runId: string;
  readonly confirmToken: string;
  readonly cartHash: string;
  readonly args: CheckoutArgs;
  readonly totals: CheckoutTotals;
}

export interface Checkout {
  readonly id: string;
  readonly conversationId: string;
  readonly confirmToken: string;
  readonly cartHash: string;
  readonly args: CheckoutArgs;
  readonly total: number;
  readonly state: CheckoutState;
  /** Of the turn in which it was quoted: it has ended, and its answer is stored. */
  readonly isCommitted: boolean;
  /** Of the leader of that turn: the rounds of one request share it, and reach the customer together. */
  readonly leadToken: string | null;
  readonly runId: string;
  readonly ageMs: number;
  readonly idempotencyKey: string | null;
  readonly orderNumber: string | null;
}

const INSERT = `
  INSERT INTO bot_checkouts (store_id, id, conv_id, run_id, confirm_token, cart_hash, args, quote, total, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`;

const COLUMNS = `c.id, c.conv_id AS "conversationId", c.run_id AS "runId", c.confirm_token AS "confirmToken",
  c.cart_hash AS "cartHash", c.args, c.total, c.state, c.idempotency_key AS "idempotencyKey", c.order_number AS "orderNumber",
  c.created_at`;

/** A run that was abandoned, or has not ended, has told nobody of its quote. */
const select = (condition: string): string =>
  `SELECT ${COLUMNS}, r.id IS NOT NULL AS "isCommitted", r.lead_token AS "leadToken" FROM bot_checkouts c
   LEFT JOIN bot_runs r ON r.store_id = c.store_id AND r.id = c.run_id AND r.conv_id = c.conv_id
     AND r.status IN ('done', 'fallback', 'handover')
   WHERE c.store_id = $1 AND ${condition}`;

/** For tests of their plans, too. */
export const BY_TOKEN = select('c.conv_id = $2 AND c.confirm_token = $3');
export const BY_ID = select('c.id = $2');
export const OF_CONVERSATION = 'SELECT 1 FROM bot_checkouts WHERE store_id = $1 AND order_number = $3 AND conv_id = $2';

/** Only one of several tries finds it quoted; what else was quoted in the conversation can be confirmed no more. */
const CREATING = `
  UPDATE bot_checkouts c SET state = CASE WHEN c.id = $2 THEN 'creating' ELSE 'superseded' END, updated_at = $4,
    idempotency_key = CASE WHEN c.id = $2 THEN $3 ELSE c.idempotency_key END
  FROM bot_checkouts mine
  WHERE mine.store_id = $1 AND mine.id = $2 AND mine.state = 'quoted'
    AND c.store_id = $1 AND c.conv_id = mine.conv_id AND c.state = 'quoted'
  RETURNING c.id`;

const SUPERSEDE = `UPDATE bot_checkouts SET state = 'superseded', updated_at = $3
  WHERE store_id = $1 AND id = $2 AND state = ANY ($4) RETURNING id`;

const ORDERED = `UPDATE bot_checkouts SET state = $3, order_number = $4, total = $5, updated_at = $6
  WHERE store_id = $1 AND id = $2 AND state = 'creating' RETURNING id`;

interface Row extends Omit<Checkout, 'total' | 'ageMs'> {
  readonly total: string;
  readonly created_at: Date;
}

/** Quotes and orders of conversations. */
export class CheckoutRepository {
  constructor(private readonly sql: Database) {}

  async quote(storeId: string, quote: NewQuote, at: Date): Promise<void> {
    const { id, conversationId, runId, confirmToken, cartHash, args, totals } = quote;
    const json = [JSON.stringify(args), JSON.stringify(totals)];
    await this.sql.prepared('checkout quote', INSERT, [
      ...[storeId, id, conversationId, runId, confirmToken, cartHash, ...json, totals.total, at],
    ]);
  }

  /** Of this conversation alone. */
  async byToken(storeId: string, conversationId: string, token: string, at: Date): Promise<Checkout | undefined> {
    return this.read('by token', BY_TOKEN, [storeId, conversationId, token], at);
  }

  async byId(storeId: string, id: string, at: Date): Promise<Checkout | undefined> {
    return this.read('by id', BY_ID, [storeId, id], at);
  }

  async hasOrder(storeId: string, conversationId: string, orderNumber: string): Promise<boolean> {
    return (
      (await this.sql.prepared('checkout of conversation', OF_CONVERSATION, [storeId, conversationId, orderNumber]))
        .length > 0
    );
  }

  /** False when somebody has begun to order it, or it can be ordered no more. */
  async begin(tx: Sql, storeId: string, { id, key, at }: { id: string; key: string; at: Date }): Promise<boolean> {
    return (await tx.prepared('checkout creating', CREATING, [storeId, id, key, at])).length > 0;
  }

  /** It can be ordered no more. False when it was not in one of these states. */
  async supersede(
    storeId: string,
    id: string,
    from: readonly CheckoutState[],
    at: Date,
    sql: Sql = this.sql,
  ): Promise<boolean> {
    return (await sql.prepared('checkout supersede', SUPERSEDE, [storeId, id, at, from])).length > 0;
  }

  /** The first who knows of the order; false for all others. */
  async ordered(storeId: string, id: string, order: CheckoutOrder, at: Date, sql: Sql = this.sql): Promise<boolean> {
    const { status, orderNumber, total } = order;
    return (await sql.prepared('checkout ordered', ORDERED, [storeId, id, status, orderNumber, total, at])).length > 0;
  }

  private async read(
    by: 'by token' | 'by id',
    statement: string,
    values: readonly string[],
    at: Date,
  ): Promise<Checkout | undefined> {
    const [row] = await this.sql.prepared<Row>(`checkout ${by}`, statement, values);
    if (!row) return undefined;
    const { created_at, total, ...checkout } = row;
    return { ...checkout, total: bigintNumber.from(total), ageMs: at.getTime() - created_at.getTime() };
  }
}
