import { Flag } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { filePage } from '../../../web/file.page';
import type { Reader } from '../../../web/i18n/reader';
import { page } from '../../../web/page';
import type { Caller } from '../../../abilities';
import { isLate, payUrlOf, type PayPages } from '../payments/public';
import { seenBy } from '../sight/public';
import { deskFor, type DeskParts } from './order-desk';
import { deskLabels } from './order-desk.labels';
import { deskTexts } from './order-desk.texts';
import { isEditable } from './order-edit';
import { moneyTexts } from './order-money.texts';
import { OrderPage, OrderTool } from './order.view';
import { OrderExportQuery, OrdersQuery, type Order } from './orders.dto';
import { exportListing, ORDERS_FILE } from './orders.export';
import { historyOf, orderById, orderListing } from './orders.sql';
import { orderTexts } from './orders.texts';
import { OrderList, OrderTools } from './orders.view';

export interface OrderPageParts extends Omit<DeskParts, 'database'>, Pick<AreaParts, 'database'> {
  readonly pages: PayPages;
  /** A link of the caller to the picture of a transfer; null for who may not see it. */
  readonly proofUrl: (caller: Caller, mediaId: string) => Promise<string | null>;
}

class OrderPageQuery {
  @Flag({ optional: true, description: 'With the form that changes it' }) edit?: boolean;
}

const labels = (t: Reader) => {
  const [say, money] = [orderTexts(t), moneyTexts(t)];
  return {
    ...{ ids: say.picked, status: say.state, method: say.method, amount: say.amount, courier: say.courier },
    ...{ waybill: say.waybill, reason: say.reason, text: say.addNote },
    ...{ 'bank[bank_code]': money.bankCode, 'bank[number]': money.bankNumber, 'bank[holder]': money.bankHolder },
    ...{ note: money.proofNote, channel: money.send, ...deskLabels(t) },
  };
};

const said = (of: (say: ReturnType<typeof orderTexts>) => string, field?: string) => ({
  ...{ field, text: (t: Reader) => of(orderTexts(t)) },
});
const atDesk = (of: (say: ReturnType<typeof deskTexts>) => string, field?: string) => ({
  ...{ field, text: (t: Reader) => of(deskTexts(t)) },
});
export const conflicts = {
  invalid_transition: said((say) => say.moveRefused),
  refund_first: said((say) => say.refundFirst),
  goods_out: said((say) => say.goodsOut),
  paid: said((say) => say.alreadyPaid),
  gateway_payment: said((say) => say.atProvider),
  waybill_used: said((say) => say.waybillUsed, 'waybill'),
  nothing_left: said((say) => say.nothingLeft),
  out_of_stock: said((say) => say.outOfStock),
  not_supported: said((say) => say.notSupported, 'method'),
  insufficient_balance: said((say) => say.noBalance),
  no_email: said((say) => say.noEmail),
  no_whatsapp: said((say) => say.noWhatsapp),
  coupon_unavailable: said((say) => say.couponUnused, 'coupon'),
  quote_expired: atDesk((say) => say.quoteExpired, 'way'),
  total_changed: atDesk((say) => say.totalChanged),
  no_warehouse: atDesk((say) => say.noWarehouse),
  provider_unavailable: atDesk((say) => say.noProvider, 'payment_method'),
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

/** Transfers that wait for somebody's word, with the way to their pictures; also one that has come beside what has paid the order. */
const proofsOf = ({ proofUrl }: OrderPageParts, caller: Caller, { proofs, ...order }: Order) => {
  const isOver = order.status === 'cancelled' && !isLate(order);
  const waiting = isOver ? [] : proofs.filter(({ status }) => status === 'pending');
  return Promise.all(waiting.map(async (proof) => ({ ...proof, url: await proofUrl(caller, proof.media_id) })));
};

export const onePage = (parts: OrderPageParts) =>
  page({
    get: '/orders/{id}',
    ability: 'order.read',
    back: '/orders',
    title: ({ data }) => data.order.number,
    query: OrderPageQuery,
    load: async ({ viewer: { caller }, params, query, typed }) => {
      const { database, clock, pages } = parts;
      const order = await orderById(database, caller.storeId, params.id ?? '');
      const events = await historyOf(database, caller.storeId, order.id);
      const mayEdit = caller.abilities.has('order.write') && isEditable(order);
      const mine = typed?.version === undefined ? undefined : typed;
      const isEdited = mayEdit && (query.edit === true || mine !== undefined);
      const desk = isEdited ? await deskFor(parts, caller, mine, order) : undefined;
      const proofs = await proofsOf(parts, caller, order);
      return { order: { ...order, pay_url: payUrlOf(pages, order, clock.now()) }, events, mayEdit, desk, proofs };
    },
    view: OrderPage,
    tools: OrderTool,
    ...shared,
  });

export const orderFile = ({ database }: OrderPageParts) =>
  filePage({
    ...{ get: '/orders/export', ability: 'order.export', query: OrderExportQuery, reply: ORDERS_FILE },
    load: ({ viewer: { caller }, query, signal }) =>
      exportListing.stream(database, caller.storeId, seenBy(caller, query), { signal }),
  });
