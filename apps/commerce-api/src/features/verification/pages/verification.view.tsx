import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Alert, Chip, Section } from '../../../web/ui/parts';
import { isOpen, kycKinds, type Kyc } from '../kyc/public';
import { BeginForm, Check } from './kyc.view';
import { verificationTexts } from './verification.texts';

/** The number of who looks at the page. */
export interface Phone {
  readonly number: string | null;
  readonly isProved: boolean;
}

interface Verification {
  readonly checks: readonly Kyc[];
  readonly phone: Phone;
}

const TO = '/verification';

const ProofForms = ({ form, t }: { readonly form: FormState; readonly t: Reader }): JSX.Element => {
  const say = verificationTexts(t).phone;
  return (
    <>
      <Form form={form} action={TO} name="send">
        <div class="row-actions">
          <button class="button">{say.send}</button>
        </div>
      </Form>
      <Form form={form} action={TO} name="confirm">
        <Field
          {...{
            form,
            of: 'confirm',
            name: 'code',
            label: say.code,
            inputMode: 'numeric',
            maxLength: 6,
            required: true,
          }}
          autocomplete="one-time-code"
        />
        <div class="row-actions">
          <button class="button">{say.confirm}</button>
        </div>
      </Form>
    </>
  );
};

const PhoneForms = ({ data: { phone }, form, t }: Shown<Verification>): JSX.Element => {
  const say = verificationTexts(t).phone;
  return (
    <Section title={say.title}>
      {phone.number === null ? (
        <>
          <p>{say.none}</p>
          <a class="button" href="/profile">
            {say.profile}
          </a>
        </>
      ) : (
        <p>
          {phone.number} <Chip tone={phone.isProved ? 'good' : 'wait'}>{phone.isProved ? say.proved : say.open}</Chip>
        </p>
      )}
      {phone.number === null || phone.isProved ? null : <ProofForms form={form} t={t} />}
    </Section>
  );
};

export const VerificationView = (shown: Shown<Verification>): JSX.Element => {
  const { data, form, t } = shown;
  const say = verificationTexts(t);
  const missing = kycKinds.filter((kind) => !data.checks.some((check) => check.kind === kind));
  const open = data.checks.filter(({ status }) => isOpen(status)).map(({ id }) => id);
  const forms = ['send', 'confirm', ...missing.map((kind) => `begin.${kind}`)];
  const isHere = [...forms, ...open.flatMap((id) => [`correct.${id}`, `document.${id}`])].includes(form.action ?? '');
  return (
    <>
      {!isHere && isBack(form, form.action) ? <Alert text={form.alert} /> : null}
      <p>{say.text}</p>
      {data.checks.map((kyc) => (
        <Check {...{ form, t, kyc }} />
      ))}
      {missing.map((kind) => (
        <details class="panel" open={data.checks.length === 0 && isBack(form, `begin.${kind}`)}>
          <summary class="summary-row">
            <b>{say.begin({ kind: say.kinds[kind] })}</b>
          </summary>
          <BeginForm {...{ form, t, kind }} />
        </details>
      ))}
      <PhoneForms {...shown} />
    </>
  );
};
