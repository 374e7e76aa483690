import type { Sql } from '@platform/data';

type Kind = 'biolink' | 'tracker';
interface Address {
  readonly value: string;
  readonly storeId: string;
}

const CLAIM = `
  INSERT INTO global_key AS k (kind, value, store_id, ref_id) VALUES ($1::text, $2::text, $3::text, $4::text)
  ON CONFLICT (kind, value) DO UPDATE SET ref_id = EXCLUDED.ref_id, given_up_at = NULL WHERE k.store_id = EXCLUDED.store_id AND k.ref_id = ''
  RETURNING value`;
const GIVE_UP = `UPDATE global_key SET ref_id = '', given_up_at = $4 WHERE kind = $1 AND value = $2 AND store_id = $3`;
/** How many a store keeps of those that it has given up: names are everybody's, and nobody can have all. */
const KEPT: Readonly<Record<Kind, number>> = { biolink: 200, tracker: 5000 };
/** All but the newest, unless somebody is taking one up again. $1 kind, $2 store, $3 how many stay. */
const LET_GO = `
  DELETE FROM global_key WHERE kind = $1 AND value = ANY (ARRAY(
    SELECT value FROM global_key WHERE kind = $1 AND store_id = $2 AND ref_id = '' AND value = ANY (ARRAY(
      SELECT value FROM global_key WHERE kind = $1 AND store_id = $2 AND ref_id = ''
      ORDER BY given_up_at DESC NULLS LAST, value OFFSET $3)) FOR UPDATE SKIP LOCKED))`;

/** Whether the address is now that of the row: it was nobody's, or one that the same store had given up. Of many at once one has it. */
export const claim = async (
  tx: Sql,
  kind: Kind,
  { value, storeId, id }: Address & { readonly id: string },
): Promise<boolean> => (await tx.query(CLAIM, [kind, value, storeId, id])).length > 0;

/**
 * The address leads nowhere, and stays with the store: it is printed on things, and must not lead to another shop. Of many that the store has
 * given up the first are anybody's again.
 */
export const giveUp = async (
  tx: Sql,
  kind: Kind,
  { value, storeId, at }: Address & { readonly at: Date },
): Promise<void> => {
  await tx.query(GIVE_UP, [kind, value, storeId, at]);
  await tx.query(LET_GO, [kind, storeId, KEPT[kind]]);
};
