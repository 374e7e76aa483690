import type { JSX } from 'preact';
import type { FormState, Shown } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Check, Field, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Away, Notice } from '../../../web/ui/parts';
import type { Named } from '../../agents/agents/public';
import { automationTexts } from './automation.texts';
import type { WelcomeData } from './automation.types';

/** The agent that is chosen stays to be chosen while nobody can say how it is called. */
const choicesOf = ({ agents = [], welcome: { agent_id: now } }: WelcomeData, other: string): readonly Named[] =>
  now === null || agents.some(({ id }) => id === now) ? agents : [...agents, { id: now, name: other }];

/** What a model has written stands in place of what was typed; everything else stays. */
const withMade = (form: FormState, made: string | undefined): FormState =>
  made === undefined ? form : { ...form, fields: { ...form.fields, text: made } };

/** What Enter in an input presses is the first button of a form: it saves, and has nothing written over what was typed. */
const DefaultButton = ({ text }: { readonly text: string }): JSX.Element => (
  <button class="sr" tabIndex={-1} aria-hidden="true">
    {text}
  </button>
);

export const WelcomeView = ({ data, form: all, t }: Shown<WelcomeData>): JSX.Element => {
  const say = automationTexts(t);
  const { welcome, made } = data;
  const isWritten = made !== undefined && made !== 'away';
  const form = withMade(all, isWritten ? made : undefined);
  const asked = all.fields.write !== undefined;
  return (
    <div class="rows">
      <p class="hint">{say.welcomeHint}</p>
      {isWritten ? <Notice text={say.written} /> : null}
      {made === 'away' ? <Away /> : null}
      {asked && made === undefined ? <Notice text={say.writeNeeds} /> : null}
      <Form form={form} action="/chatbot/welcome">
        <input type="hidden" name="seen" value={seenOf(welcome)} />
        <DefaultButton text={say.save} />
        <fieldset>
          <legend>{say.welcome}</legend>
          <Check {...{ form, name: 'enabled', label: say.enabled, value: welcome.enabled }} />
          <TextArea {...{ form, name: 'text', label: say.text, rows: 5, value: welcome.text }} />
          <Field
            {...{ form, name: 'once_per_hours', label: say.once, hint: say.onceHint, inputMode: 'numeric' }}
            value={welcome.once_per_hours}
          />
          <Select
            {...{ form, name: 'agent_id', label: say.agent, value: welcome.agent_id }}
            options={[['', say.noAgent], ...choicesOf(data, say.otherAgent).map(({ id, name }) => [id, name] as const)]}
          />
          <Field {...{ form, name: 'tone', label: say.tone, hint: say.toneHint, maxLength: 40 }} />
          <div class="row-actions">
            <button class="button" name="write" value="1">
              {say.write}
            </button>
          </div>
        </fieldset>
        <SaveBar text={say.save} />
      </Form>
    </div>
  );
};
