import type { JSX } from 'preact';
import type { GuestShown } from '../../../web/guest.page';
import { Field } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { signInTexts } from './sign-in.texts';

/** Where it goes on, through every try. */
const Next = ({ form, query }: Pick<GuestShown, 'form' | 'query'>): JSX.Element | null => {
  const next = form.fields.next ?? query.next;
  return typeof next === 'string' ? <input type="hidden" name="next" value={next} /> : null;
};

export const SignInForm = ({ form, t, query }: GuestShown): JSX.Element => {
  const say = signInTexts(t);
  return (
    <Form form={form} action="/login">
      <Next form={form} query={query} />
      <Field
        {...{ form, name: 'email', label: say.email, type: 'email', inputMode: 'email', required: true }}
        autocomplete="username"
      />
      <Field
        {...{ form, name: 'password', label: say.password, type: 'password', required: true }}
        autocomplete="current-password"
      />
      <button class="button button-main">{say.submit}</button>
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
