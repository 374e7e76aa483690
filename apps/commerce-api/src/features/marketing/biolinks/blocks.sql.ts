import type { Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import { biolinkById, lockedBiolink } from './biolinks.sql';
import { checkedData } from './block.rules';
import { MOST_BLOCKS, type BiolinkBlock, type BlockBody, type BlockOrder } from './blocks.dto';

export const blockRefusals = {
  tooMany: (): Failure => new Conflict(`A page has at most ${MOST_BLOCKS} blocks`, { code: 'too_many_blocks' }),
} as const;

/** One block of one page, as paths name it. */
export interface BlockId {
  readonly id: string;
  readonly linkId: string;
}

const AUDIT = { action: 'marketing.write', type: 'biolink_block' };
const INSERT = `
  INSERT INTO biolink_block (store_id, id, biolink_id, kind, data, active, position, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, $3::uuid, $4, $5::jsonb, $6::boolean, coalesce(max(o.position) + 1, 0), $7::timestamptz, $7::timestamptz
  FROM biolink_block o WHERE o.store_id = $1 AND o.biolink_id = $3 HAVING count(*) < ${MOST_BLOCKS} RETURNING position`;

/** Below all others. Throws `too_many_blocks`, `InvalidInput`, `NotFound` for the page and for what the block shows. */
export const addBlock = async (tx: Sql, by: Writer, pageId: string, body: BlockBody): Promise<BiolinkBlock> => {
  await lockedBiolink(tx, by.storeId, pageId);
  const { kind, active = true } = body;
  const [id, data] = [uuidv7(), await checkedData(tx, by.storeId, body)];
  const values = [by.storeId, id, pageId, kind, JSON.stringify(data), active, by.at];
  const [row] = await tx.query<Pick<BiolinkBlock, 'position'>>(INSERT, values);
  if (!row) throw blockRefusals.tooMany();
  const block = { id, kind, data, position: row.position, active };
  await audited(tx, by, { ...AUDIT, id, after: block });
  return block;
};

const FIND = `SELECT k.id, k.kind, k.data, k.position, k.active FROM biolink_block k
  WHERE k.store_id = $1 AND k.biolink_id = $2 AND k.id = $3`;

/** What the form of a block shows. */
export const editableOf = ({ kind, data, active }: BiolinkBlock): object => ({ kind, data, active });

const lockedBlock = async (tx: Sql, storeId: string, { id, linkId }: BlockId): Promise<BiolinkBlock> => {
  await lockedBiolink(tx, storeId, id);
  const [row] = await tx.query<BiolinkBlock>(FIND, [storeId, id, linkId]);
  if (row) return row;
  throw new NotFound('Block not found');
};

const UPDATE = `UPDATE biolink_block SET kind = $3, data = $4, active = $5, updated_at = $6
  WHERE store_id = $1 AND id = $2`;

/**
 * What was counted of it stays, and so does whether it is shown unless that is given. Throws as `addBlock` does, and `version_conflict` when it is
 * not what a form has `seen` any more.
 */
export const changeBlock = async (
  tx: Sql,
  by: Writer,
  { seen, ...at }: BlockId & { readonly seen?: string },
  body: BlockBody,
): Promise<BiolinkBlock> => {
  const before = await lockedBlock(tx, by.storeId, at);
  demandSeen(seen, editableOf(before));
  const { kind, active = before.active } = body;
  const after = { ...before, kind, active, data: await checkedData(tx, by.storeId, body) };
  await tx.query(UPDATE, [by.storeId, before.id, kind, JSON.stringify(after.data), active, by.at]);
  await audited(tx, by, { ...AUDIT, id: before.id, before, after });
  return after;
};

/** Its clicks stay in the statistics of the page. Throws `NotFound`. */
export const removeBlock = async (tx: Sql, by: Writer, at: BlockId): Promise<void> => {
  const before = await lockedBlock(tx, by.storeId, at);
  await tx.query('DELETE FROM biolink_block WHERE store_id = $1 AND id = $2', [by.storeId, before.id]);
  await audited(tx, by, { ...AUDIT, id: before.id, before });
};

const PLACE = `
  UPDATE biolink_block k SET position = i.place - 1, updated_at = $3 FROM unnest($2::uuid[]) WITH ORDINALITY AS i (id, place)
  WHERE k.store_id = $1 AND k.id = i.id AND k.position <> i.place - 1`;

/** Resolves to all of them. Throws `NotFound` for the page, and for the first that is not on it. */
export const orderBlocks = async (tx: Sql, by: Writer, id: string, { ids }: BlockOrder): Promise<BiolinkBlock[]> => {
  await lockedBiolink(tx, by.storeId, id);
  const before = (await biolinkById(tx, by.storeId, id)).blocks.map((block) => block.id);
  const named = [...new Set(ids.map((one) => one.toLowerCase()))];
  const unknown = ids.findIndex((one) => !before.includes(one.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`ids[${unknown}]`, 'is not a block of this page');
  const after = [...named, ...before.filter((one) => !named.includes(one))];
  await tx.query(PLACE, [by.storeId, after, by.at]);
  await audited(tx, by, { ...AUDIT, id: 'order', before: { order: before }, after: { order: after } });
  return (await biolinkById(tx, by.storeId, id)).blocks;
};

/** One place up or down; the first and the last stay. Throws `NotFound`. */
export const moveBlock = async (tx: Sql, by: Writer, { id, linkId }: BlockId, step: -1 | 1): Promise<void> => {
  await lockedBiolink(tx, by.storeId, id);
  const ids = (await biolinkById(tx, by.storeId, id)).blocks.map((block) => block.id);
  const at = ids.indexOf(linkId.toLowerCase());
  const other = ids[at + step];
  if (at < 0) throw new NotFound('Block not found');
  if (other === undefined) return;
  await orderBlocks(tx, by, id, { ids: ids.with(at, other).with(at + step, linkId) });
};
