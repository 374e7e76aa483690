import { Choice, Flag, Int, Json, List, Money, Nested, Slug, Text, Texts, clearing } from '@platform/validation';
import { MONEY, MOST_VARIANTS, ProductOption, Variant, VariantInput } from '../variants/public';
import { productKinds, ProductRow, productStatuses } from './products.dto';

const WEIGHT = 1_000_000;

export class Seo {
  @Text({ optional: true, max: 150, trim: true }) title?: string;
  @Text({ optional: true, max: 300, trim: true }) description?: string;
}

class ProductFields {
  @Slug({ optional: true, description: 'Made from the name unless given' }) slug?: string;
  @Choice(productKinds, { optional: true }) kind?: (typeof productKinds)[number];
  @Text({ optional: true, format: 'uuid' }) category_id?: string;
  @Text({ optional: true, max: 20_000, description: 'Markdown; HTML is removed' }) description?: string;
  @List(() => ProductOption, { optional: true, max: 3 }) options?: ProductOption[];
  @Int({ optional: true, min: 0, max: WEIGHT }) weight_g?: number;
  @Flag({ optional: true, description: 'true unless given' }) taxable?: boolean;
  @Nested(() => Seo, { optional: true }) seo?: Seo;
  @Choice(productStatuses, { optional: true }) status?: (typeof productStatuses)[number];
}

export class NewProduct extends ProductFields {
  @Text({ max: 150, trim: true }) name!: string;
  @Money({ optional: true, description: 'Of the only variant; instead of `variants`' }) price?: number;
  @List(() => VariantInput, { optional: true, min: 1, max: MOST_VARIANTS }) variants?: VariantInput[];
}

export class ProductChange extends clearing(ProductFields, {
  ...{ category_id: null, description: '', options: [], weight_g: 0, seo: null },
}) {
  @Text({ optional: true, max: 150, trim: true }) name?: string;
}

export class ProductStatusChange {
  @Choice(productStatuses) status!: (typeof productStatuses)[number];
}

export class ProductImage {
  @Text({ format: 'uuid' }) id!: string;
  @Text() url!: string;
  @Int() position!: number;
}

/** Product with everything in it. */
export class Product extends ProductRow {
  @List(() => ProductOption) options!: ProductOption[];
  @Flag() taxable!: boolean;
  @List(() => ProductImage) images!: ProductImage[];
  @Json({ nullable: true }) seo!: object | null;
  @List(() => Variant) variants!: Variant[];
}

export class PriceChange {
  @Choice(['set', 'add', 'percent']) op!: 'set' | 'add' | 'percent';
  @Int({ min: -MONEY, max: MONEY, description: 'Money; of `percent` -100 to 1000' }) value!: number;
}

class BulkFields {
  @Nested(() => PriceChange, { optional: true }) price?: PriceChange;
  @Choice(productStatuses, { optional: true }) status?: (typeof productStatuses)[number];
  @Text({ optional: true, format: 'uuid' }) category_id?: string;
}

export class BulkSet extends clearing(BulkFields, { category_id: null }) {}

export class BulkUpdate {
  @Texts({ min: 1, max: 500, maxLength: 36 }) ids!: string[];
  @Nested(() => BulkSet) set!: BulkSet;
}

export class BulkFailure {
  @Text() id!: string;
  @Text({ description: 'not_found, not_publishable or price_out_of_range' }) code!: string;
}

export class BulkResult {
  @Texts() changed!: string[];
  @List(() => BulkFailure) failed!: BulkFailure[];
}
