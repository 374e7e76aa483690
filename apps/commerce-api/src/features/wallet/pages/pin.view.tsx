import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { walletTexts } from './wallet.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

type PinParts = Parts & { readonly of: string; readonly name: 'pin' | 'current_pin' };

const Pin = ({ form, t, of, name }: PinParts): JSX.Element => {
  const say = walletTexts(t);
  const isNew = name === 'pin';
  return (
    <Field
      {...{ form, of, name, label: isNew ? say.newPin : say.currentPin, hint: isNew ? say.newPinHint : undefined }}
      {...{ type: 'password', inputMode: 'numeric', autocomplete: 'off', maxLength: 6, required: true }}
    />
  );
};

const SetForm = ({ form, t }: Parts): JSX.Element => {
  const say = walletTexts(t);
  const of = 'set';
  return (
    <Form form={form} action="/wallet/pin" name={of}>
      <fieldset>
        <legend>{say.pinNew}</legend>
        <Pin {...{ form, t, of, name: 'pin' }} />
        <Field
          {...{ form, of, name: 'password', label: say.password, type: 'password', autocomplete: 'current-password' }}
          required
        />
      </fieldset>
      <SaveBar text={say.pinNew} />
    </Form>
  );
};

const ChangeForm = ({ form, t }: Parts): JSX.Element => {
  const say = walletTexts(t);
  const of = 'change';
  return (
    <Form form={form} action="/wallet/pin" name={of}>
      <fieldset>
        <legend>{say.pinChange}</legend>
        <Pin {...{ form, t, of, name: 'current_pin' }} />
        <Pin {...{ form, t, of, name: 'pin' }} />
      </fieldset>
      <SaveBar text={say.pinChange} />
    </Form>
  );
};

const ResetForms = ({ form, t }: Parts): JSX.Element => {
  const say = walletTexts(t);
  const of = 'reset';
  return (
    <section class="panel">
      <h2>{say.pinReset}</h2>
      <p class="hint">{say.resetHint}</p>
      <Form form={form} action="/wallet/pin" name="forgot">
        <div class="row-actions">
          <button class="button">{say.sendCode}</button>
        </div>
      </Form>
      <Form form={form} action="/wallet/pin" name={of}>
        <Field
          {...{ form, of, name: 'code', label: say.code, inputMode: 'numeric', autocomplete: 'one-time-code' }}
          {...{ maxLength: 6, required: true }}
        />
        <Pin {...{ form, t, of, name: 'pin' }} />
        <div class="row-actions">
          <button class="button button-danger">{say.resetPin}</button>
        </div>
      </Form>
    </section>
  );
};

export const PinView = ({ data, form, t }: Shown<{ readonly isSet: boolean }>): JSX.Element =>
  data.isSet ? (
    <>
      <ChangeForm form={form} t={t} />
      <ResetForms form={form} t={t} />
    </>
  ) : (
    <SetForm form={form} t={t} />
  );
