import { Flag, Int, List, Nested, Text } from '@platform/validation';

/** Exactly one of the three ids is given. */
export class StockLine {
  @Text({ optional: true, format: 'uuid', requiredWithout: ['sku', 'product_id'] }) variant_id?: string;
  @Text({ optional: true, max: 64, trim: true }) sku?: string;
  @Text({ optional: true, format: 'uuid' }) product_id?: string;
  @Int({ optional: true, min: 1, max: 9999, description: '1 unless given' }) qty?: number;
}

export class CheckStockBody {
  @List(() => StockLine, { min: 1, max: 100 }) items!: StockLine[];
  @Text({ optional: true, format: 'uuid', description: 'Only what is in this warehouse' }) warehouse_id?: string;
}

export class StockState {
  @Text({ nullable: true }) product_id!: string | null;
  @Text({ nullable: true }) variant_id!: string | null;
  @Text({ nullable: true }) sku!: string | null;
  @Int() qty!: number;
  @Int({ description: 'On hand less reserved' }) stock!: number;
  @Flag() available!: boolean;
}

export class AllAvailable {
  @Flag() all_available!: boolean;
}

export class CheckStockAnswer {
  @List(() => StockState) data!: StockState[];
  @Nested(() => AllAvailable) meta!: AllAvailable;
}
