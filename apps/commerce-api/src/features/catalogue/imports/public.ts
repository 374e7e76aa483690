import type { Database } from '@platform/data';
import { oneByOne, type ImportItem, type ImportKind } from '../../../imports/public';
import { productColumns } from './product.cells';
import type { ProductItem } from './product.item';
import { groupOf, ProductReader } from './product.reader';
import { ProductWriter } from './product.writer';

/** Products from a file as the export writes it. */
export const productImport = (database: Pick<Database, 'tx'>): ImportKind => {
  const writer = new ProductWriter(database);
  const own = (item: ImportItem): ProductItem => item as ProductItem;
  const each = oneByOne((tx, by, item, mode) => writer.write(tx, by, own(item), mode === 'create'));
  return {
    name: 'products.import',
    columns: productColumns,
    groupOf,
    reader: async (sql, storeId, mode) => {
      const reader = await ProductReader.open(sql, storeId, mode);
      return (rows) => reader.read(rows);
    },
    needs: (item, mode) => {
      const { variants } = own(item);
      return [
        'product.write',
        ...(variants.some(({ cost }) => cost !== undefined) ? (['product.cost'] as const) : []),
        ...(mode === 'upsert' && variants.some(({ stock }) => stock.length > 0) ? (['stock.write'] as const) : []),
      ];
    },
    write: async (tx, by, items, mode) => {
      if (mode !== 'create') await writer.lock(tx, by, items.map(own));
      return each(tx, by, items, mode);
    },
  };
};
