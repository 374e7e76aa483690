import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Check, Field, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import type { QuickReply } from '../../automation/replies/public';
import { defaultBodies, shown, variablesOf, type MessageTemplate } from '../templates/public';
import { templateTexts } from './templates.texts';
import type { EventWords } from './templates.types';

export const PATH = '/templates';

export interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

/** Which form of the page it is. */
export const wordsForm = ({ event, template }: EventWords): string =>
  template === undefined ? `write.${event}` : `save.${template.id}`;

const Remove = ({ form, t, template }: Parts & { readonly template: MessageTemplate }): JSX.Element => (
  <Form form={form} action={PATH} name={`remove.${template.id}`}>
    <input type="hidden" name="id" value={template.id} />
    <div class="row-actions">
      <button class="button button-danger">{templateTexts(t).remove}</button>
    </div>
  </Form>
);

export const WordsForm = ({ form, t, words }: Parts & { readonly words: EventWords }): JSX.Element => {
  const say = templateTexts(t);
  const { event, template } = words;
  const of = wordsForm(words);
  const names = variablesOf(event).map((name) => `{{${name}}}`);
  return (
    <>
      <Form form={form} action={PATH} name={of}>
        {template === undefined ? (
          <input type="hidden" name="event" value={event} />
        ) : (
          <>
            <input type="hidden" name="id" value={template.id} />
            <input type="hidden" name="seen" value={seenOf(shown(template))} />
          </>
        )}
        <TextArea
          {...{ form, of, name: 'body', label: say.body, rows: 5, required: true }}
          hint={say.variables({ names: names.join(', ') })}
          value={template?.body ?? defaultBodies[t.locale][event]}
        />
        <Check {...{ form, of, name: 'active', label: say.use, value: template?.active ?? true }} />
        <div class="row-actions">
          <button class="button button-main">{say.save}</button>
        </div>
      </Form>
      {template === undefined ? null : <Remove {...{ form, t, template }} />}
    </>
  );
};

const ReplyInputs = ({ form, t, of, reply }: Parts & { readonly of: string; readonly reply?: QuickReply }) => {
  const say = templateTexts(t);
  const shortcut = { name: 'shortcut', label: say.shortcut, hint: say.shortcutHint, maxLength: 32, required: true };
  const hint = reply && reply.media_id !== null ? say.file : undefined;
  return (
    <>
      <Field {...{ form, of, ...shortcut, value: reply?.shortcut }} />
      <TextArea {...{ form, of, name: 'body', label: say.reply, required: true, hint, value: reply?.body }} />
    </>
  );
};

export const NewReplyForm = ({ form, t }: Parts): JSX.Element => {
  const say = templateTexts(t);
  return (
    <Form form={form} action={PATH} name="add">
      <fieldset>
        <legend>{say.create}</legend>
        <ReplyInputs {...{ form, t, of: 'add' }} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const ReplyForms = ({ form, t, reply }: Parts & { readonly reply: QuickReply }): JSX.Element => {
  const say = templateTexts(t);
  const of = `change.${reply.id}`;
  return (
    <>
      <Form form={form} action={PATH} name={of}>
        <input type="hidden" name="id" value={reply.id} />
        <input type="hidden" name="seen" value={seenOf(reply)} />
        <ReplyInputs {...{ form, t, of, reply }} />
        <div class="row-actions">
          <button class="button button-main">{say.save}</button>
        </div>
      </Form>
      <Form form={form} action={PATH} name={`forget.${reply.id}`}>
        <input type="hidden" name="id" value={reply.id} />
        <div class="row-actions">
          <button class="button button-danger">{say.forget}</button>
        </div>
      </Form>
    </>
  );
};
