import type { Sql } from '@platform/data';

/** Of each kind; a shop with more names them by their latest. */
const MOST = 200;

const CHOICES = `
  (SELECT 'product' AS kind, p.id, p.name FROM product p WHERE p.store_id = $1 AND p.status = 'active' ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST})
  UNION ALL
  (SELECT 'checkout', c.id, c.name FROM checkout_link c WHERE c.store_id = $1 AND c.status = 'active' ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST})`;

type Choice = readonly [id: string, name: string];

/** What a block of a page can sell. */
export interface BlockChoices {
  readonly product: readonly Choice[];
  readonly checkout: readonly Choice[];
}

/** The newest goods of a store, and its newest links that sell. */
export const blockChoices = async (sql: Sql, storeId: string): Promise<BlockChoices> => {
  type Row = { readonly kind: keyof BlockChoices; readonly id: string; readonly name: string };
  const rows = await sql.prepared<Row>('biolink choices', CHOICES, [storeId]);
  const of = (kind: keyof BlockChoices): Choice[] =>
    rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name] as const);
  return { product: of('product'), checkout: of('checkout') };
};
