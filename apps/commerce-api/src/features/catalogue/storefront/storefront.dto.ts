import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, Json, List, Nested, Text } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { productKinds, type ProductRow } from '../products/public';
import { ProductOption } from '../variants/public';

const sorts = sortsOf(['name', 'price', 'created_at']);

export class StorefrontQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({
    optional: true,
    max: 200,
    trim: true,
    description: 'Every word must occur in name, category, SKU or barcode',
  })
  q?: string;
  @Text({ optional: true, max: 100, trim: true, description: 'Slug; those below it count too' }) category?: string;
}

export class StorefrontCategory {
  @Text() name!: string;
  @Text() slug!: string;
}

/** A price from a number of pieces on, for everybody. */
class StorefrontTier {
  @Int() min_qty!: number;
  @Int() price!: number;
}

export class StorefrontVariant {
  @Text({ format: 'uuid' }) id!: string;
  @Text() sku!: string;
  @Json({ description: 'Values by option' }) option_values!: object;
  @Int() price!: number;
  @Int({ nullable: true, description: 'What it cost before' }) compare_at!: number | null;
  @List(() => StorefrontTier) tiers!: StorefrontTier[];
  @Flag() in_stock!: boolean;
  @Int({
    nullable: true,
    description: 'How many an order can have; null where the store does not tell, or there is no end of it',
  })
  available!: number | null;
}

class StorefrontImage {
  @Text() url!: string;
}

/** What customers may know of a product that is on sale. */
export class StorefrontProduct {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text() slug!: string;
  @Choice(productKinds) kind!: ProductRow['kind'];
  @Nested(() => StorefrontCategory, { nullable: true }) category!: StorefrontCategory | null;
  @Text({ keepEmpty: true }) description!: string;
  @List(() => ProductOption) options!: ProductOption[];
  @Int() price_min!: number;
  @Int() price_max!: number;
  @Flag() in_stock!: boolean;
  @List(() => StorefrontImage) images!: StorefrontImage[];
  @List(() => StorefrontVariant) variants!: StorefrontVariant[];
}
