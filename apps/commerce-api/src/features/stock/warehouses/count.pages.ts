import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { form, page } from '../../../web/page';
import { within } from '../../../web/within';
import { countTyped } from './count.typed';
import { CountView } from './count.view';
import { countStock, stockOf } from './warehouse-stock';
import { StockCount, WarehouseStockQuery } from './warehouses.dto';
import { openWarehouse } from './warehouses.sql';
import { warehouseTexts } from './warehouses.texts';

/** Rows of a sheet: each is two inputs, and a form has at most 200. */
const ROWS = 50;

const labels = (t: Reader) => {
  const say = warehouseTexts(t);
  return { lines: say.counted, 'lines[][counted]': say.counted, note: say.note };
};
const conflicts = { below_reserved: { text: (t: Reader) => warehouseTexts(t).belowReserved } };

/** What is in a warehouse, as a sheet to be filled in. */
export const countPages = ({ database, clock }: Pick<AreaParts, 'database' | 'clock'>): readonly Pages[] => {
  const path = '/warehouses/{id}/stock';
  const sheet = page({
    ...{ get: path, ability: 'stock.write', back: '/warehouses', query: WarehouseStockQuery, labels, conflicts },
    title: ({ data, t }) => warehouseTexts(t).countOf({ name: data.warehouse.name }),
    load: async ({ viewer: { caller }, params: { id = '' }, query }) => ({
      ...(await stockOf(database, caller.storeId, id, { ...query, per_page: ROWS })),
      warehouse: await openWarehouse(database, caller.storeId, id),
    }),
    view: CountView,
  });
  const counted = form({
    ...{ post: path, ability: 'stock.write', of: sheet, body: StockCount, reads: countTyped },
    run: ({ viewer, params: { id = '' }, body, tx }) => countStock(within(tx), byOf(clock)(viewer), id, body),
    done: ({ changed }, { t, params }) => ({
      to: `/warehouses/${params.id}/stock`,
      flash: warehouseTexts(t).countSaved({ count: t.count(changed.length) }),
    }),
  });
  return [sheet, counted];
};
