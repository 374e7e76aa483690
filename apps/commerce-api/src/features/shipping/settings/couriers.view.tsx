import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Check, Field, MoneyField, PercentField } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Empty, Notice } from '../../../web/ui/parts';
import { seenOf } from '../../../web/seen';
import type { Couriers } from '../couriers/public';
import { shippingTexts } from './shipping.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly data: Couriers & { readonly areTold: boolean };
  readonly may: boolean;
}

/** Rows for couriers that are added. */
const MORE = 2;
const MOST = 20;
const of = 'couriers';
type Row = Couriers['couriers'][number] | undefined;

const CourierRow = ({ form, t, row, at }: Pick<Parts, 'form' | 't'> & { readonly row: Row; readonly at: number }) => {
  const say = shippingTexts(t);
  const name = (member: string): string => `couriers[${at}]${member}`;
  return (
    <fieldset class="form-two">
      <legend>{row?.code ?? say.code}</legend>
      {row?.services.map((service) => (
        <input type="hidden" name={name('[services]')} value={service} />
      ))}
      <Field
        {...{ form, of, name: name('[code]'), label: say.code, hint: say.codeHint, maxLength: 20, value: row?.code }}
      />
      <Check {...{ form, of, name: name('[active]'), label: say.on, value: row?.active ?? true }} />
      <PercentField
        {...{ form, of, name: name('[markup][percent_bp]'), label: say.markupPercent, hint: say.markupHint }}
        value={row?.markup.percent_bp}
      />
      <MoneyField {...{ form, of, name: name('[markup][fixed]'), label: say.markupFixed, value: row?.markup.fixed }} />
    </fieldset>
  );
};

/** Which couriers are offered; a row whose code is emptied goes. */
export const CouriersForm = ({ form, t, data, may }: Parts): JSX.Element => {
  const say = shippingTexts(t);
  const { couriers, free_shipping: free, areTold } = data;
  if (!may) return <Empty text={couriers.map(({ code }) => code).join(', ') || say.noCouriers} />;
  const count = Math.min(MOST, couriers.length + MORE);
  const rows: Row[] = Array.from({ length: count }, (_, at) => couriers[at]);
  return (
    <Form form={form} action="/shipping" name={of}>
      <input type="hidden" name="seen" value={seenOf({ couriers, free_shipping: free })} />
      {areTold ? null : <Notice text={say.noCouriers} />}
      <p class="hint">{say.couriersHint}</p>
      {rows.map((row, at) => (
        <CourierRow {...{ form, t, row, at }} />
      ))}
      <div class="form-two">
        <MoneyField
          {...{ form, of, name: 'free_shipping[min_subtotal]', label: say.free, hint: say.freeHint }}
          value={free?.min_subtotal}
        />
        <MoneyField
          {...{ form, of, name: 'free_shipping[max_cost]', label: say.freeMost, hint: t.form.optional }}
          value={free?.max_cost}
        />
      </div>
      <SaveBar text={say.save} />
    </Form>
  );
};
