import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { Chip, Moment, Money, Section, type Tone } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import type { Order } from '../../sales/orders/public';
import type { Bought } from './bought';
import { buyingTexts } from './buying.texts';
import type { PayState } from './pay.state';

const TONES: Readonly<Record<PayState, Tone>> = {
  ...{ waiting: 'wait', partial: 'wait', proof: 'info', review: 'info', cod: 'info', cash: 'info', paid: 'good' },
  ...{
    refunded: 'plain',
    cancelled: 'bad',
    late: 'bad',
    closed: 'bad',
    suspended: 'bad',
    failed: 'bad',
    rejected: 'bad',
  },
};

/** How the payment stands, in words, and what follows. */
export const Standing = ({ state, t }: { readonly state: PayState; readonly t: Reader }): JSX.Element => {
  const say = buyingTexts(t);
  return (
    <>
      <p>
        <Chip tone={TONES[state]}>{say.state[state]}</Chip>
      </p>
      <p>{say.says[state]}</p>
    </>
  );
};

const PLACES = ['pay', 'track', 'invoice'] as const;
type Place = (typeof PLACES)[number];

/** What was bought, and what it costs. */
export const Goods = ({ order, t }: { readonly order: Order; readonly t: Reader }): JSX.Element => {
  const say = buyingTexts(t);
  // What is included in the prices is no sum of its own
  const isWithin = order.tax?.mode !== 'added' && order.tax_total > 0;
  const sums = [
    [say.subtotal, order.subtotal],
    [say.discount, -order.discount],
    [say.shipping, order.shipping_total],
    [say.fee, order.fee],
    [say.tax, order.tax?.mode === 'added' ? order.tax_total : 0],
  ] as const;
  return (
    <section class="panel">
      <h2>{say.items}</h2>
      <ul class="bought">
        {order.items.map(({ name, qty, total }) => (
          <li>
            <span>
              <bdi>{name}</bdi> <small>{say.pieces({ count: t.count(qty) })}</small>
            </span>
            <Money amount={total} />
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ...sums
            .filter(([, amount]) => amount !== 0)
            .map(([name, amount]) => [name, <Money amount={amount} />] as const),
          [say.total, <Money amount={order.total} />],
          ...(isWithin ? [[say.taxIncluded, <Money amount={order.tax_total} />] as const] : []),
        ]}
      />
    </section>
  );
};

type Download = Order['deliveries'][number];

/** What has become of a link: itself it stands in the message to the buyer alone, for who sees an order may not open what it sold. */
const LinkFate = ({ of, now, t }: { readonly of: Download; readonly now: Date; readonly t: Reader }): JSX.Element => {
  const say = buyingTexts(t);
  const left = of.max_downloads - of.downloads;
  if (of.revoked_at !== null || Date.parse(of.expires_at) <= now.getTime()) return <small>{say.ended}</small>;
  if (left <= 0) return <small>{say.used}</small>;
  if (of.sent_at === null) return <small>{say.sending}</small>;
  return (
    <small>
      {say.mailed} <Moment at={of.sent_at} brief />. {say.usable({ count: t.count(left) })}{' '}
      <Moment at={of.expires_at} brief />.
    </small>
  );
};

/** What was bought without a parcel, and where its links are. */
export const Downloads = ({ order, now, t }: Pick<Bought, 'order' | 'now'> & { readonly t: Reader }) => {
  const say = buyingTexts(t);
  return order.deliveries.length === 0 ? null : (
    <Section title={say.downloads}>
      <ul class="panel bought">
        {order.deliveries.map((each) => (
          <li>
            <span>
              <bdi>{each.kind === 'keys' ? say.keys : each.name}</bdi>
              <br />
              <LinkFate of={each} now={now} t={t} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** From one page of an order to its others. */
export const OtherPages = ({ token, of, t }: { readonly token: string; readonly of: Place; readonly t: Reader }) => (
  <p class="shop-ways">
    {PLACES.filter((place) => place !== of).map((place) => (
      <a class="link" href={`/${place}/${token}`}>
        {buyingTexts(t)[place]}
      </a>
    ))}
  </p>
);
