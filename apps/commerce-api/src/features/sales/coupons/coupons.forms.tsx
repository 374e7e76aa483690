import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Field, MoneyField, Select } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { couponKinds, type Coupon } from './coupons.dto';
import { editableOf } from './coupon.rules';
import { couponTexts } from './coupons.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

interface OfCoupon extends Parts {
  readonly coupon: Coupon;
}

/** Which form of the page it is, where it has several. */
type Of = { readonly of?: string };

/** What buyers get, of the kinds that need a number for it. */
const Worth = ({ form, t, of, coupon }: Parts & Of & { readonly coupon?: Coupon }): JSX.Element => {
  const say = couponTexts(t);
  const kind = coupon?.kind;
  return (
    <>
      {kind === undefined || kind === 'percent' || kind === 'fixed' ? (
        <Field
          {...{ form, of, name: 'value', label: say.value, hint: say.valueHint, inputMode: 'numeric' }}
          value={coupon?.value}
        />
      ) : null}
      {kind === undefined || kind === 'buy_get' ? (
        <>
          <Field
            {...{ form, of, name: 'buy_qty', label: say.buy, hint: say.pieces, inputMode: 'numeric' }}
            value={coupon?.buy_qty}
          />
          <Field
            {...{ form, of, name: 'get_qty', label: say.get, hint: say.pieces, inputMode: 'numeric' }}
            value={coupon?.get_qty}
          />
        </>
      ) : null}
    </>
  );
};

/** For whom it counts, and how often. */
const Limits = ({ form, t, of, coupon }: Parts & Of & { readonly coupon?: Coupon }): JSX.Element => {
  const say = couponTexts(t);
  return (
    <>
      <MoneyField
        {...{ form, of, name: 'min_subtotal', label: say.minSubtotal }}
        value={coupon?.min_subtotal || null}
      />
      <Field
        {...{ form, of, name: 'usage_limit', label: say.usageLimit, hint: say.unlimited, inputMode: 'numeric' }}
        value={coupon?.usage_limit}
      />
      <Field
        {...{ form, of, name: 'per_contact_limit', label: say.perContact, hint: say.unlimited, inputMode: 'numeric' }}
        value={coupon?.per_contact_limit}
      />
    </>
  );
};

export const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = couponTexts(t);
  return (
    <Form form={form} action="/coupons">
      <fieldset class="form-two">
        <legend>{say.create}</legend>
        <Field {...{ form, name: 'code', label: say.code, hint: say.codeHint, maxLength: 32, required: true }} />
        <Select
          {...{ form, name: 'kind', label: say.kind }}
          options={couponKinds.map((kind) => [kind, say.kinds[kind]])}
        />
        <Worth form={form} t={t} />
        <Limits form={form} t={t} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const ChangeForm = ({ form, t, coupon }: OfCoupon): JSX.Element => {
  const say = couponTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={`/coupons/${coupon.id}`} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(coupon))} />
      <fieldset class="form-two">
        <legend>{say.kinds[coupon.kind]}</legend>
        <Worth {...{ form, t, of, coupon }} />
        <Limits {...{ form, t, of, coupon }} />
        <Select
          {...{ form, of, name: 'status', label: say.status, value: coupon.status }}
          options={[
            ['active', say.states.active],
            ['paused', say.states.paused],
          ]}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const ArchiveForm = ({ form, t, coupon }: OfCoupon): JSX.Element => {
  const say = couponTexts(t);
  return (
    <Form form={form} action={`/coupons/${coupon.id}`} name="archive">
      <p class="hint">{say.archiveHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.archive}</button>
      </div>
    </Form>
  );
};
