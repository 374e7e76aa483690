import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { CheckList } from '../../../web/ui/check-list';
import { Check, Field, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import type { Named } from '../../agents/agents/public';
import { editableOf, type Rule } from '../rules/public';
import { automationTexts } from './automation.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly devices: readonly Named[];
}

const MATCHES = ['contains', 'exact', 'starts'] as const;

/** What is wrong with one of the words stands at the input of all of them. */
const withKeywords = (form: FormState): FormState => {
  const wrong = Object.entries(form.errors).find(([name]) => name.startsWith('keywords['));
  if (!wrong) return form;
  const others = Object.entries(form.errors).filter(([name]) => !name.startsWith('keywords['));
  return { ...form, errors: { ...Object.fromEntries(others), keywords: wrong[1] } };
};

const Inputs = ({ form, t, devices, of, rule }: Parts & { readonly of: string; readonly rule?: Rule }): JSX.Element => {
  const say = automationTexts(t);
  return (
    <>
      <Field
        {...{ form, of, name: 'keywords', label: say.keywords, hint: say.keywordsHint, required: true }}
        value={rule?.keywords.join(', ')}
      />
      <Select
        {...{ form, of, name: 'match', label: say.match, value: rule?.match }}
        options={MATCHES.map((match) => [match, say.matches[match]])}
      />
      <TextArea
        {...{ form, of, name: 'reply[text]', label: say.reply, value: rule?.reply.text }}
        hint={rule && rule.reply.media_id !== null ? say.file : undefined}
      />
      {devices.length < 2 ? null : (
        <CheckList
          {...{ form, of, name: 'device_ids', label: say.devices, hint: say.devicesHint, value: rule?.device_ids }}
          options={devices.map(({ id, name }) => [id, name])}
        />
      )}
      <Check {...{ form, of, name: 'active', label: say.active, value: rule?.active ?? true }} />
    </>
  );
};

export const NewForm = ({ form: all, t, devices }: Parts): JSX.Element => {
  const say = automationTexts(t);
  const form = withKeywords(all);
  return (
    <Form form={form} action="/chatbot" name="create">
      <fieldset>
        <legend>{say.create}</legend>
        <Inputs {...{ form, t, devices, of: 'create' }} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

/** Devices that are not to be chosen here stay as they are. */
const Kept = ({ rule, devices }: { readonly rule: Rule; readonly devices: readonly Named[] }) => (
  <>
    {rule.reply.media_id === null ? null : <input type="hidden" name="reply[media_id]" value={rule.reply.media_id} />}
    {devices.length < 2 ? rule.device_ids.map((id) => <input type="hidden" name="device_ids" value={id} />) : null}
  </>
);

export const ChangeForm = ({ form: all, t, devices, rule }: Parts & { readonly rule: Rule }): JSX.Element => {
  const say = automationTexts(t);
  const of = `save.${rule.id}`;
  const form = withKeywords(all);
  return (
    <Form form={form} action="/chatbot" name={of}>
      <input type="hidden" name="id" value={rule.id} />
      <input type="hidden" name="seen" value={seenOf(editableOf(rule))} />
      <Kept {...{ rule, devices }} />
      <Inputs {...{ form, t, devices, of, rule }} />
      <button class="button button-main">{say.save}</button>
    </Form>
  );
};

/** What is done to one without typing. */
export const StepForms = ({ form, t, rule: { id } }: Omit<Parts, 'devices'> & { readonly rule: Rule }): JSX.Element => {
  const say = automationTexts(t);
  const one = (name: 'up' | 'down' | 'remove') => (
    <Form form={form} action="/chatbot" name={`${name}.${id}`}>
      <input type="hidden" name="id" value={id} />
      <button class={name === 'remove' ? 'button button-danger' : 'button'}>{say[name]}</button>
    </Form>
  );
  return (
    <div class="row-actions">
      {one('up')}
      {one('down')}
      {one('remove')}
    </div>
  );
};
