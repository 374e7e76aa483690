import { Expose } from 'class-transformer';
import { Choice, Flag, Int, Json, List, Money, Nested, Text, Texts, clearing } from '@platform/validation';

export const MONEY = 1_000_000_000_000;
const WEIGHT = 1_000_000;
export const MOST_PIECES = 10_000_000;
export const MOST_VARIANTS = 200;

export class ProductOption {
  @Text({ max: 40, trim: true }) name!: string;
  @Texts({ min: 1, max: 50, maxLength: 60 }) values!: string[];
}

export class Tier {
  @Int({ min: 2, max: 1_000_000 }) min_qty!: number;
  @Money() price!: number;
  @Text({ optional: true, format: 'uuid', description: 'Only for contacts with this tag' }) tag_id?: string;
}

export class OpeningStock {
  @Text({ format: 'uuid' }) warehouse_id!: string;
  @Int({ min: 0, max: MOST_PIECES }) on_hand!: number;
}

class VariantFields {
  @Text({ optional: true, max: 64, trim: true, description: 'Made from the name unless given' }) sku?: string;
  @Text({ optional: true, max: 64, trim: true }) barcode?: string;
  @Json({ optional: true, description: 'One value of every option of the product: `{"Warna":"Merah"}`' })
  option_values?: object;
  @List(() => Tier, { optional: true, max: 10 }) tiers?: Tier[];
  @Money({ optional: true, description: 'The price before; above the price' }) compare_at?: number;
  @Money({ optional: true }) cost?: number;
  @Int({ optional: true, min: 0, max: WEIGHT }) weight_g?: number;
  @Flag({ optional: true, description: 'true unless given' }) track_stock?: boolean;
  @Flag({ optional: true, description: 'false unless given' }) allow_backorder?: boolean;
}

export class VariantInput extends VariantFields {
  @Money() price!: number;
  @List(() => OpeningStock, { optional: true, max: 20 }) stock?: OpeningStock[];
}

export class NewVariant extends VariantInput {
  @Text({ format: 'uuid' }) product_id!: string;
}

export class VariantChange extends clearing(VariantFields, {
  ...{ barcode: null, tiers: [], compare_at: null, cost: null, weight_g: null },
}) {
  @Money({ optional: true }) price?: number;
}

export class VariantsQuery {
  @Text({ format: 'uuid' }) product_id!: string;
}

export class GeneratedBase {
  @Money() price!: number;
  @Int({ optional: true, min: 0, max: WEIGHT }) weight_g?: number;
}

export class Generate {
  @Text({ format: 'uuid' }) product_id!: string;
  @List(() => ProductOption, { min: 1, max: 3 }) options!: ProductOption[];
  @Nested(() => GeneratedBase) base!: GeneratedBase;
}

export class Variant {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) product_id!: string;
  @Text() sku!: string;
  @Text({ nullable: true }) barcode!: string | null;
  @Json() option_values!: object;
  @Int() price!: number;
  @List(() => Tier) tiers!: Tier[];
  @Int({ nullable: true }) compare_at!: number | null;
  @Expose({ groups: ['product.cost'] })
  @Int({ optional: true, nullable: true, description: 'With the ability `product.cost`' })
  cost?: number | null;
  @Int({ nullable: true }) weight_g!: number | null;
  @Flag() track_stock!: boolean;
  @Flag() allow_backorder!: boolean;
  @Int() on_hand!: number;
  @Int() reserved!: number;
  @Int() available!: number;
  @Choice(['active', 'archived']) status!: 'active' | 'archived';
}
