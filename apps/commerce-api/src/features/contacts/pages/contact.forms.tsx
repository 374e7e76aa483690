import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Field, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { editableOf, type Contact } from '../people/public';
import { contactTexts } from './contacts.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

interface OfContact extends Parts {
  readonly contact: Contact;
}

const Fields = ({ form, t, of, contact }: Parts & { readonly of?: string; readonly contact?: Contact }) => {
  const say = contactTexts(t);
  return (
    <>
      <Field {...{ form, of, name: 'name', label: say.name, maxLength: 200, required: true }} value={contact?.name} />
      <Field
        {...{ form, of, name: 'phone', label: say.phone, hint: say.phoneHint, type: 'tel', inputMode: 'tel' }}
        {...{ required: true, value: contact && `+${contact.phone}` }}
      />
      <Field
        {...{ form, of, name: 'email', label: say.email, hint: t.form.optional, type: 'email', inputMode: 'email' }}
        value={contact?.email}
      />
      <Field
        {...{ form, of, name: 'birthday', label: say.birthday, hint: t.form.optional, type: 'date' }}
        value={contact?.birthday}
      />
    </>
  );
};

export const NewContactForm = ({ form, t }: Parts): JSX.Element => {
  const say = contactTexts(t);
  return (
    <Form form={form} action="/contacts">
      <fieldset class="form-two">
        <legend>{say.create}</legend>
        <Fields form={form} t={t} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const ContactForm = ({ form, t, contact }: OfContact): JSX.Element => {
  const say = contactTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={`/contacts/${contact.id}`} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(contact))} />
      <fieldset class="form-two">
        <legend>{say.facts}</legend>
        <Fields {...{ form, t, of, contact }} />
        <Select
          {...{ form, of, name: 'opted_out', label: say.wishes, value: String(contact.opted_out) }}
          options={[
            ['false', say.wants],
            ['true', say.optedOut],
          ]}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const NoteForm = ({ form, t, contact }: OfContact): JSX.Element => {
  const say = contactTexts(t);
  const of = 'note';
  return (
    <Form form={form} action={`/contacts/${contact.id}`} name={of}>
      <TextArea {...{ form, of, name: 'text', label: say.addNote, rows: 2, required: true }} />
      <div class="row-actions">
        <button class="button">{say.addNote}</button>
      </div>
    </Form>
  );
};

export const BlockForm = ({ form, t, contact }: OfContact): JSX.Element => {
  const say = contactTexts(t);
  const of = contact.blocked ? 'unblock' : 'block';
  return (
    <Form form={form} action={`/contacts/${contact.id}`} name={of}>
      {contact.blocked ? null : (
        <Field {...{ form, of, name: 'reason', label: say.reason, hint: say.blockHint, maxLength: 200 }} />
      )}
      <div class="row-actions">
        <button class={contact.blocked ? 'button' : 'button button-danger'}>
          {contact.blocked ? say.unblock : say.block}
        </button>
      </div>
    </Form>
  );
};
