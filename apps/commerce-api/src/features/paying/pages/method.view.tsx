import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Check, Field, MoneyField, PercentField, Select } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Chip } from '../../../web/ui/parts';
import { seenOf } from '../../../web/seen';
import { credentialNames, editableOf } from '../methods/public';
import type { MethodView } from '../methods/public';
import { paymentTexts } from './payments.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly method: MethodView;
}

const TO = '/settings/payments';
const bearers = ['merchant', 'buyer'] as const;
const ofMethod = ({ code }: MethodView): string => `method.${code}`;

const State = ({ method, t }: Pick<Parts, 'method' | 't'>): JSX.Element => {
  const { states } = paymentTexts(t);
  if (!method.enabled) return <Chip tone="plain">{states.off}</Chip>;
  return method.configured ? <Chip tone="good">{states.on}</Chip> : <Chip tone="wait">{states.incomplete}</Chip>;
};

/** What it costs, and who bears it; of a gateway of the platform the fee is not the shop's to set. */
const Terms = ({ form, t, method }: Parts): JSX.Element => {
  const say = paymentTexts(t);
  const of = ofMethod(method);
  const { fee, min, max } = method;
  return (
    <fieldset class="form-two">
      <Select
        {...{ form, of, name: 'fee_bearer', label: say.bearer, value: method.fee_bearer }}
        options={bearers.map((each) => [each, say.bearers[each]])}
      />
      {method.kind === 'gateway' ? null : (
        <>
          <MoneyField {...{ form, of, name: 'fee[fixed]', label: say.feeFixed, value: fee.fixed }} />
          <PercentField
            {...{ form, of, name: 'fee[percent_bp]', label: say.feePercent, hint: say.feeHint, value: fee.percent_bp }}
          />
        </>
      )}
      <MoneyField {...{ form, of, name: 'min', label: say.min, hint: say.any, value: min }} />
      <MoneyField {...{ form, of, name: 'max', label: say.max, hint: say.any, value: max }} />
    </fieldset>
  );
};

const Credentials = ({ form, t, method }: Parts): JSX.Element => {
  const say = paymentTexts(t);
  const of = ofMethod(method);
  const words: Readonly<Record<string, string>> = { ...say.credentials, merchant: say.merchant };
  return (
    <fieldset>
      <legend>{say.own}</legend>
      <p class="hint">{say.ownHint}</p>
      {credentialNames(method.code).map((name) => (
        <Field
          {...{ form, of, name: `credentials[${name}]`, label: words[name] ?? name, type: 'password' }}
          {...{ autocomplete: 'off', maxLength: 200 }}
        />
      ))}
      {method.mode === 'direct' ? <Check {...{ form, of, name: 'forget', label: say.forget }} /> : null}
    </fieldset>
  );
};

/** One way to pay: closed until somebody looks into it, open when it came back. */
export const Method = ({ form, t, method }: Parts): JSX.Element => {
  const say = paymentTexts(t);
  const { code, kind, mode, configured } = method;
  const of = ofMethod(method);
  return (
    <details class="panel" open={isBack(form, of)}>
      <summary class="summary-row">
        <b>{say.names[code]}</b>
        <State method={method} t={t} />
      </summary>
      {kind === 'gateway' ? <p class="hint">{say[mode]}</p> : null}
      {code === 'transfer' && !configured ? <p class="hint">{say.needsAccount}</p> : null}
      <Form form={form} action={TO} name={of}>
        <input type="hidden" name="code" value={code} />
        <input type="hidden" name="seen" value={seenOf(editableOf(method))} />
        <Check {...{ form, of, name: 'enabled', label: say.enabled, value: method.enabled }} />
        <Terms {...{ form, t, method }} />
        {kind === 'gateway' ? <Credentials {...{ form, t, method }} /> : null}
        <div class="row-actions">
          <button class="button button-main">{say.save}</button>
        </div>
      </Form>
    </details>
  );
};
