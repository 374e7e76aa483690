import type { JSX } from 'preact';
import type { GuestShown } from '../../../web/guest.page';
import { Field } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { signInTexts } from './sign-in.texts';

/** Where it goes on, through every try. */
const Next = ({ form, query }: Pick<GuestShown<unknown>, 'form' | 'query'>): JSX.Element | null => {
  const next = form.fields.next ?? query.next;
  return typeof next === 'string' ? <input type="hidden" name="next" value={next} /> : null;
};

export const SignInForm = ({ form, t, query, data: email }: GuestShown<string>): JSX.Element => {
  const say = signInTexts(t);
  return (
    <Form form={form} action="/login">
      <Next form={form} query={query} />
      <Field
        {...{ form, name: 'email', label: say.email, type: 'email', inputMode: 'email', required: true }}
        value={email}
        autocomplete="username"
      />
      <Field
        {...{ form, name: 'password', label: say.password, type: 'password', required: true }}
        autocomplete="current-password"
      />
      <button class="button button-main">{say.submit}</button>
      {form.alert === say.unverified ? (
        <a class="button" href="/verify">
          {say.confirm}
        </a>
      ) : null}
      <a class="link" href="/forgot-password">
        {say.forgot}
      </a>
      <a class="link" href="/register">
        {say.landing.register}
      </a>
    </Form>
  );
};

export const SecondFactorForm = ({ form, t, query }: GuestShown): JSX.Element => {
  const say = signInTexts(t).factor;
  return (
    <Form form={form} action="/two-factor">
      <Next form={form} query={query} />
      <Field
        {...{ form, name: 'code', label: say.code, hint: say.hint, required: true }}
        autocomplete="one-time-code"
      />
      <button class="button button-main">{say.submit}</button>
      <a class="link" href="/login">
        {say.again}
      </a>
    </Form>
  );
};
