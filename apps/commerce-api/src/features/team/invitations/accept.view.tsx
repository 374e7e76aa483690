import type { JSX } from 'preact';
import type { GuestShown } from '../../../web/guest.page';
import { Field } from '../../../web/ui/field';
import { Form } from '../../../web/ui/form';
import { Facts } from '../../../web/ui/table';
import { roleName } from '../roles/public';
import type { Invited } from './accept.service';
import { acceptTexts } from './accept.texts';

/** Who is new gives a name and chooses a password; who has an account proves it. */
export const AcceptForm = ({ form, t, data, params: { token = '' } }: GuestShown<Invited>): JSX.Element => {
  const say = acceptTexts(t);
  const { email, store, role, isNew } = data;
  return (
    <Form form={form} action={`/invitation/${encodeURIComponent(token)}`}>
      <p>{say.text({ store, role: roleName(t, role) })}</p>
      <Facts facts={[[say.email, email]]} />
      {isNew ? (
        <Field {...{ form, name: 'name', label: say.name, required: true, maxLength: 100 }} autocomplete="name" />
      ) : null}
      <Field
        {...{ form, name: 'password', label: say.password, type: 'password', required: true, maxLength: 128 }}
        hint={isNew ? say.fresh : say.known}
        autocomplete={isNew ? 'new-password' : 'current-password'}
      />
      <button class="button button-main">{say.submit}</button>
    </Form>
  );
};
