import type { JSX } from 'preact';
import { buyerPage, type BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { Chip, Moment, Section } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import type { Order } from '../../sales/orders/public';
import { boughtBy, byLink, type Bought, type BoughtParts } from './bought';
import { buyingTexts } from './buying.texts';
import { Downloads, Goods, OtherPages } from './parts.view';

type Parcel = Order['shipments'][number];

/** What happened to an order, as far as it concerns its buyer. */
const Steps = ({ order, t }: { readonly order: Order; readonly t: Reader }): JSX.Element => {
  const { steps } = buyingTexts(t);
  const all = [
    [steps.placed, order.placed_at],
    [steps.paid, order.paid_at],
    [steps.completed, order.completed_at],
    [steps.cancelled, order.cancelled_at],
  ] as const;
  return (
    <ol class="timeline">
      {all.map(([name, at]) =>
        at === null ? null : (
          <li>
            <b>{name}</b>
            <Moment at={at} />
          </li>
        ),
      )}
    </ol>
  );
};

const ParcelPanel = ({ parcel, t }: { readonly parcel: Parcel; readonly t: Reader }): JSX.Element => {
  const say = buyingTexts(t);
  const { courier, service, waybill, status, events } = parcel;
  const tone = status === 'delivered' ? 'good' : 'info';
  return (
    <div class="panel">
      <p>
        <Chip tone={tone}>{say.parcel[status]}</Chip>
      </p>
      <Facts
        facts={[
          [say.courier, [courier?.toUpperCase(), service].filter(Boolean).join(' ') || '-'],
          [say.waybill, <span class="code">{waybill}</span>],
        ]}
      />
      {events.length === 0 ? (
        <p>{say.noNews}</p>
      ) : (
        <ol class="timeline">
          {[...events].reverse().map(({ at, text, place }) => (
            <li>
              <span dir="auto">{place === null ? text : `${text} · ${place}`}</span>
              <Moment at={at} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
};

const isOnItsWay = ({ direction, waybill, status }: Parcel): boolean =>
  direction === 'out' && waybill !== null && status !== 'cancelled';

/** There is no parcel, and there will be none. */
const isWithoutParcel = ({ shipping, deliveries, shipments }: Order): boolean =>
  shipping === null && deliveries.length > 0 && !shipments.some(isOnItsWay);

const TrackPage = ({ data: { token, order, now }, t }: BuyerShown<Bought>): JSX.Element => {
  const say = buyingTexts(t);
  const parcels = order.shipments.filter(isOnItsWay);
  return (
    <>
      <h1>{say.tracking({ number: order.number })}</h1>
      <Steps order={order} t={t} />
      {isWithoutParcel(order) ? null : (
        <Section title={say.sent}>
          {parcels.map((parcel) => (
            <ParcelPanel parcel={parcel} t={t} />
          ))}
          {parcels.length > 0 ? null : <p>{order.shipping?.kind === 'pickup' ? say.fetched : say.notSent}</p>}
        </Section>
      )}
      <Downloads {...{ order, now, t }} />
      <Goods order={order} t={t} />
      <OtherPages {...{ token, t }} of="track" />
    </>
  );
};

/** Where an order and its parcels are. */
export const trackPage = (parts: BoughtParts): Pages =>
  buyerPage({
    ...{ get: '/track/{token}', ...byLink },
    load: ({ params: { token = '' } }) => boughtBy(parts, token),
    shop: ({ shop }) => shop,
    title: ({ order: { number } }, t) => buyingTexts(t).tracking({ number }),
    view: TrackPage,
  });
