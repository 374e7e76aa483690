import type { AreaParts } from '../../../area';
import { filePage } from '../../../web/file.page';
import type { Reader } from '../../../web/i18n/reader';
import { page } from '../../../web/page';
import { payUrlOf, type PayPages } from '../payments/public';
import { seenBy } from '../sight/public';
import { OrderPage } from './order.view';
import { OrderExportQuery, OrdersQuery } from './orders.dto';
import { exportListing, ORDERS_FILE } from './orders.export';
import { historyOf, orderById, orderListing } from './orders.sql';
import { orderTexts } from './orders.texts';
import { OrderList, OrderTools } from './orders.view';

export interface OrderPageParts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly pages: PayPages;
}

const labels = (t: Reader) => {
  const say = orderTexts(t);
  return {
    ...{ ids: say.picked, status: say.state, method: say.method, amount: say.amount, courier: say.courier },
    ...{ waybill: say.waybill, reason: say.reason, text: say.addNote },
  };
};

const said = (of: (say: ReturnType<typeof orderTexts>) => string, field?: string) => ({
  ...{ field, text: (t: Reader) => of(orderTexts(t)) },
});
const conflicts = {
  invalid_transition: said((say) => say.moveRefused),
  refund_first: said((say) => say.refundFirst),
  goods_out: said((say) => say.goodsOut),
  paid: said((say) => say.alreadyPaid),
  gateway_payment: said((say) => say.atProvider),
  waybill_used: said((say) => say.waybillUsed, 'waybill'),
  nothing_left: said((say) => say.nothingLeft),
  out_of_stock: said((say) => say.outOfStock),
};

const shared = { labels, conflicts };

export const listPage = ({ database }: OrderPageParts) =>
  page({
    get: '/orders',
    ability: 'order.read',
    query: OrdersQuery,
    title: ({ t }) => t.nav.places.orders,
    load: ({ viewer: { caller }, query }) => orderListing.page(database, caller.storeId, seenBy(caller, query)),
    view: OrderList,
    fragments: { list: OrderList },
    tools: OrderTools,
    ...shared,
  });

export const onePage = ({ database, clock, pages }: OrderPageParts) =>
  page({
    get: '/orders/{id}',
    ability: 'order.read',
    back: '/orders',
    title: ({ data }) => data.order.number,
    load: async ({ viewer: { caller }, params }) => {
      const order = await orderById(database, caller.storeId, params.id ?? '');
      const events = await historyOf(database, caller.storeId, order.id);
      return { order: { ...order, pay_url: payUrlOf(pages, order, clock.now()) }, events };
    },
    view: OrderPage,
    ...shared,
  });

export const orderFile = ({ database }: OrderPageParts) =>
  filePage({
    ...{ get: '/orders/export', ability: 'order.export', query: OrderExportQuery, reply: ORDERS_FILE },
    load: ({ viewer: { caller }, query, signal }) =>
      exportListing.stream(database, caller.storeId, seenBy(caller, query), { signal }),
  });
