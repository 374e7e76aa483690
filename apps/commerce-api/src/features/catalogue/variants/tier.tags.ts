import type { Sql } from '@platform/data';
import { refuse, violation } from './variant.rules';
import type { VariantInput } from './variants.dto';

const KNOWN = 'SELECT id FROM tag WHERE store_id = $1 AND id = ANY ($2::uuid[])';

/** Throws `InvalidInput` for a tier that names no tag of the store; `at` stands before the fields' names of the n-th variant. */
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
  refuse(
    named
      .filter(({ tag_id }) => !known.has(tag_id.toLowerCase()))
      .map(({ field }) => violation(field, 'exists', 'is not a tag of this store')),
  );
};
