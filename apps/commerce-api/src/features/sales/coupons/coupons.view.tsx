import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { List } from '../../../web/ui/list';
import { Adder, isBack } from '../../../web/ui/form';
import { Chip, Empty, Moment, Money, Section, type Tone } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Table, type Column } from '../../../web/ui/table';
import { couponStates, type Coupon, type CouponState, type CouponsQuery, type CouponUsage } from './coupons.dto';
import { ArchiveForm, ChangeForm, NewForm } from './coupons.forms';
import { couponTexts } from './coupons.texts';

type All = Shown<ListedPage<Coupon>, CouponsQuery>;
type One = Shown<{ readonly coupon: Coupon; readonly usages: readonly CouponUsage[] }>;

const TONES: Readonly<Record<CouponState, Tone>> = { active: 'good', paused: 'wait', archived: 'plain' };

const State = ({ status, t }: { readonly status: CouponState; readonly t: Reader }): JSX.Element => (
  <Chip tone={TONES[status]}>{couponTexts(t).states[status]}</Chip>
);

const worthOf = ({ kind, value, buy_qty: buy, get_qty: get }: Coupon, t: Reader): string => {
  if (kind === 'percent') return `${value}%`;
  if (kind === 'fixed') return t.money(value);
  const say = couponTexts(t);
  return kind === 'buy_get' ? `${say.buy} ${t.count(buy)}, ${say.get.toLowerCase()} ${t.count(get)}` : say.kinds[kind];
};

const usageOf = ({ used_count: used, usage_limit: limit }: Coupon, t: Reader): string =>
  couponTexts(t).usage({ used: t.count(used), limit: limit === null ? null : t.count(limit) });

const columnsFor = (t: Reader): readonly Column<Coupon>[] => {
  const say = couponTexts(t);
  return [
    { title: say.code, main: true, sort: 'code', cell: ({ id, code }) => <a href={`/coupons/${id}`}>{code}</a> },
    { title: say.status, plain: true, cell: ({ status }) => <State status={status} t={t} /> },
    { title: say.value, plain: true, cell: (coupon) => worthOf(coupon, t) },
    { title: say.used, sort: 'used_count', cell: (coupon) => usageOf(coupon, t) },
  ];
};

export const CouponList = ({ data, query, t }: All): JSX.Element => {
  const say = couponTexts(t);
  const states = couponStates.map((status) => ({ text: say.states[status], set: { status } }));
  return (
    <List
      {...{ path: '/coupons', query, usualSort: '-created_at', caption: t.nav.places.coupons, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      views={[{ text: t.list.all, set: {} }, ...states]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const CouponsView = (shown: All): JSX.Element => {
  const { form, t } = shown;
  return (
    <>
      <Adder title={couponTexts(t).create} isOpen={isBack(form)}>
        <NewForm form={form} t={t} />
      </Adder>
      <CouponList {...shown} />
    </>
  );
};

const usageColumns = (t: Reader): readonly Column<CouponUsage>[] => {
  const say = couponTexts(t);
  return [
    {
      ...{ title: say.order, main: true },
      cell: ({ order_id: id, order_number: number }) => <Way to={`/orders/${id}`}>{number}</Way>,
    },
    { title: say.at, cell: ({ at }) => <Moment at={at} /> },
    { title: say.taken, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  ];
};

export const CouponView = ({ data, form, t }: One): JSX.Element => {
  const { coupon, usages } = data;
  const say = couponTexts(t);
  const isOpen = coupon.status !== 'archived';
  return (
    <>
      <p>
        <State status={coupon.status} t={t} /> {say.kinds[coupon.kind]} {worthOf(coupon, t)} · {say.used.toLowerCase()}{' '}
        {usageOf(coupon, t)}
      </p>
      {isOpen ? <ChangeForm form={form} t={t} coupon={coupon} /> : null}
      <Section title={say.orders}>
        {usages.length === 0 ? (
          <Empty text={say.noOrders} />
        ) : (
          <Table caption={say.orders} rows={usages} columns={usageColumns(t)} />
        )}
      </Section>
      {isOpen ? <ArchiveForm form={form} t={t} coupon={coupon} /> : null}
    </>
  );
};
