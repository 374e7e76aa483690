import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Icon } from '../../../web/ui/icon';
import { List, type ListView } from '../../../web/ui/list';
import { Chip, Empty, Moment, Money, type Tone } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import type { FulfillmentState } from '../../shipping/parcels/public';
import type { OrderRow, OrdersQuery, PaymentState } from './orders.dto';
import { deskTexts } from './order-desk.texts';
import { orderTexts } from './orders.texts';

type All = Shown<ListedPage<OrderRow>, OrdersQuery>;

const PAYMENT: Readonly<Record<PaymentState, Tone>> = {
  ...{ unpaid: 'plain', pending: 'wait', partially_paid: 'wait', paid: 'good', partially_refunded: 'info' },
  ...{ refunded: 'info', expired: 'plain', failed: 'bad', review: 'bad' },
};
const FULFILMENT: Readonly<Record<FulfillmentState, Tone>> = {
  ...{ none: 'plain', partially_packed: 'wait', packed: 'wait', partially_shipped: 'info', shipped: 'info' },
  ...{ partially_delivered: 'good', delivered: 'good', partially_returned: 'bad', returned: 'bad' },
};

type Of = { readonly order: OrderRow; readonly t: Reader };

/** Where an order is: what has ended says so, and what is not paid is not packed. */
export const OrderChips = ({ order, t }: Of): JSX.Element => {
  const say = orderTexts(t);
  const { status, payment_status: paid, fulfillment_status: sent } = order;
  const hasEnded = status === 'completed' || status === 'cancelled';
  return (
    <span class="chips">
      {hasEnded ? <Chip tone={status === 'completed' ? 'good' : 'plain'}>{say.states[status]}</Chip> : null}
      <Chip tone={PAYMENT[paid]}>{say.payments[paid]}</Chip>
      {sent === 'none' && (hasEnded || status === 'open') ? null : (
        <Chip tone={FULFILMENT[sent]}>{say.fulfilled[sent]}</Chip>
      )}
    </span>
  );
};

const columnsFor = (t: Reader): readonly Column<OrderRow>[] => {
  const say = orderTexts(t);
  return [
    {
      ...{ title: say.buyer, main: true },
      cell: ({ id, buyer, address }) => (
        <>
          <a href={`/orders/${id}`}>{buyer.name}</a> <small>{address?.city}</small>
        </>
      ),
    },
    { title: say.state, plain: true, cell: (order) => <OrderChips order={order} t={t} /> },
    {
      ...{ title: say.number, plain: true, sort: 'created_at' },
      cell: ({ number, channel, placed_at: at }) => (
        <span>
          <span class="code">{number}</span>{' '}
          <small>
            {say.channels[channel]} · <Moment at={at} brief />
          </small>
        </span>
      ),
    },
    { title: say.total, number: true, sort: 'total', cell: ({ total }) => <Money amount={total} /> },
  ];
};

const viewsFor = (t: Reader): readonly ListView[] => {
  const { views } = orderTexts(t);
  return [
    { text: t.list.all, set: {} },
    { text: views.unpaid, set: { view: 'unpaid' } },
    { text: views.proofs, set: { proof: 'pending' } },
    { text: views.toShip, set: { view: 'to_ship' } },
    { text: views.shipped, set: { fulfillment_status: 'shipped' } },
    { text: views.review, set: { view: 'review' } },
    { text: views.completed, set: { status: 'completed' } },
    { text: views.cancelled, set: { status: 'cancelled' } },
  ];
};

const FILTERS = ['payment_status', 'channel', 'assignee_id', 'contact_id', 'warehouse_id', 'from', 'to', 'number'];

export const OrderList = ({ data, query, t, form, viewer }: All): JSX.Element => {
  const say = orderTexts(t);
  const changes = (['processing', 'completed', 'cancelled'] as const).map((status) => (
    <button class="button" name="status" value={status}>
      {say.bulk[status]}
    </button>
  ));
  const bulk = {
    ...{ form, action: '/orders/bulk', children: changes },
    idOf: ({ id }: OrderRow) => id,
    nameOf: ({ number }: OrderRow) => number,
  };
  return (
    <List
      {...{ path: '/orders', query, usualSort: '-created_at', caption: t.nav.places.orders, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      views={viewsFor(t)}
      filteredBy={FILTERS}
      bulk={viewer.caller.abilities.has('order.write') ? bulk : undefined}
      empty={<Empty text={say.none} />}
    />
  );
};

/** Beside the heading of the list. */
export const OrderTools = ({ t, viewer }: All): JSX.Element => (
  <>
    {viewer.caller.abilities.has('order.export') ? (
      <a class="button only-wide" href="/orders/export">
        <Icon name="file-export" />
        {orderTexts(t).download}
      </a>
    ) : null}
    {viewer.caller.abilities.has('order.write') ? (
      <a class="button button-main" href="/orders/create">
        <Icon name="plus" />
        {deskTexts(t).create}
      </a>
    ) : null}
  </>
);
