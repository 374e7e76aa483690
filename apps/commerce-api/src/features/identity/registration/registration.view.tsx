import type { JSX } from 'preact';
import type { GuestShown } from '../../../web/guest.page';
import type { FormState } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { registrationTexts } from './registration.texts';

/** Where there is an address already, it stands in the input. */
const EmailField = ({ form, label, value }: { form: FormState; label: string; value?: string }): JSX.Element => (
  <Field
    {...{ form, name: 'email', label, value, type: 'email', inputMode: 'email', required: true }}
    autocomplete="username"
  />
);

const NewPassword = ({ form, label, hint }: { form: FormState; label: string; hint: string }): JSX.Element => (
  <Field
    {...{ form, name: 'password', label, hint, type: 'password', required: true, maxLength: 128 }}
    autocomplete="new-password"
  />
);

export const RegisterForm = ({ form, t }: GuestShown): JSX.Element => {
  const say = registrationTexts(t);
  return (
    <Form form={form} action="/register">
      <Field {...{ form, name: 'store_name', label: say.store, hint: say.storeHint, required: true, maxLength: 80 }} />
      <Field {...{ form, name: 'name', label: say.name, required: true, maxLength: 100 }} autocomplete="name" />
      <Field
        {...{ form, name: 'phone', label: say.phone, hint: say.phoneHint, type: 'tel', required: true }}
        autocomplete="tel"
      />
      <EmailField form={form} label={say.email} />
      <NewPassword form={form} label={say.password} hint={say.passwordHint} />
      <button class="button button-main">{say.submit}</button>
      <a class="link" href="/login">
        {say.signIn}
      </a>
    </Form>
  );
};

export const VerifyForm = ({ form, t, data: email }: GuestShown<string>): JSX.Element => {
  const all = registrationTexts(t);
  const say = all.verify;
  return (
    <Form form={form} action="/verify">
      <EmailField form={form} label={all.email} value={email} />
      <Field
        {...{ form, name: 'code', label: say.code, hint: say.codeHint, maxLength: 16 }}
        autocomplete="one-time-code"
      />
      <Field
        {...{ form, name: 'password', label: all.password, hint: say.passwordHint, type: 'password', maxLength: 128 }}
        autocomplete="current-password"
      />
      <button class="button button-main">{say.submit}</button>
      <button class="button" name="action" value="resend">
        {say.again}
      </button>
      <p class="hint">{say.againHint}</p>
      <a class="link" href="/login">
        {all.signIn}
      </a>
      <a class="link" href="/forgot-password">
        {all.forgot.title}
      </a>
    </Form>
  );
};

export const ForgotForm = ({ form, t, data: email }: GuestShown<string>): JSX.Element => {
  const { email: label, forgot: say } = registrationTexts(t);
  return (
    <Form form={form} action="/forgot-password">
      <p>{say.text}</p>
      <EmailField form={form} label={label} value={email} />
      <button class="button button-main">{say.submit}</button>
      <a class="link" href="/login">
        {say.back}
      </a>
    </Form>
  );
};

export const ResetForm = ({ form, t, params: { token = '' } }: GuestShown): JSX.Element => {
  const { passwordHint, reset: say } = registrationTexts(t);
  return (
    <Form form={form} action={`/reset-password/${encodeURIComponent(token)}`}>
      <p>{say.text}</p>
      <NewPassword form={form} label={say.password} hint={passwordHint} />
      <button class="button button-main">{say.submit}</button>
      <a class="link" href="/forgot-password">
        {say.again}
      </a>
    </Form>
  );
};
