import type { Sql } from '@platform/data';
import { Conflict, TooMany, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { jobShown, type Job } from '../../../imports/public';
import type { SendChannel } from './sending.dto';

const KIND = 'invoice.send';
/** Messages with the papers of one order in a day: more than that is a mistake, or a nuisance for whoever gets them. */
const MOST_A_DAY = 5;
const DAY_SECONDS = 86_400;

export const sendingRefusals = {
  noAddress: (): Failure => new Conflict('The buyer has no e-mail address', { code: 'no_email' }),
  tooOften: (retryAfterSeconds: number): Failure =>
    new TooMany(`The invoice of an order is sent ${MOST_A_DAY} times a day at most`, { retryAfterSeconds }),
  noWhatsapp: (): Failure => new Conflict('No WhatsApp is connected to this service', { code: 'no_whatsapp' }),
} as const;

/** An invoice to be sent. */
export interface Sending {
  readonly orderId: string;
  readonly channel: SendChannel;
}

const INSERT = `INSERT INTO job_row (store_id, id, kind, state, args, total, created_at, updated_at)
  VALUES ($1, $2, '${KIND}', 'queued', $3, 1, $4, $4) RETURNING id, kind, state, done, total, errors, result, created_at`;

/** Of two who send the same invoice at once one comes after the other. */
const TURN = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
const SENT = `SELECT count(*)::int AS sent, min(created_at) AS first FROM job_row
  WHERE store_id = $1 AND kind = '${KIND}' AND args ->> 'orderId' = $2 AND created_at > $3`;

const refuseTooOften = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.query(TURN, [`invoice ${storeId} ${orderId}`]);
  const aDayAgo = new Date(at.getTime() - DAY_SECONDS * 1000);
  const [row] = await tx.query<{ sent: number; first: Date | null }>(SENT, [storeId, orderId, aDayAgo]);
  if (!row?.first || row.sent < MOST_A_DAY) return;
  throw sendingRefusals.tooOften(Math.ceil((row.first.getTime() - aDayAgo.getTime()) / 1000));
};

/** Throws `TooMany` for an order whose invoice was sent often enough today. */
export const addSending = async (tx: Sql, by: By, sending: Sending): Promise<Job> => {
  const { storeId, at } = by;
  await refuseTooOften(tx, by, sending.orderId);
  const [row] = await tx.query<Parameters<typeof jobShown>[0]>(INSERT, [
    storeId,
    uuidv7(),
    JSON.stringify(sending),
    at,
  ]);
  return jobShown(row as Parameters<typeof jobShown>[0]);
};

const OPEN = `SELECT args FROM job_row WHERE store_id = $1 AND id = $2 AND kind = '${KIND}' AND state = 'queued'`;

/** Undefined once it was sent or given up. */
export const openSending = async (sql: Sql, storeId: string, id: string): Promise<Sending | undefined> => {
  const [row] = await sql.query<{ args: Sending }>(OPEN, [storeId, id]);
  return row?.args;
};

const CLOSE = `UPDATE job_row SET state = $3, done = $4, errors = $5, updated_at = $6
  WHERE store_id = $1 AND id = $2 AND state = 'queued'`;

/** With a reason: it was given up. */
export const closeSending = async (
  sql: Sql,
  { storeId, at }: Pick<By, 'storeId' | 'at'>,
  id: string,
  reason?: string,
): Promise<void> => {
  const errors = reason === undefined ? [] : [{ row: 1, field: 'channel', message: reason }];
  const state = reason === undefined ? 'done' : 'failed';
  await sql.query(CLOSE, [storeId, id, state, reason === undefined ? 1 : 0, JSON.stringify(errors), at]);
};
