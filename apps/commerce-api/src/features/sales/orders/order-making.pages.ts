import type { Database } from '@platform/data';
import { Text } from '@platform/validation';
import { byOf } from '../../../by';
import type { Pages } from '../../../web/kit';
import { form, page, type FormOf } from '../../../web/page';
import type { Buyer, Buyers } from '../buyers/public';
import { deskFor, type DeskParts } from './order-desk';
import { deskLabels } from './order-desk.labels';
import { deskTexts } from './order-desk.texts';
import { NewOrderView } from './order-desk.view';
import { editOrder } from './order-edit';
import { placeOrder } from './order-place';
import { changing, step } from './order.step';
import { withKept } from './order.kept';
import { looksUp, orderTyped } from './order.typed';
import { NewOrder, OrderEdit } from './orders.dto';
import { conflicts } from './orders.pages';
import { orderById } from './orders.sql';

export interface MakingParts extends Omit<DeskParts, 'database'> {
  readonly buyers: Buyers;
}
type Parts = MakingParts & { readonly database: DeskParts['database'] & Known };
type Known = Pick<Database, 'tx'>;

class NewOrderQuery {
  @Text({ optional: true, format: 'uuid', description: 'For whom' }) contact_id?: string;
}

const newPage = (parts: Parts) =>
  page({
    get: '/orders/create',
    ability: 'order.write',
    back: '/orders',
    query: NewOrderQuery,
    title: ({ t }) => deskTexts(t).create,
    load: async ({ viewer: { caller }, query: { contact_id: id }, typed }) => {
      const { database, buyers, clock } = parts;
      // Whoever sees the customers of their own chats alone is told of none by its id
      const isAsked = id !== undefined && caller.sight === undefined;
      const given: Buyer | undefined = isAsked
        ? await database.tx((tx) => buyers.known(tx, byOf(clock)({ caller }), id))
        : undefined;
      return { desk: await deskFor(parts, caller, typed), given };
    },
    view: NewOrderView,
    labels: deskLabels,
    conflicts,
  });

/** How orders are made and changed by hand. */
export const makingPages = (parts: Parts, single: FormOf['of']): readonly Pages[] => {
  const { clock, buyers, tills } = parts;
  const fresh = newPage(parts);
  const by = changing(clock);
  const created = form({
    ...{ post: '/orders', ability: 'order.write', of: fresh },
    ...{ body: NewOrder, reads: orderTyped, looks: looksUp },
    run: ({ viewer, body, tx, key }) => placeOrder(tx, { ...by(viewer), buyers, tills, key }, body),
    done: ({ id, number }, { t }) => ({ to: `/orders/${id}`, flash: deskTexts(t).created({ number }) }),
  });
  const changed = step(single, {
    ...{ post: '/orders/{id}', ability: 'order.write', names: ['save'], body: OrderEdit },
    ...{ reads: orderTyped, looks: looksUp },
    run: async ({ viewer, tx }, id, body) => {
      const before = await orderById(tx, viewer.caller.storeId, id);
      return editOrder(tx, { ...by(viewer), buyers, tills }, id, withKept(before, body));
    },
    said: (say) => say.edited,
  });
  return [fresh, created, changed];
};
