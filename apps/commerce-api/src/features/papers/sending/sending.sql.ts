import type { Sql } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { jobShown, type Job } from '../../../imports/public';
import type { SendChannel } from './sending.dto';

const KIND = 'invoice.send';

export const sendingRefusals = {
  noAddress: (): Failure => new Conflict('The buyer has no e-mail address', { code: 'no_email' }),
  noWhatsapp: (): Failure => new Conflict('No WhatsApp is connected to this service', { code: 'no_whatsapp' }),
} as const;

/** An invoice to be sent. */
export interface Sending {
  readonly orderId: string;
  readonly channel: SendChannel;
}

/** What has ended is remembered for a month. */
const FORGET = `DELETE FROM job_row WHERE store_id = $1 AND kind = '${KIND}' AND state IN ('done', 'failed')
  AND created_at < $2::timestamptz - interval '30 days'`;
const INSERT = `INSERT INTO job_row (store_id, id, kind, state, args, total, created_at, updated_at)
  VALUES ($1, $2, '${KIND}', 'queued', $3, 1, $4, $4) RETURNING id, kind, state, done, total, errors, result, created_at`;

export const addSending = async (tx: Sql, { storeId, at }: By, sending: Sending): Promise<Job> => {
  await tx.query(FORGET, [storeId, at]);
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
