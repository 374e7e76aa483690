import { sortsOf } from '@platform/data';
import { PageMeta } from '@platform/http';
import { Choice, Flag, Int, ListOfOne, Nested, Text } from '@platform/validation';
import { PageQuery } from '../../../paging';

export const productStatuses = ['draft', 'active', 'archived'] as const;
export const productKinds = ['physical', 'digital', 'service'] as const;
const sorts = sortsOf(['name', 'price', 'available', 'created_at', 'updated_at']);
export const SKU_LIMIT = 20;
const MONEY = 1_000_000_000_000;

export class ProductsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
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
  @Text({ optional: true, format: 'uuid', description: 'Kept there; stock counts only this warehouse' })
  warehouse_id?: string;
  @Flag({ optional: true }) low_stock?: boolean;
  @Int({ optional: true, min: 0, max: MONEY }) price_min?: number;
  @Int({ optional: true, min: 0, max: MONEY }) price_max?: number;
  @Text({ optional: true, max: 2000, description: `At most ${SKU_LIMIT}, separated by commas` }) skus?: string;
  @Choice(['product', 'variants'], { optional: true, description: '`variants` for service tokens unless given' })
  view?: 'product' | 'variants';
}

/** One sellable variant, as the bot's index and live look-ups read it. */
export class VariantRow {
  @Text() sku!: string;
  @Text({ format: 'uuid' }) product_id!: string;
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) category!: string | null;
  @Text({ keepEmpty: true }) description!: string;
  @Int() price!: number;
  @Int({ nullable: true, description: 'null: as much as is asked for' }) stock!: number | null;
  @Text({ nullable: true }) image!: string | null;
  @Text({ nullable: true, description: 'Page of the shop' }) url!: string | null;
  @Choice(productStatuses) status!: (typeof productStatuses)[number];
  @Text({ format: 'instant' }) updated_at!: string;
}

export class CategoryName {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
}

/** Product as a list shows it: without its nested arrays. */
export class ProductRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text() slug!: string;
  @Choice(productKinds) kind!: (typeof productKinds)[number];
  @Choice(productStatuses) status!: (typeof productStatuses)[number];
  @Nested(() => CategoryName, { nullable: true }) category!: CategoryName | null;
  @Text({ keepEmpty: true }) description!: string;
  @Text({ nullable: true, description: 'The first of its pictures' }) image!: string | null;
  @Int({ nullable: true }) price_min!: number | null;
  @Int({ nullable: true }) price_max!: number | null;
  @Int() available!: number;
  @Flag({ description: 'Of what is not counted there may be as much as is asked for' }) counted!: boolean;
  @Int() weight_g!: number;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant' }) updated_at!: string;
}

export class ProductsMeta extends PageMeta {
  @Flag({ optional: true, description: 'Nothing has all words of `q`: these are the nearest, for people only' })
  fuzzy?: boolean;
}

export class ProductsAnswer {
  @ListOfOne(() => [VariantRow, ProductRow]) data!: VariantRow[] | ProductRow[];
  @Nested(() => ProductsMeta) meta!: ProductsMeta;
}
