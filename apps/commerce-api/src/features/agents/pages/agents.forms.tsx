import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { CheckList } from '../../../web/ui/check-list';
import { Field, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import type { Agent } from '../agents/public';
import { agentTexts } from './agents.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}
export interface OfAgent extends Parts {
  readonly agent: Agent;
}

export const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = agentTexts(t);
  return (
    <Form form={form} action="/agents">
      <fieldset>
        <legend>{say.create}</legend>
        <Field {...{ form, name: 'name', label: say.name, hint: say.nameHint, maxLength: 60, required: true }} />
        <TextArea {...{ form, name: 'prompt', label: say.prompt, hint: say.promptHint, rows: 8, required: true }} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

/** Tools by their words; one that has none yet keeps its name. */
const toolsOf = ({ tools }: Agent, t: Reader): readonly (readonly [string, string])[] => {
  const words: Readonly<Record<string, string>> = agentTexts(t).toolNames;
  return [...new Set([...Object.keys(words), ...tools])].map((name) => [name, words[name] ?? name] as const);
};

export const ChangeForm = ({ form, t, agent }: OfAgent): JSX.Element => {
  const say = agentTexts(t);
  const of = 'save';
  const text = (name: 'fallback_text' | 'handover_text', label: string) => (
    <TextArea {...{ form, of, name, label, rows: 2, value: agent[name] }} />
  );
  return (
    <Form form={form} action={`/agents/${agent.id}`} name={of}>
      <input type="hidden" name="version" value={agent.version} />
      <fieldset>
        <legend>{say.edit}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, value: agent.name, maxLength: 60, required: true }} />
        <TextArea
          {...{ form, of, name: 'prompt', label: say.prompt, hint: say.promptHint, rows: 10, required: true }}
          value={agent.prompt}
        />
        <CheckList {...{ form, of, name: 'tools', label: say.tools, value: agent.tools, options: toolsOf(agent, t) }} />
        {text('fallback_text', say.fallback)}
        {text('handover_text', say.handover)}
        <Field
          {...{ form, of, name: 'resume_after_min', label: say.resume, hint: say.resumeHint, inputMode: 'numeric' }}
          value={agent.resume_after_min}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const SwitchForm = ({ form, t, agent: { id, enabled } }: OfAgent): JSX.Element => {
  const say = agentTexts(t);
  return (
    <Form form={form} action={`/agents/${id}`} name="switch">
      <input type="hidden" name="enabled" value={String(!enabled)} />
      <button class="button">{enabled ? say.switchOff : say.switchOn}</button>
    </Form>
  );
};

export const RemoveForm = ({ form, t, agent: { id } }: OfAgent): JSX.Element => {
  const say = agentTexts(t);
  return (
    <Form form={form} action={`/agents/${id}`} name="remove">
      <p class="hint">{say.removeHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.remove}</button>
      </div>
    </Form>
  );
};
