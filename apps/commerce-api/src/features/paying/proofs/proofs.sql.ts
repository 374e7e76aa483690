import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import type { Media } from '../../media/uploads/public';
import type { Proof, ProofBody, ProofState } from './proofs.dto';

const MOST_PROOFS = 10;

export const proofRefusals = {
  tooMany: (): Failure => new Conflict(`An order has at most ${MOST_PROOFS} proofs`, { code: 'too_many_proofs' }),
} as const;

type Row = Omit<Proof, 'media' | 'amount' | 'created_at'> & {
  readonly media_id: string;
  readonly amount: string | null;
  readonly created_at: Date;
};
export type StoredProof = Omit<Proof, 'media'> & { readonly media_id: string };

const COLUMNS = 'p.id, p.order_id, p.media_id, p.amount, p.bank, p.status, p.reviewer, p.note, p.created_at';
const read = ({ amount, created_at, ...row }: Row): StoredProof => ({
  ...{ ...row, amount: amount === null ? null : bigintNumber.from(amount) },
  created_at: created_at.toISOString(),
});

/** The answer: the proof with its file. */
export const shownProof = ({ media_id: _id, ...proof }: StoredProof, media: Media): Proof => ({ ...proof, media });

const INSERT = `
  INSERT INTO transfer_proof AS p (store_id, id, order_id, media_id, amount, bank, status, created_at, updated_at)
  SELECT $1::varchar, $2, $3::uuid, $4, $5, $6, 'pending', $7, $7
  WHERE (SELECT count(*) FROM transfer_proof o WHERE o.store_id = $1 AND o.order_id = $3) < ${MOST_PROOFS}
  ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;

/** Of a locked order. Throws `too_many_proofs`, also for an id that is taken. */
export const addProof = async (
  tx: Sql,
  { storeId, at }: Writer,
  { id, orderId, mediaId, amount, bank }: ProofBody & Record<'id' | 'orderId' | 'mediaId', string>,
): Promise<StoredProof> => {
  const values = [storeId, id, orderId, mediaId, amount ?? null, bank ?? null, at];
  const [row] = await tx.query<Row>(INSERT, values);
  if (!row) throw proofRefusals.tooMany();
  return read(row);
};

const FIND = `SELECT ${COLUMNS} FROM transfer_proof p WHERE p.store_id = $1 AND p.order_id = $2 AND p.id = $3`;

/** Undefined where the order has no such proof. */
export const findProof = async (
  sql: Sql,
  storeId: string,
  orderId: string,
  id: string,
): Promise<StoredProof | undefined> => {
  const [row] = await sql.query<Row>(FIND, [storeId, orderId, id]);
  return row && read(row);
};

/** Of a locked order. Throws `NotFound`, also for the proof of another order. */
export const proofById = async (tx: Sql, storeId: string, orderId: string, id: string): Promise<StoredProof> => {
  const proof = await findProof(tx, storeId, orderId, id);
  if (proof) return proof;
  throw new NotFound('Payment proof not found');
};

const DECIDE = `UPDATE transfer_proof p SET status = $3, amount = $4, reviewer = $5, note = $6, updated_at = $7
  WHERE p.store_id = $1 AND p.id = $2 RETURNING ${COLUMNS}`;

export const decideProof = async (
  tx: Sql,
  { storeId, actor, at }: Writer,
  {
    id,
    status,
    amount,
    note,
  }: { readonly id: string; readonly status: ProofState } & Pick<StoredProof, 'amount' | 'note'>,
): Promise<StoredProof> => {
  const [row] = await tx.query<Row>(DECIDE, [storeId, id, status, amount, actor, note, at]);
  return read(row as Row);
};

const EVENT = `INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Tells the order's timeline. */
export const proofEvent = async (
  tx: Sql,
  { storeId, at, actor }: Writer,
  orderId: string,
  [type, text]: readonly [type: string, text: string],
): Promise<void> => {
  await tx.query(EVENT, [storeId, orderId, uuidv7(), at, type, text, actor]);
};
