import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Form } from '../../../web/ui/form';
import { hx } from '../../../web/ui/hx';
import { Money } from '../../../web/ui/parts';
import type { RateOption } from '../../shipping/rates/public';
import { checkoutTexts } from './checkout.texts';
import type { CartView } from './sessions.dto';

/** The ways to send a cart; `away`: who knows them does not answer. */
export type Options = readonly RateOption[] | 'away';

interface ShippingParts {
  readonly token: string;
  readonly view: CartView;
  readonly options: Options | undefined;
  readonly form: FormState;
  readonly t: Reader;
}

const nameOf = ({ name, etd_days }: RateOption, t: Reader): string =>
  etd_days === null ? name : `${name} · ${checkoutTexts(t).days({ days: etd_days })}`;

const Choices = ({ token, options, form, t }: ShippingParts & { readonly options: readonly RateOption[] }) => {
  const say = checkoutTexts(t);
  if (options.length === 0) return <p>{say.noShipping}</p>;
  return (
    <Form form={form} action={`/checkout/${token}`} name="shipping">
      <div class="shop-choices">
        {options.map((option, at) => (
          <label class="shop-choice">
            <input type="radio" name="choice" value={`${option.quote_id} ${option.option}`} checked={at === 0} />
            <span>{nameOf(option, t)}</span>
            <Money amount={option.cost} />
          </label>
        ))}
      </div>
      <button class="button button-main">{say.saveShipping}</button>
    </Form>
  );
};

/** How it is sent: what was chosen, what there is, or the way to ask; with script it is asked by itself. */
export const ShippingBlock = (parts: ShippingParts): JSX.Element => {
  const { token, view, options, t } = parts;
  const say = checkoutTexts(t);
  const { shipping } = view;
  const all = `/checkout/${token}?ship=1#shipping`;
  const isTooSoon = view.buyer === null && shipping === null && options === undefined;
  const isAsked = options === undefined && shipping === null && view.buyer !== null;
  const ask = { get: `/checkout/${token}/shipping`, trigger: 'load', target: '#shipping', swap: 'outerHTML' } as const;
  return (
    <section class="panel" id="shipping" {...(isAsked ? hx(ask) : {})}>
      <h2>{say.shipping}</h2>
      {shipping === null ? null : (
        <p>
          {[shipping.courier?.toUpperCase(), shipping.service].filter(Boolean).join(' · ')}{' '}
          <Money amount={view.shipping_total} />
        </p>
      )}
      {options === 'away' ? <p class="alert bad">{say.shippingAway}</p> : null}
      {isTooSoon ? <p>{say.addressFirst}</p> : null}
      {isTooSoon ? null : options === undefined || options === 'away' ? (
        <a class="link" href={all}>
          {shipping === null ? say.showShipping : say.changeShipping}
        </a>
      ) : (
        <Choices {...parts} options={options} />
      )}
    </section>
  );
};
