import { Choice, Int, Money, Slug, Text } from '@platform/validation';
import { productKinds, productStatuses } from '../products/public';
import { MOST_PIECES } from '../../stock/levels/public';

const WEIGHT = 1_000_000;

/** One row of the file that the export writes: a variant, in one warehouse. An empty cell says nothing. */
export class ProductCells {
  @Text({ optional: true, max: 150, trim: true }) name?: string;
  @Slug({ optional: true }) slug?: string;
  @Choice(productKinds, { optional: true }) kind?: (typeof productKinds)[number];
  @Text({ optional: true, max: 80, trim: true }) category?: string;
  @Text({ optional: true, max: 20_000 }) description?: string;
  @Text({ optional: true, max: 40, trim: true }) option1_name?: string;
  @Text({ optional: true, max: 60 }) option1_value?: string;
  @Text({ optional: true, max: 40, trim: true }) option2_name?: string;
  @Text({ optional: true, max: 60 }) option2_value?: string;
  @Text({ optional: true, max: 40, trim: true }) option3_name?: string;
  @Text({ optional: true, max: 60 }) option3_value?: string;
  @Text({ optional: true, max: 64, trim: true }) sku?: string;
  @Text({ optional: true, max: 64, trim: true }) barcode?: string;
  @Money({ optional: true }) price?: number;
  @Money({ optional: true }) compare_at?: number;
  @Money({ optional: true }) cost?: number;
  @Int({ optional: true, min: 0, max: WEIGHT }) weight_g?: number;
  @Text({ optional: true, max: 100, trim: true }) warehouse?: string;
  @Int({ optional: true, min: 0, max: MOST_PIECES }) stock?: number;
  @Text({ optional: true, max: 2048, trim: true, format: 'url' }) image_url?: string;
  @Choice(productStatuses, { optional: true }) status?: (typeof productStatuses)[number];
}

export const productColumns = [
  ...['name', 'slug', 'kind', 'category', 'description', 'option1_name', 'option1_value', 'option2_name'],
  ...['option2_value', 'option3_name', 'option3_value', 'sku', 'barcode', 'price', 'compare_at', 'cost', 'weight_g'],
  ...['warehouse', 'stock', 'image_url', 'status'],
] as const;
