import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, Select, TextArea } from '../../../web/ui/field';
import { Form, idOf, SaveBar, stateOf } from '../../../web/ui/form';
import { Money, Notice } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import { Picker, textOf } from '../picking/public';
import { typedOf, type Desk } from './order-desk';
import { deskTexts } from './order-desk.texts';
import { ITEMS, LOST } from './order.typed';
import type { Order } from './orders.dto';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly desk: Desk;
  /** Which form of its page, where there are several. */
  readonly of?: string;
  /** What was there before. */
  readonly order?: Order;
}

/** What each input holds as the order has it now. */
const nowIn = (order: Order | undefined) => {
  const typed = order ? typedOf(order) : {};
  return (name: string): string | undefined => (order ? textOf(typed, name) : undefined);
};

const Buyer = ({ form, t, of, order, given }: Parts & { readonly given?: Given }): JSX.Element => {
  const say = deskTexts(t);
  const now = nowIn(order);
  const value = (name: keyof Given) => now(`contact[${name}]`) ?? given?.[name];
  return (
    <fieldset class="form-two" id={idOf('contact', of)}>
      <legend>{say.buyer}</legend>
      <Field
        {...{ form, of, name: 'contact[name]', label: say.name, maxLength: 200, required: true }}
        {...{ autocomplete: 'off', value: value('name') }}
      />
      <Field
        {...{ form, of, name: 'contact[phone]', label: say.phone, hint: say.phoneHint, required: true }}
        {...{ type: 'tel', inputMode: 'tel', autocomplete: 'off', value: value('phone') }}
      />
      <Field
        {...{ form, of, name: 'contact[email]', label: say.email, hint: say.emailHint }}
        {...{ type: 'email', inputMode: 'email', autocomplete: 'off', value: value('email') }}
      />
    </fieldset>
  );
};

const Place = ({ form, t, of, order }: Parts): JSX.Element => {
  const say = deskTexts(t);
  const now = nowIn(order);
  const parts = (['district', 'city', 'province', 'postcode'] as const).map((part) => (
    <Field
      {...{ form, of, name: `address[${part}]`, label: say[part], autocomplete: 'off' }}
      {...{ maxLength: part === 'postcode' ? 10 : 100, value: now(`address[${part}]`) }}
    />
  ));
  return (
    <fieldset class="form-two" id={idOf('address', of)}>
      <legend>{say.address}</legend>
      <TextArea
        {...{ form, of, name: 'address[line]', label: say.line, rows: 2, value: now('address[line]') }}
        hint={t.form.optional}
      />
      {parts}
    </fieldset>
  );
};

const Ways = ({ form: all, t, desk, of }: Parts): JSX.Element => {
  const say = deskTexts(t);
  const wayState = stateOf(all, of);
  const { errors } = wayState;
  const wrong = ['shipping', 'shipping[method_id]', 'shipping[option]', 'way']
    .map((name) => errors[name])
    .find(Boolean);
  const form = { ...wayState, ...(wrong !== undefined && { errors: { ...errors, way: wrong } }) };
  const nameOf = ({ courier, service, name, cost, etd_days: days }: Desk['ways'][number]): string =>
    [[courier, service ?? name].filter(Boolean).join(' '), t.money(cost), ...(days === null ? [] : [`(${days})`])].join(
      ' ',
    );
  return (
    <>
      <input type="hidden" name="quote" value={desk.ways[0]?.quote_id ?? ''} />
      <Select
        {...{ form, of, name: 'way', label: say.shipping, hint: say.shippingHint, value: desk.way }}
        options={[
          ...(desk.way === LOST ? [[LOST, say.lost] as const] : []),
          ['', say.noShipping],
          ['pickup', say.pickup],
          ...desk.ways.map((way) => [way.option, nameOf(way)] as const),
        ]}
      />
    </>
  );
};

const Paying = (parts: Parts): JSX.Element => {
  const { form, t, desk, of, order } = parts;
  const say = deskTexts(t);
  const now = nowIn(order);
  const codes = new Set([...(order ? [order.payment_method] : []), ...desk.methods]);
  return (
    <fieldset class="form-two">
      <legend>{say.payment}</legend>
      <Ways {...parts} />
      <Select
        {...{ form, of, name: 'payment_method', label: say.method, value: now('payment_method') }}
        options={[...codes].map((code) => [code, say.methods[code]])}
      />
      <Field
        {...{ form, of, name: 'coupon', label: say.coupon, hint: t.form.optional, maxLength: 32, value: now('coupon') }}
      />
      <Field
        {...{ form, of, name: 'note', label: say.note, hint: t.form.optional, maxLength: 500, value: now('note') }}
      />
    </fieldset>
  );
};

/** What it costs as it stands there. */
const Counted = ({ t, desk: { totals } }: Parts): JSX.Element | null => {
  const say = deskTexts(t);
  if (!totals) return null;
  const { subtotal, discount, shipping_total, fee, total, warnings } = totals;
  const facts: readonly (readonly [string, number])[] = [
    [say.goods, subtotal - discount],
    ...(shipping_total > 0 ? [[say.shipping, shipping_total] as const] : []),
    ...(fee > 0 ? [[say.payment, fee] as const] : []),
    [say.total, total],
  ];
  return (
    <div role="status">
      {warnings.length > 0 ? <Notice text={say.couponUnused} /> : null}
      <Facts facts={facts.map(([name, amount]) => [name, <Money amount={amount} />])} />
    </div>
  );
};

interface Given {
  readonly name: string;
  readonly phone: string;
  readonly email?: string | undefined;
}

/** The form by which an order is made or changed; its buttons that look something up keep all that was typed. */
export const OrderForm = (parts: Parts & { readonly given?: Given; readonly action: string }): JSX.Element => {
  const { form, t, of, desk, order, action } = parts;
  const say = deskTexts(t);
  return (
    <Form form={form} action={action} name={of}>
      {order ? <input type="hidden" name="version" value={order.version} /> : null}
      <Picker {...{ form, t, of, list: ITEMS, picking: desk }} />
      <Buyer {...parts} />
      <Place {...parts} />
      <Paying {...parts} />
      <section class="panel">
        <button class="button" name="count" value="1">
          {say.count}
        </button>
        <Counted {...parts} />
      </section>
      <SaveBar text={order ? say.saveChange : say.save}>
        <a class="button" href={order ? action : '/orders'}>
          {t.form.cancel}
        </a>
      </SaveBar>
    </Form>
  );
};

export interface NewOrderData {
  readonly desk: Desk;
  readonly given: Given | undefined;
}

export const NewOrderView = ({ form, t, data: { desk, given } }: Shown<NewOrderData, object>): JSX.Element => (
  <OrderForm {...{ form, t, desk, given, action: '/orders' }} />
);
