import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import { Field, TextArea } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Alert, Money } from '../../../web/ui/parts';
import { Picture } from '../../../web/ui/picture';
import { Facts } from '../../../web/ui/table';
import type { FoundPlace } from './cart-places';
import { checkoutTexts } from './checkout.texts';
import { ShippingBlock, type Options } from './checkout.shipping';
import type { CartView } from './sessions.dto';
import type { Needs } from './sessions.service';

/** A cart on the page of its buyer. */
export interface Checkout {
  readonly token: string;
  readonly view: CartView;
  readonly needs: Needs;
  /** Undefined: not asked for yet. */
  readonly options: Options | undefined;
  /** What the buyer called the place, and what it may mean. */
  readonly sought: { readonly place: string; readonly places: readonly FoundPlace[] } | undefined;
}
type Shown = BuyerShown<Checkout>;
type Line = CartView['lines'][number];

const pathOf = ({ token }: Checkout): string => `/checkout/${token}`;

interface LineParts {
  readonly line: Line;
  readonly at: number;
  readonly shown: Shown;
}

const Quantity = ({ line: { qty, editable }, at, shown: { form, t } }: LineParts): JSX.Element => {
  const say = checkoutTexts(t);
  const name = `items[${at}][qty]`;
  if (editable) return <Field {...{ form, of: 'items', name, label: say.qty, value: qty }} inputMode="numeric" />;
  return (
    <small>
      <input type="hidden" name={name} value={qty} />
      {say.pieces({ count: t.count(qty) })}
    </small>
  );
};

const LineRow = (parts: LineParts): JSX.Element => {
  const { line, at, shown } = parts;
  const say = checkoutTexts(shown.t);
  const { name, options, total, available, editable, variant_id, image_url } = line;
  const chosen = Object.values(options as Readonly<Record<string, string>>).join(', ');
  return (
    <li>
      <div class="cart-line">
        <span class="cart-goods">
          {image_url === null ? null : <Picture class="picture" url={image_url} sizes="56px" width={56} height={56} />}
          <span>
            <bdi>{name}</bdi> {chosen === '' ? null : <small dir="auto">{chosen}</small>}
          </span>
        </span>
        <input type="hidden" name={`items[${at}][variant_id]`} value={variant_id} />
        <Quantity {...parts} />
        {available ? null : <p class="error">{say.gone}</p>}
        {editable ? (
          <button class="link" name="without" value={variant_id}>
            {say.remove}
            <span class="sr">{name}</span>
          </button>
        ) : null}
      </div>
      <Money amount={total} />
    </li>
  );
};

const Lines = (shown: Shown): JSX.Element => {
  const { data, form, t } = shown;
  const say = checkoutTexts(t);
  const { lines } = data.view;
  if (lines.length === 0) return <p class="panel">{say.empty}</p>;
  return (
    <section class="panel">
      <h2>{say.items}</h2>
      <Form form={form} action={pathOf(data)} name="items">
        {/* The first button is the one that Enter presses */}
        {lines.some(({ editable }) => editable) ? <button class="sr">{say.update}</button> : null}
        <ul class="bought">
          {lines.map((line, at) => (
            <LineRow {...{ line, at, shown }} />
          ))}
        </ul>
        {lines.some(({ editable }) => editable) ? <button class="button">{say.update}</button> : null}
      </Form>
    </section>
  );
};

/** What the place of an address is called: `Coblong, Bandung`. */
export const placeName = (address: CartView['address']): string =>
  [address?.district, address?.city].filter(Boolean).join(', ');

/** Where something is sent: in the buyer's words, and which of the places that they mean. */
const Place = ({ data: { view, sought }, form, t }: Shown): JSX.Element => {
  const say = checkoutTexts(t);
  const of = 'buyer';
  const { address } = view;
  const known = sought?.place ?? placeName(address);
  return (
    <>
      <TextArea
        {...{ form, of, name: 'address[line]', label: say.line, hint: say.lineHint, value: address?.line, rows: 2 }}
      />
      <Field {...{ form, of, name: 'place', label: say.place, hint: say.placeHint, value: known, maxLength: 80 }} />
      {sought === undefined || sought.places.length === 0 ? null : (
        <fieldset>
          <legend>{say.area}</legend>
          <input type="hidden" name="asked" value={sought.place} />
          <div class="shop-choices">
            {sought.places.map(({ id, label }) => (
              <label class="shop-choice">
                <input type="radio" name="address[area_id]" value={id} />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
};

const Buyer = (shown: Shown): JSX.Element => {
  const { data, form, t } = shown;
  const say = checkoutTexts(t);
  const { view, needs } = data;
  const common = { form, of: 'buyer' };
  return (
    <section class="panel" id="buyer">
      <h2>{say.buyer}</h2>
      <Form form={form} action={pathOf(data)} name="buyer">
        <Field
          {...common}
          name="buyer[name]"
          label={say.name}
          value={view.buyer?.name}
          autocomplete="name"
          maxLength={200}
          required
        />
        <Field
          {...{ ...common, name: 'buyer[phone]', label: say.phone, hint: say.phoneHint, required: true }}
          {...{ value: view.buyer && `+${view.buyer.phone}`, type: 'tel', autocomplete: 'tel' }}
        />
        {needs.email ? (
          <Field
            {...{ ...common, name: 'buyer[email]', label: say.email, hint: say.emailHint, value: view.buyer?.email }}
            {...{ type: 'email', autocomplete: 'email', required: true }}
          />
        ) : null}
        {needs.address ? <Place {...shown} /> : null}
        <button class={view.buyer ? 'button' : 'button button-main'}>{say.saveBuyer}</button>
      </Form>
    </section>
  );
};

const Coupon = ({ data, form, t }: Shown): JSX.Element | null => {
  const say = checkoutTexts(t);
  const { coupon, settings } = data.view;
  const action = `${pathOf(data)}/coupon`;
  if (!settings.show_coupon) return null;
  if (coupon?.code)
    return (
      <section class="panel">
        {coupon.amount > 0 ? null : <p class="alert bad">{say.couponGone}</p>}
        <Form form={form} action={action} name="remove">
          <button class="button">{say.dropCoupon({ code: coupon.code })}</button>
        </Form>
      </section>
    );
  return (
    <section class="panel">
      <Form form={form} action={action} name="apply">
        <Field {...{ form, of: 'apply', name: 'code', label: say.code, maxLength: 32, autocomplete: 'off' }} />
        <button class="button">{say.apply}</button>
      </Form>
    </section>
  );
};

const Totals = ({ data: { view }, t }: Shown): JSX.Element => {
  const say = checkoutTexts(t);
  const isAdded = view.subtotal - view.discount + view.shipping_total + view.fee + view.tax_total === view.total;
  const sums = [
    [say.subtotal, view.subtotal],
    [say.discount, -view.discount],
    [say.shippingCost, view.shipping_total],
    ...(isAdded ? [[say.tax, view.tax_total] as const] : []),
  ] as const;
  const rows = sums
    .filter(([, amount]) => amount !== 0)
    .map(([name, amount]) => [name, <Money amount={amount} />] as const);
  // A part of the total is none of what it is the sum of
  const within = isAdded || view.tax_total === 0 ? [] : [[say.taxIncluded, <Money amount={view.tax_total} />] as const];
  return <Facts facts={[...rows, [say.total, <Money amount={view.total} />], ...within]} />;
};

/** Each way to pay says what it costs; pressing it places the order. */
const Payment = (shown: Shown): JSX.Element => {
  const { data, form, t } = shown;
  const say = checkoutTexts(t);
  const { view } = data;
  const isReady = view.buyer !== null && (view.shipping !== null || !data.needs.shipping);
  if (!isReady || view.payment_methods.length === 0)
    return (
      <section class="panel" id="payment">
        <h2>{say.payment}</h2>
        {isBack(form, 'place') ? <Alert text={form.alert ?? Object.values(form.errors).join(' ')} /> : null}
        <Totals {...shown} />
        <p>{isReady ? say.noMethods : say.notYet}</p>
      </section>
    );
  return (
    <section class="panel" id="payment">
      <h2>{say.payment}</h2>
      <Totals {...shown} />
      <Form form={form} action={`${pathOf(data)}/place`} name="place">
        <TextArea {...{ form, of: 'place', name: 'note', label: say.note, rows: 2 }} />
        <p>{say.payHint}</p>
        <div class="shop-choices">
          {view.payment_methods.map(({ code, total }) => (
            <button class="button button-main" name="choice" value={`${code} ${total}`}>
              <span>{say.payBy({ name: say.methods[code] })}</span>
              <b>{t.money(total)}</b>
            </button>
          ))}
        </div>
      </Form>
    </section>
  );
};

/** One page, from what is bought to how it is paid. */
export const CheckoutPage = (shown: Shown): JSX.Element => {
  const { data, form, t } = shown;
  const say = checkoutTexts(t);
  const { token, view, needs, options } = data;
  return (
    <>
      <h1>{say.title}</h1>
      {view.store.status === 'closed' ? <p class="alert bad">{say.closed}</p> : null}
      <Lines {...shown} />
      {view.lines.length === 0 ? null : (
        <>
          <Buyer {...shown} />
          {needs.shipping ? <ShippingBlock {...{ token, view, options, form, t }} /> : null}
          <Coupon {...shown} />
          <Payment {...shown} />
        </>
      )}
      <p class="shop-ways">
        <a class="link" href={`/s/${view.store.slug}`}>
          {say.more}
        </a>
      </p>
    </>
  );
};
