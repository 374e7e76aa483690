import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Moment, Money, Section, type Tone } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Facts, Table, type Column } from '../../../web/ui/table';
import type { Shipment, ShipmentRow, ShipmentState } from '../parcels/public';
import type { ShipmentsQuery } from './shipments.dto';
import { shipmentTexts } from './shipments.texts';

const TONES: Readonly<Record<ShipmentState, Tone>> = {
  ...{ pending: 'plain', packed: 'wait', in_transit: 'info', delivered: 'good', returned: 'bad', cancelled: 'plain' },
};

const State = ({ status, t }: { readonly status: ShipmentState; readonly t: Reader }): JSX.Element => (
  <Chip tone={TONES[status]}>{shipmentTexts(t).states[status]}</Chip>
);

const columnsFor = (t: Reader): readonly Column<ShipmentRow>[] => {
  const say = shipmentTexts(t);
  return [
    {
      ...{ title: say.waybill, main: true },
      cell: ({ id, waybill }) => <a href={`/shipments/${id}`}>{waybill ?? say.noWaybill}</a>,
    },
    { title: say.state, plain: true, cell: ({ status }) => <State status={status} t={t} /> },
    { title: say.courier, plain: true, cell: ({ courier, service }) => [courier, service].filter(Boolean).join(' ') },
    { title: say.direction, plain: true, cell: ({ direction }) => say.directions[direction] },
    {
      title: say.toOrder,
      plain: true,
      cell: ({ order_id: id }) => (
        <Way class="link" to={`/orders/${id}`}>
          {say.toOrder}
        </Way>
      ),
    },
  ];
};

const VIEWS = ['packed', 'in_transit', 'delivered', 'returned'] as const satisfies readonly ShipmentState[];

export const ShipmentList = ({ data, query, t }: Shown<ListedPage<ShipmentRow>, ShipmentsQuery>): JSX.Element => {
  const say = shipmentTexts(t);
  return (
    <List
      {...{ path: '/shipments', query, usualSort: '-created_at', caption: t.nav.places.shipments, listed: data }}
      columns={columnsFor(t)}
      views={[{ text: t.list.all, set: {} }, ...VIEWS.map((status) => ({ text: say.states[status], set: { status } }))]}
      filteredBy={['courier', 'direction', 'order_id', 'from', 'to']}
      empty={<Empty text={say.none} />}
    />
  );
};

interface One {
  readonly shipment: Shipment;
  readonly number: string;
  /** Names of the goods by the ids of their lines. */
  readonly items: ReadonlyMap<string, string>;
}

const Goods = ({ data: { shipment, items }, t }: Shown<One>): JSX.Element => {
  const say = shipmentTexts(t);
  const columns: readonly Column<Shipment['lines'][number]>[] = [
    { title: say.goods, main: true, cell: ({ order_item_id: id }) => items.get(id) ?? '' },
    { title: say.state, plain: true, cell: ({ condition }) => (condition === null ? '' : say.conditions[condition]) },
    { title: say.quantity, number: true, cell: ({ qty }) => t.count(qty) },
  ];
  return (
    <Section title={say.goods}>
      <Table caption={say.goods} rows={shipment.lines} columns={columns} />
    </Section>
  );
};

const Told = ({ data, t }: Shown<One>): JSX.Element => {
  const { shipment, number } = data;
  const say = shipmentTexts(t);
  const { status, courier, service, waybill, cost, direction, order_id: orderId } = shipment;
  return (
    <section class="panel">
      <Facts
        facts={[
          [say.waybill, waybill ?? say.noWaybill],
          [say.courier, [courier, service].filter(Boolean).join(' ')],
          ...(cost === null ? [] : [[say.cost, <Money amount={cost} />] as const]),
        ]}
      />
      <div class="row-actions">
        <Way class="button" to={`/orders/${orderId}`}>
          {number}
        </Way>
        {direction === 'out' && status !== 'cancelled' ? (
          <Way class="button" to={`/orders/${orderId}/label`}>
            {say.label}
          </Way>
        ) : null}
      </div>
    </section>
  );
};

const Timeline = ({ data, t }: Shown<One>): JSX.Element => {
  const say = shipmentTexts(t);
  const { events } = data.shipment;
  return (
    <Section title={say.timeline}>
      {events.length === 0 ? (
        <Empty text={say.noEvents} />
      ) : (
        <ol class="timeline">
          {[...events].reverse().map(({ code, text, place, at }) => (
            <li>
              {[text === '' ? ((say.states as Readonly<Record<string, string>>)[code] ?? code) : text, place]
                .filter(Boolean)
                .join(', ')}{' '}
              <Moment at={at} brief />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
};

export const ShipmentView = (shown: Shown<One>): JSX.Element => {
  const { data, t } = shown;
  const { status, direction } = data.shipment;
  const say = shipmentTexts(t);
  return (
    <>
      <p>
        <State status={status} t={t} /> {say.directions[direction]}
      </p>
      <Told {...shown} />
      <Goods {...shown} />
      <Timeline {...shown} />
    </>
  );
};
