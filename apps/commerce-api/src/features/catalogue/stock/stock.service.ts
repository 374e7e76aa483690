import { InvalidInput, type Violation } from '@platform/errors';
import type { Caller } from '../../../abilities';
import type { CheckStockAnswer, CheckStockBody, StockLine } from './stock.dto';
import type { StockRepository } from './stock.repository';

const NAMES = ['variant_id', 'sku', 'product_id'] as const;

/** Two ids in one line could mean two items. */
const ambiguous = (line: StockLine, index: number): Violation[] => {
  const [first, ...others] = NAMES.filter((name) => line[name] !== undefined);
  return others.map((name) => ({
    field: `items[${index}].${name}`,
    tag: 'excluded_with',
    message: `items[${index}].${name} must not be given together with ${first}`,
  }));
};

export class StockService {
  constructor(private readonly stock: StockRepository) {}

  /** What is available of each line, in the order of the request. Unknown items and those of other stores: none. */
  async check({ storeId }: Caller, { items, warehouse_id }: CheckStockBody): Promise<CheckStockAnswer> {
    const violations = items.flatMap(ambiguous);
    if (violations.length > 0) throw new InvalidInput(violations);
    const data = await this.stock.check(storeId, items, warehouse_id);
    return { data, meta: { all_available: data.every(({ available }) => available) } };
  }
}
