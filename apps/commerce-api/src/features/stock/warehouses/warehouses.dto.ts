import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Nested, Phone, Text } from '@platform/validation';
import { Address } from '../../../address.dto';
import { PageQuery } from '../../../paging';
import { MOST_PIECES, Movement } from '../levels/public';

export const warehouseStatuses = ['active', 'closed'] as const;
const sorts = sortsOf(['name', 'created_at']);

export class WarehousesQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`name` unless given' }) sort?: (typeof sorts)[number];
  @Choice(warehouseStatuses, { optional: true }) status?: (typeof warehouseStatuses)[number];
}

export class WarehouseBody {
  @Text({ max: 80, trim: true }) name!: string;
  @Phone() phone!: string;
  @Nested(() => Address) address!: Address;
}

export class Warehouse {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) phone!: string | null;
  @Nested(() => Address, { nullable: true }) address!: Address | null;
  @Flag() is_default!: boolean;
  @Choice(warehouseStatuses) status!: (typeof warehouseStatuses)[number];
}

export class WarehouseStockQuery extends PageQuery {
  @Flag({ optional: true, description: 'Only what is running out' }) low?: boolean;
  @Text({
    optional: true,
    max: 200,
    trim: true,
    description: 'Every word must occur in name, category, SKU or barcode',
  })
  q?: string;
}

/** What one warehouse has of one variant. */
export class WarehouseStock {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text({ format: 'uuid' }) product_id!: string;
  @Text() sku!: string;
  @Text() name!: string;
  @Int() on_hand!: number;
  @Int() reserved!: number;
  @Int({ description: 'On its way from another warehouse' }) incoming!: number;
  @Int() available!: number;
}

export class CountedLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 0, max: MOST_PIECES }) counted!: number;
}

export class StockCount {
  @List(() => CountedLine, { min: 1, max: 500 }) lines!: CountedLine[];
  @Text({ optional: true, max: 200, trim: true }) note?: string;
}

export class CountedStock {
  @List(() => Movement, { description: 'One for each line that was not as counted' }) changed!: Movement[];
}
