import type { Sql } from '@platform/data';
import type { ChangedRow, ChatCopies } from '../../chat/copies/public';
import { addOrder, itemIdOf, standingOf, type Chronicle } from './order.rows';
import { plannedOrders } from './orders.plan';
import type { PlannedOrder, Sold } from './planned.types';
import { addParcels } from './parcels';
import type { Scene } from './scene';
import { addReservations, Shelves, type Wanted } from './stock';
import { addTimeline } from './timeline';
import { idOf, people, type Person } from '../shop/public';
import { CatalogueRows, type Picture, type UrlOf } from './catalogue.rows';
import { CheckoutRows } from './checkout.rows';
import type { DemoProduct } from './demo-shop.types';
import { PeopleRows } from './people.rows';
import { addMarketing } from './marketing.rows';
import { addOutside } from './outside.rows';
import { Rows } from './rows';
import { TermsRows } from './terms.rows';
import { addTold } from './told.rows';

/** The shop's past as rows, and the pictures that they name. */
export interface Past {
  readonly rows: Rows;
  readonly pictures: readonly Picture[];
}

/** Numbered one after the other in the order in which they were paid, each year anew, as the shop's clocks show it. */
const receiptsOf = (orders: readonly PlannedOrder[], { clocks, storeId }: Scene, rows: Rows): Map<string, string> => {
  const last = new Map<number, number>();
  const paid = orders.flatMap(({ id, ...order }) => {
    const { paidAt } = standingOf({ id, ...order });
    return paidAt ? [{ id, paidAt }] : [];
  });
  const receipts = paid
    .toSorted((one, other) => one.paidAt.getTime() - other.paidAt.getTime())
    .map(({ id, paidAt }) => {
      const year = clocks.shown(paidAt).getUTCFullYear();
      const number = (last.get(year) ?? 0) + 1;
      last.set(year, number);
      return [id, `RCP-${year}-${String(number).padStart(6, '0')}`] as const;
    });
  for (const [year, number] of last)
    rows.add('receipt_counter', { store_id: storeId, kind: 'receipt', year, last: number });
  return new Map(receipts);
};

/** Most is there; some runs out, and some is gone. */
const wantedBy =
  (given: readonly DemoProduct[]): Wanted =>
  ({ sku, liked }) => {
    const told = given.find((product) => product.sku === sku);
    if (told) return { main: told.stock, second: 0, isExact: true };
    const scarce = [...sku].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % 11;
    const main = scarce === 0 ? 0 : scarce === 1 ? 3 : 8 + Math.round(liked * 6);
    return { main, second: 5 + Math.round(liked * 2), isExact: scarce <= 1 };
  };

const atLeastOne = <T>(list: readonly T[]): readonly [T, ...T[]] => {
  const [first, ...others] = list;
  if (first === undefined) throw new Error('A shop with a past sells something, to somebody.');
  return [first, ...others];
};

const addOrders = (rows: Rows, orders: readonly PlannedOrder[], told: Chronicle): void => {
  for (const order of orders) {
    addOrder(rows, order, told);
    addParcels(rows, order, { scene: told.scene, warehouseId: told.warehouses[order.place], itemIdOf });
    addTimeline(rows, order, told);
    addReservations(rows, order, told);
  }
};

/** The whole shop of a scene: the same every time. `warehouses` exist. */
export const pastOf = (
  scene: Scene,
  warehouses: Chronicle['warehouses'],
  given: readonly DemoProduct[],
  urlOf: UrlOf,
): Past => {
  const rows = new Rows();
  const catalogue = new CatalogueRows(rows, scene, urlOf);
  catalogue.addCategories(given.map(({ category }) => category));
  for (const product of given) catalogue.addGiven(product);
  catalogue.addGoods();
  const [offered, everybody] = [atLeastOne<Sold>(catalogue.sold), atLeastOne<Person>(people())];
  const orders = plannedOrders(scene, everybody, offered);
  const told: Chronicle = { scene, warehouses, receipts: receiptsOf(orders, scene, rows) };
  addOrders(rows, orders, told);
  new Shelves(rows, told, orders).fill(offered, wantedBy(given));
  new PeopleRows(rows, scene).add(everybody, orders);
  new TermsRows(rows, scene).add(orders);
  addOutside(rows, scene);
  addMarketing(rows, scene);
  addTold(rows, scene, orders);
  new CheckoutRows(rows, scene).add(orders, offered, everybody);
  return { rows, pictures: catalogue.pictures };
};

/** chat-backend hears of whom the shop knows and what they ordered. */
export const tellChat = async (tx: Sql, copies: ChatCopies, { rows }: Past, { storeId }: Scene): Promise<void> => {
  const versions = new Map(rows.of('contact').map(({ id, version }) => [id, String(version)]));
  const customers = rows
    .of('contact_phone')
    .map(({ phone, contact_id }): ChangedRow => ({ rowId: String(phone), version: versions.get(contact_id) ?? '0' }));
  await copies.changed(tx, storeId, 'customers', customers);
  await copies.touched(
    tx,
    storeId,
    'orders',
    rows.of('sales_order').map(({ id }) => String(id)),
  );
};

/** What the two warehouses of a store are known by. */
export const warehousesOf = (storeId: string): Chronicle['warehouses'] => ({
  main: idOf(storeId, 'warehouse', 'main'),
  second: idOf(storeId, 'warehouse', 'second'),
});
