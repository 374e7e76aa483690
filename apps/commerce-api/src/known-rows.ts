import type { Sql } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { isUuid } from '@platform/runtime';
import { componentSchemas } from '@platform/validation';
import type { Caller } from './abilities';
import { refusals } from './refusals';

/** What a field names, and which rows can be meant. Members are not among them: what they did is found when they have left. */
const ROWS = {
  category_id: ['is not a category of this store', 'category r WHERE'],
  checkout_link_id: ['is not a checkout link of this store', 'checkout_link r WHERE'],
  contact_id: ['is not a contact of this store', 'contact r WHERE'],
  order_id: ['is not an order of this store', 'sales_order r WHERE'],
  product_id: ['is not a product of this store', 'product r WHERE'],
  tag_ids: ['is not a tag of this store', 'tag r WHERE r.deleted_at IS NULL AND'],
  variant_id: ['is not a variant of this store', 'variant r WHERE'],
  warehouse_id: ['is not a warehouse of this store', 'warehouse r WHERE'],
} as const;
type Row = keyof typeof ROWS;

/** Throws `NotFound` for the first of these that names no row of the store, be it a UUID or not; `nameOf` tells the field of the n-th. */
export const demandRows = async (
  sql: Sql,
  storeId: string,
  [row, ids]: readonly [Row, readonly string[]],
  nameOf: (at: number) => string,
): Promise<void> => {
  if (ids.length === 0) return;
  const [text, rows] = ROWS[row];
  const found = `SELECT r.id FROM ${rows} r.store_id = $1 AND r.id = ANY ($2::uuid[])`;
  const known = new Set(
    (await sql.prepared<{ id: string }>(`rows of ${row}`, found, [storeId, ids.filter(isUuid)])).map(({ id }) => id),
  );
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(nameOf(unknown), text);
};

const namedBy = ({ query }: Endpoint): Row[] => {
  if (!query) return [];
  const { properties } = componentSchemas([query])[query.name] as { readonly properties: object };
  return (Object.keys(ROWS) as Row[]).filter((field) => field in properties);
};

/** What is no id at all is for the route to refuse. */
const idsIn = (given = ''): string[] => given.split(',').flatMap((id) => (isUuid(id.trim()) ? [id.trim()] : []));

/**
 * The same endpoints, which answer 404 besides where a query names a row that their store has not, another store's included: an empty list
 * would say that there is such a row.
 */
export const knowingRows = (sql: Sql, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => {
    const fields = namedBy(endpoint);
    if (fields.length === 0) return endpoint;
    const handle: Endpoint['handle'] = async (input) => {
      const { storeId } = input.caller as Caller;
      const query = input.query as Readonly<Record<string, string | undefined>>;
      for (const field of fields) await demandRows(sql, storeId, [field, idsIn(query[field])], () => field);
      return endpoint.handle(input);
    };
    return { ...endpoint, refuses: [...(endpoint.refuses ?? []), 'notFound'], handle };
  });
