import { setImmediate as turn } from 'node:timers/promises';
import type { Sql } from '@platform/data';
import { namesPublicHost } from '@platform/http';
import { parse } from '@platform/validation';
import type { CsvRow, ImportMode, Read, RowFault } from '../../../imports/public';
import { newProductFaults, publishingFaults, type Product } from '../products/public';
import { MOST_VARIANTS, variantFaults } from '../variants/public';
import { ProductCells } from './product.cells';
import { fault, faultIn, type Fault, type RowOf } from './product.faults';
import { given, newProductOf, type ProductItem, type VariantItem } from './product.item';

/** The slug, else the name, else the SKU: rows of one product follow each other. */
export const groupOf = ({ cells: { slug, name, sku } }: CsvRow): string =>
  [slug, name, sku].map((text) => text?.trim()).find(Boolean) ?? '';

/** Rows that follow each other and are of one group. */
const groupsOf = (rows: readonly CsvRow[]): CsvRow[][] => {
  const groups: CsvRow[][] = [];
  rows.forEach((row, at) => {
    const before = rows[at - 1];
    if (before && groupOf(before) === groupOf(row)) groups.at(-1)?.push(row);
    else groups.push([row]);
  });
  return groups;
};

/** What rows name of the store. */
interface Names {
  readonly categories: ReadonlyMap<string, string>;
  readonly warehouses: ReadonlyMap<string, string>;
  readonly usual: string | undefined;
}

const namesOf = async (sql: Sql, storeId: string): Promise<Names> => {
  const categories = 'SELECT name, id FROM category WHERE store_id = $1 ORDER BY id DESC';
  const warehouses = `SELECT name, id, is_default FROM warehouse WHERE store_id = $1 AND status = 'active' ORDER BY id DESC`;
  type Named = { readonly name: string; readonly id: string; readonly is_default?: boolean };
  const byName = (rows: readonly Named[]) => new Map(rows.map(({ name, id }) => [name, id]));
  const places = await sql.query<Named>(warehouses, [storeId]);
  return {
    categories: byName(await sql.query<Named>(categories, [storeId])),
    warehouses: byName(places),
    usual: places.find(({ is_default }) => is_default)?.id,
  };
};

/** Which of these SKUs and slugs the store has. */
const TAKEN = `
  SELECT 'sku' AS kind, v.sku AS value FROM variant v WHERE v.store_id = $1 AND v.status = 'active' AND v.sku = ANY ($2)
  UNION ALL SELECT 'slug', p.slug FROM product p WHERE p.store_id = $1 AND p.slug = ANY ($3)`;

const textsOf = (rows: readonly CsvRow[], column: string): string[] =>
  rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((text) => text !== '' && !text.includes('\0'));

const optionsOf = (cells: ProductCells): [name: string | undefined, value: string | undefined][] => [
  [cells.option1_name, cells.option1_value],
  [cells.option2_name, cells.option2_value],
  [cells.option3_name, cells.option3_value],
];

/** After so many rows whoever else is served has a turn. */
const ROWS_AT_ONCE = 500;

/** Reads one file's rows into products; what it has seen before stays with it. */
export class ProductReader {
  private readonly groups = new Set<string>();
  private readonly skus = new Map<string, number>();
  private readonly rows = new WeakMap<VariantItem, number>();

  private constructor(
    private readonly sql: Sql,
    private readonly store: { readonly id: string; readonly mode: ImportMode; readonly names: Names },
  ) {}

  static async open(sql: Sql, id: string, mode: ImportMode): Promise<ProductReader> {
    return new ProductReader(sql, { id, mode, names: await namesOf(sql, id) });
  }

  async read(rows: readonly CsvRow[]): Promise<Read<ProductItem>> {
    const values = [this.store.id, textsOf(rows, 'sku'), textsOf(rows, 'slug')];
    const found = await this.sql.query<{ kind: string; value: string }>(TAKEN, values);
    const taken = new Set(found.map(({ kind, value }) => `${kind} ${value}`));
    const [items, errors]: [ProductItem[], RowFault[]] = [[], []];
    for (const group of groupsOf(rows)) {
      const item: ProductItem = { rows: [], product: {}, options: [], variants: [] };
      const again = this.groups.has(groupOf(group[0] as CsvRow));
      this.groups.add(groupOf(group[0] as CsvRow));
      for (const [at, row] of group.entries()) {
        // One product may have all rows of the file
        if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await turn();
        const faults = again
          ? [fault('name', 'apart', 'and slug must not be those of rows further up')]
          : this.row(item, row, taken);
        errors.push(...faults.map((each) => ({ row: row.row, ...each })));
      }
      const wrong = this.wrongAsWhole(item, taken);
      errors.push(...wrong.map((each) => ({ row: item.rows[0] ?? 0, ...each })));
      if (item.rows.length > 0 && wrong.length === 0) items.push(item);
    }
    return { items, errors };
  }

  /** Adds the row to the product, or tells why not. */
  private row(item: ProductItem, { row, cells }: CsvRow, taken: ReadonlySet<string>): readonly Fault[] {
    const { value, violations } = parse(ProductCells, cells, { from: 'form' });
    if (!value) return violations;
    const faults = [...this.missing(value, taken), ...this.strange(value), ...this.twice(item, value, row, taken)];
    if (faults.length === 0) this.join(item, value, row);
    return faults;
  }

  private missing({ name, price, sku }: ProductCells, taken: ReadonlySet<string>): Fault[] {
    const { mode } = this.store;
    if (mode === 'upsert' && sku === undefined) return [fault('sku', 'required', 'is a required field')];
    if (mode === 'upsert' && taken.has(`sku ${sku}`)) return [];
    return [
      ...(name === undefined ? [fault('name', 'required', 'is a required field')] : []),
      ...(price === undefined ? [fault('price', 'required', 'is a required field')] : []),
    ];
  }

  private strange(cells: ProductCells): Fault[] {
    const { category, warehouse, stock, price, compare_at, image_url } = cells;
    const { categories, warehouses, usual } = this.store.names;
    const pairs = optionsOf(cells).findIndex(([name, value]) => (name === undefined) !== (value === undefined));
    const names = optionsOf(cells).map(([name]) => name);
    const again = names.findIndex((name, at) => name !== undefined && names.indexOf(name) !== at);
    return [
      ...(category !== undefined && !categories.has(category)
        ? [fault('category', 'exists', 'is not a category of this store')]
        : []),
      ...(warehouse !== undefined && !warehouses.has(warehouse)
        ? [fault('warehouse', 'exists', 'is not an open warehouse of this store')]
        : []),
      ...(stock !== undefined && warehouse === undefined && !usual
        ? [fault('warehouse', 'required', 'is a required field')]
        : []),
      ...(compare_at !== undefined && price !== undefined && compare_at <= price
        ? [fault('compare_at', 'gtfield', 'must be greater than price')]
        : []),
      ...(image_url !== undefined && !namesPublicHost(image_url)
        ? [fault('image_url', 'reachable', 'must be of a host that everybody can reach')]
        : []),
      ...(pairs < 0 ? [] : [fault(`option${pairs + 1}_value`, 'paired', 'must be given together with its name')]),
      ...(again < 0 ? [] : [fault(`option${again + 1}_name`, 'optionTwice', 'is that of another option')]),
    ];
  }

  /** One SKU is one variant: it may come again for another warehouse, in the rows of its product. */
  private twice(item: ProductItem, cells: ProductCells, row: number, taken: ReadonlySet<string>): Fault[] {
    const { sku } = cells;
    const names = optionsOf(cells).flatMap(([name]) => name ?? []);
    const known = item.options.map(({ name }) => name);
    if (item.rows.length > 0 && names.length > 0 && names.join('\n') !== known.join('\n'))
      return [fault('option1_name', 'options', `and the other options must be those of row ${item.rows[0]}`)];
    if (sku === undefined) return [];
    if (this.store.mode === 'create' && taken.has(`sku ${sku}`)) return [fault('sku', 'unique', 'is taken')];
    const first = this.skus.get(sku);
    const variant = item.variants.find((each) => each.sku === sku);
    const place = this.placeOf(cells);
    if (
      first !== undefined &&
      (!variant || cells.stock === undefined || variant.stock.some(({ warehouse_id }) => warehouse_id === place))
    )
      return [fault('sku', 'twice', `is that of row ${first}`, first)];
    if (first === undefined) this.skus.set(sku, row);
    return [];
  }

  private placeOf({ warehouse }: ProductCells): string | undefined {
    const { warehouses, usual } = this.store.names;
    return warehouse === undefined ? usual : warehouses.get(warehouse);
  }

  private join(item: ProductItem, cells: ProductCells, row: number): void {
    const { sku, barcode, price, compare_at, cost, weight_g, stock } = cells;
    if (item.rows.length === 0) this.open(item, cells);
    item.rows.push(row);
    // Refused as a whole: what else its rows say need not be kept
    if (item.variants.length > MOST_VARIANTS) return;
    const place = this.placeOf(cells);
    const levels = stock !== undefined && place !== undefined ? [{ warehouse_id: place, on_hand: stock }] : [];
    const pairs = optionsOf(cells).flatMap(([name, value]) => (name && value ? [[name, value] as const] : []));
    for (const [at, [name, value]] of pairs.entries()) {
      const option = (item.options[at] ??= { name, values: [] });
      if (!option.values.includes(value)) option.values.push(value);
    }
    const known = sku === undefined ? undefined : item.variants.find((each) => each.sku === sku);
    if (known) return void known.stock.push(...levels);
    const variant = {
      ...given({ sku, barcode, price, compare_at, cost, weight_g }),
      ...{ option_values: Object.fromEntries(pairs), stock: levels },
    };
    item.variants.push(variant);
    this.rows.set(variant, row);
  }

  /** What all variants share is told by the first row. */
  private open(item: ProductItem, cells: ProductCells): void {
    const { name, slug, kind, description, weight_g, status, category, image_url } = cells;
    const category_id = category === undefined ? undefined : this.store.names.categories.get(category);
    Object.assign(item.product, given({ name, slug, kind, description, weight_g, status, category_id }));
    item.image_url = image_url;
  }

  /** What is wrong with a product that would be new. */
  private wrongAsWhole(item: ProductItem, taken: ReadonlySet<string>): Fault[] {
    const { product, options, variants, rows } = item;
    const rowOf: RowOf = (variant) => variant && this.rows.get(variant);
    if (rows.length === 0) return [];
    if (variants.length > MOST_VARIANTS)
      return [fault('sku', 'variants', `must be one of at most ${MOST_VARIANTS} variants`, MOST_VARIANTS)];
    if (variants.some(({ sku }) => taken.has(`sku ${sku}`)))
      return variants
        .flatMap(({ option_values }, at) => variantFaults(`variants[${at}].`, options, { option_values }))
        .slice(0, 1)
        .map((each) => faultIn(variants, rowOf, each));
    if (product.slug !== undefined && taken.has(`slug ${product.slug}`)) return [fault('slug', 'unique', 'is taken')];
    const whole = newProductOf(item);
    const { kind = 'physical', weight_g = 0 } = product;
    const publishing = { kind, weight_g, variants: variants as unknown as Product['variants'] };
    const wrong = [...newProductFaults(whole), ...(product.status === 'active' ? publishingFaults(publishing) : [])];
    return wrong.map((each) => faultIn(variants, rowOf, each));
  }
}
