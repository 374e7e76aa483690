import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { Seen } from '../../../web/seen';
import { countPages } from './count.pages';
import { WarehouseBody, WarehousesQuery } from './warehouses.dto';
import {
  changeWarehouse,
  closeWarehouse,
  createWarehouse,
  makeDefault,
  openWarehouse,
  warehouseListing,
} from './warehouses.sql';
import { warehouseTexts } from './warehouses.texts';
import { WarehouseList, WarehousesView } from './warehouses.view';

class WarehousesPageQuery extends WarehousesQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being changed' }) id?: string;
}

/** The form of a warehouse. */
class WarehouseEdit extends WarehouseBody {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}

class WarehouseNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => {
  const say = warehouseTexts(t);
  return {
    ...{ name: say.name, phone: say.phone, 'address[line]': say.line, 'address[district]': say.district },
    ...{ 'address[city]': say.city, 'address[province]': say.province, 'address[postcode]': say.postcode },
  };
};
const told = (of: (say: ReturnType<typeof warehouseTexts>) => string) => ({
  text: (t: Reader) => of(warehouseTexts(t)),
});
const conflicts = {
  not_empty: told((say) => say.notEmpty),
  is_default: told((say) => say.isDefault),
  too_many_warehouses: told((say) => say.tooMany),
};

type Parts = Pick<AreaParts, 'database' | 'clock'>;

const listPage = ({ database }: Parts) =>
  page({
    ...{ get: '/warehouses', ability: 'warehouse.write', query: WarehousesPageQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.warehouses,
    load: async ({ viewer: { caller }, query: { id: asked, ...query }, typed }) => {
      const id = asked ?? idTyped(typed);
      const listed = await warehouseListing.page(database, caller.storeId, query);
      return { ...listed, one: id === undefined ? undefined : await openWarehouse(database, caller.storeId, id) };
    },
    view: WarehousesView,
    fragments: { list: WarehouseList },
  });

/** From where goods are sent, and what is there. */
export const warehousePages = (parts: Parts): Pages => {
  const by = byOf(parts.clock);
  const all = listPage(parts);
  const to = '/warehouses';
  const posted = actions({
    ...{ post: to, ability: 'warehouse.write', of: all },
    on: {
      create: action({
        body: WarehouseBody,
        run: ({ viewer, body, tx }) => createWarehouse(tx, by(viewer), body),
        done: ({ name }, { t }) => ({ to, flash: warehouseTexts(t).created({ name }) }),
      }),
      save: action({
        body: WarehouseEdit,
        run: ({ viewer, body: { id, seen, ...body }, tx }) => changeWarehouse(tx, by(viewer), id, body, seen),
        done: ({ name }, { t }) => ({ to, flash: warehouseTexts(t).saved({ name }) }),
      }),
      default: action({
        body: WarehouseNamed,
        run: ({ viewer, body, tx }) => makeDefault(tx, by(viewer), body.id),
        done: ({ name }, { t }) => ({ to, flash: warehouseTexts(t).saved({ name }) }),
      }),
      close: action({
        body: WarehouseNamed,
        run: ({ viewer, body, tx }) => closeWarehouse(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to, flash: warehouseTexts(t).closed }),
      }),
    },
  });
  return (kit) => [all, posted, ...countPages(parts)].flatMap((pages) => pages(kit));
};
