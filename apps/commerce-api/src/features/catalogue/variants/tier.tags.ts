import type { Sql } from '@platform/data';
import type { VariantInput } from './variants.dto';
import { refusals } from '../../../refusals';

const KNOWN = 'SELECT id FROM tag WHERE store_id = $1 AND id = ANY ($2::uuid[])';

/** Throws `NotFound` for a tier that names no tag of the store; `at` stands before the fields' names of the n-th variant. */
export const refuseForeignTags = async (
  tx: Sql,
  storeId: string,
  variants: readonly Pick<VariantInput, 'tiers'>[],
  at: (n: number) => string = () => '',
): Promise<void> => {
  const named = variants.flatMap(({ tiers = [] }, n) =>
    tiers.flatMap(({ tag_id }, tier) =>
      tag_id === undefined ? [] : [{ tag_id, field: `${at(n)}tiers[${tier}].tag_id` }],
    ),
  );
  if (named.length === 0) return;
  const rows = await tx.query<{ id: string }>(KNOWN, [storeId, named.map(({ tag_id }) => tag_id)]);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = named.find(({ tag_id }) => !known.has(tag_id.toLowerCase()));
  if (unknown) throw refusals.notHere(unknown.field, 'is not a tag of this store');
};
