import { listingOf } from '@platform/data';
import { csv, type Cell } from '@platform/http';
import { Choice, Text } from '@platform/validation';
import { soughtIn } from '../../../search-text';
import { productKinds, productStatuses } from '../products/public';
import type { ProductOption } from '../variants/public';

export class ExportQuery {
  @Text({
    optional: true,
    max: 200,
    trim: true,
    description: 'Every word must occur in name, category, SKU or barcode',
  })
  q?: string;
  @Choice(productStatuses, { optional: true }) status?: (typeof productStatuses)[number];
  @Choice(productKinds, { optional: true }) kind?: (typeof productKinds)[number];
  @Text({ optional: true, format: 'uuid' }) category_id?: string;
}

/** One variant in one warehouse; without a warehouse where it never had stock. */
export interface ExportedRow {
  readonly name: string;
  readonly slug: string;
  readonly kind: string;
  readonly category: string | null;
  readonly description: string;
  readonly options: readonly ProductOption[];
  readonly option_values: Readonly<Record<string, string>>;
  readonly sku: string;
  readonly barcode: string | null;
  readonly price: string;
  readonly compare_at: string | null;
  readonly cost: string | null;
  readonly weight_g: number;
  readonly warehouse: string | null;
  readonly stock: number | null;
  readonly image_url: string | null;
  readonly status: string;
}

/** Active variants, those of one product together, as an import wants them. */
export const exportListing = listingOf(ExportQuery, {
  from: `variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
    LEFT JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id
    LEFT JOIN warehouse w ON w.store_id = s.store_id AND w.id = s.warehouse_id`,
  tenant: 'v.store_id',
  only: `v.status = 'active'`,
  select: `p.name, p.slug, p.kind, p.description, p.options, v.option_values, v.sku, v.barcode, v.price, v.compare_at, v.cost,
    coalesce(v.weight_g, p.weight_g) AS weight_g, w.name AS warehouse, s.on_hand AS stock, p.status,
    (SELECT c.name FROM category c WHERE c.store_id = $1 AND c.id = p.category_id) AS category,
    (SELECT i.url FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id ORDER BY i.position LIMIT 1) AS image_url`,
  sort: { slug: 'p.slug' },
  usualSort: 'slug',
  tie: 'v.id',
  ...soughtIn('p.search_text'),
  where: { status: 'p.status = ?', kind: 'p.kind = ?', category_id: 'p.category_id = ?' },
  read: (row: ExportedRow) => row,
});

const optionName =
  (index: number) =>
  ({ options }: ExportedRow): Cell =>
    options[index]?.name;
const optionValue =
  (index: number) =>
  ({ options, option_values }: ExportedRow): Cell =>
    option_values[options[index]?.name ?? ''];
/** Digits of a bigint: a number, which no spreadsheet runs. */
const amount =
  (member: 'price' | 'compare_at' | 'cost') =>
  (row: ExportedRow): Cell =>
    row[member] === null ? null : BigInt(row[member]);

/** The columns that an import reads. */
export const CATALOGUE_FILE = csv<ExportedRow>(
  [
    ['name', 'name'],
    ['slug', 'slug'],
    ['kind', 'kind'],
    ['category', 'category'],
    ['description', 'description'],
    ['option1_name', optionName(0)],
    ['option1_value', optionValue(0)],
    ['option2_name', optionName(1)],
    ['option2_value', optionValue(1)],
    ['option3_name', optionName(2)],
    ['option3_value', optionValue(2)],
    ['sku', 'sku'],
    ['barcode', 'barcode'],
    ['price', amount('price')],
    ['compare_at', amount('compare_at')],
    ['cost', amount('cost')],
    ['weight_g', 'weight_g'],
    ['warehouse', 'warehouse'],
    ['stock', 'stock'],
    ['image_url', 'image_url'],
    ['status', 'status'],
  ],
  { filename: 'products.csv' },
);

/** The rows as somebody sees them who may not see what goods cost. */
export const withoutCosts = async function* (rows: AsyncIterable<ExportedRow>): AsyncGenerator<ExportedRow, void> {
  for await (const row of rows) yield { ...row, cost: null };
};
