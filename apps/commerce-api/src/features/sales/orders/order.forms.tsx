import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field, MoneyField, Select, TextArea } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { handMethods, leftToPay } from '../payments/public';
import type { Order, OrderRow } from './orders.dto';
import { orderTexts } from './orders.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly order: OrderRow;
}

const pathOf = ({ id }: OrderRow, what: string): string => `/orders/${id}/${what}`;

const Main = ({ text }: { readonly text: string }): JSX.Element => (
  <div class="row-actions">
    <button class="button button-main">{text}</button>
  </div>
);

/** Money that somebody saw. */
export const PaymentForm = ({ form, t, order }: Parts & { readonly order: Order }): JSX.Element => {
  const say = orderTexts(t);
  const of = 'paid';
  const due = leftToPay(order);
  return (
    <Form form={form} action={pathOf(order, 'payment-status')} name={of}>
      <div class="form-two">
        <Select
          {...{ form, of, name: 'method', label: say.method, value: order.payment_method }}
          options={handMethods.map((method) => [method, say.methods[method]])}
        />
        <MoneyField
          {...{ form, of, name: 'amount', label: say.amount }}
          hint={`${say.due({ amount: t.money(due) })}. ${say.payHint}`}
        />
      </div>
      <Main text={say.pay} />
    </Form>
  );
};

export const WaybillForm = ({ form, t, order }: Parts): JSX.Element => {
  const say = orderTexts(t);
  const of = 'ship';
  return (
    <Form form={form} action={pathOf(order, 'waybill')} name={of}>
      <div class="form-two">
        <Field
          {...{ form, of, name: 'courier', label: say.courier, hint: say.courierHint, maxLength: 20, required: true }}
          value={order.shipping?.courier}
        />
        <Field {...{ form, of, name: 'waybill', label: say.waybill, maxLength: 40, required: true }} />
      </div>
      <Main text={say.ship} />
    </Form>
  );
};

/** A step that needs nothing but the word. */
export const StepForm = ({ form, t, order, to }: Parts & { readonly to: 'processing' | 'completed' }): JSX.Element => {
  const say = orderTexts(t);
  return (
    <Form form={form} action={pathOf(order, 'status')} name={to}>
      <input type="hidden" name="status" value={to} />
      {to === 'completed' ? <p class="hint">{say.completeHint}</p> : null}
      <Main text={to === 'completed' ? say.complete : say.process} />
    </Form>
  );
};

export const CancelForm = ({ form, t, order }: Parts): JSX.Element => {
  const say = orderTexts(t);
  const of = 'cancel';
  return (
    <Form form={form} action={pathOf(order, 'cancel')} name={of}>
      <Field
        {...{ form, of, name: 'reason', label: say.reason, hint: say.cancelHint, maxLength: 200, required: true }}
      />
      <div class="row-actions">
        <button class="button button-danger">{say.cancel}</button>
      </div>
    </Form>
  );
};

export const NoteForm = ({ form, t, order }: Parts): JSX.Element => {
  const say = orderTexts(t);
  const of = 'note';
  return (
    <Form form={form} action={pathOf(order, 'notes')} name={of}>
      <TextArea {...{ form, of, name: 'text', label: say.addNote, rows: 2, required: true }} />
      <div class="row-actions">
        <button class="button">{say.addNote}</button>
      </div>
    </Form>
  );
};
