import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Check, Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack } from '../../../web/ui/form';
import { Chip, Empty, Section } from '../../../web/ui/parts';
import { seenOf } from '../../../web/seen';
import { bankCodes, banks, type TransferAccount } from '../accounts/public';
import type { MethodView } from '../methods/public';
import { Method } from './method.view';
import { paymentTexts } from './payments.texts';

interface Ways {
  readonly methods: readonly MethodView[];
  readonly accounts: readonly TransferAccount[];
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const TO = '/settings/payments';

const AccountForm = ({ form, t, of, one }: Parts & { readonly of: string; readonly one?: TransferAccount }) => {
  const say = paymentTexts(t);
  return (
    <Form form={form} action={TO} name={of}>
      {one ? <input type="hidden" name="id" value={one.id} /> : null}
      {one ? <input type="hidden" name="seen" value={seenOf(one)} /> : null}
      <fieldset class="form-two">
        <Select
          {...{ form, of, name: 'bank_code', label: say.bank, value: one?.bank_code ?? 'BCA' }}
          options={bankCodes.map((code) => [code, banks[code]])}
        />
        <Field
          {...{ form, of, name: 'number', label: say.number, hint: say.numberHint, inputMode: 'numeric' }}
          {...{ value: one?.number, autocomplete: 'off', maxLength: 34, required: true }}
        />
        <Field
          {...{ form, of, name: 'holder', label: say.holder, value: one?.holder, maxLength: 100, required: true }}
        />
        <Check {...{ form, of, name: 'active', label: say.active, value: one?.active ?? true }} />
      </fieldset>
      <div class="row-actions">
        <button class="button button-main">{say.save}</button>
      </div>
    </Form>
  );
};

const AccountRow = ({ form, t, one }: Parts & { readonly one: TransferAccount }): JSX.Element => {
  const say = paymentTexts(t);
  const [save, remove] = [`save.${one.id}`, `remove.${one.id}`];
  return (
    <details class="panel" open={isBack(form, save) || isBack(form, remove)}>
      <summary class="summary-row">
        <span>
          <b>
            {one.bank} {one.number}
          </b>
          <br />
          <small>{one.holder}</small>
        </span>
        <Chip tone={one.active ? 'good' : 'plain'}>{one.active ? say.shown : say.hidden}</Chip>
      </summary>
      <AccountForm {...{ form, t, of: save, one }} />
      <Form form={form} action={TO} name={remove}>
        <input type="hidden" name="id" value={one.id} />
        <div class="row-actions">
          <button class="button button-danger">{say.remove}</button>
        </div>
      </Form>
    </details>
  );
};

export const PaymentsView = ({ data: { methods, accounts }, form, t }: Shown<Ways>): JSX.Element => {
  const say = paymentTexts(t);
  return (
    <>
      <Section title={say.methods}>
        <p class="hint">{say.text}</p>
        <ul class="rows">
          {methods.map((method) => (
            <li>
              <Method {...{ form, t, method }} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={say.accounts}>
        <Adder title={say.add} isOpen={isBack(form, 'add')}>
          <AccountForm {...{ form, t, of: 'add' }} />
        </Adder>
        {accounts.length === 0 ? (
          <Empty text={say.none} />
        ) : (
          <ul class="rows">
            {accounts.map((one) => (
              <li>
                <AccountRow {...{ form, t, one }} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
};
