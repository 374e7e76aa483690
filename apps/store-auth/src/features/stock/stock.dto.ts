import { Flag, Int, List, Text } from '@platform/validation';
import { SuccessReply } from '../../success';

export class StockLineBody {
  @Text({ requiredWithout: ['sku', 'product_id'], max: 64 }) variant_id?: string;
  @Text({ optional: true, max: 64 }) sku?: string;
  @Text({ optional: true, max: 64 }) product_id?: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
}

export class StockBody {
  @List(() => StockLineBody, { min: 1, max: 100 }) products!: StockLineBody[];
  @Text({ optional: true, max: 64 }) gudang_id?: string;
  @Text({ optional: true, max: 36, description: 'Only for a service token without a store' }) store_id?: string;
}

export class StockRowView {
  @Text({ nullable: true }) product_id!: string | null;
  @Text({ nullable: true }) variant_id!: string | null;
  @Text({ nullable: true }) sku!: string | null;
  @Int() qty!: number;
  @Int() stock!: number;
  @Flag() available!: boolean;
}

export class StockReply extends SuccessReply {
  @List(() => StockRowView) data!: readonly StockRowView[];
  @Flag() all_available!: boolean;
}
