import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { FormState } from '../../web/page.types';
import { seenOf } from '../../web/seen';
import { Field, Select } from '../../web/ui/field';
import { Form, SaveBar } from '../../web/ui/form';
import { Section } from '../../web/ui/parts';
import type { Named } from '../agents/agents/public';
import { editableOf } from './devices.service';
import { deviceTexts } from './devices.texts';
import type { DeviceData } from './devices.types';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const choices = (rows: readonly Named[], none: string): readonly (readonly [string, string])[] => [
  ['', none],
  ...rows.map(({ id, name }) => [id, name] as const),
];

export const NewForm = ({ form, t, teams }: Parts & { readonly teams: readonly Named[] }): JSX.Element => {
  const say = deviceTexts(t);
  return (
    <Form form={form} action="/devices">
      <fieldset class="form-two">
        <legend>{say.create}</legend>
        <Field {...{ form, name: 'name', label: say.name, hint: say.nameHint, maxLength: 60, required: true }} />
        <Field {...{ form, name: 'number', label: say.number, hint: say.numberHint, type: 'tel', inputMode: 'tel' }} />
        <Select {...{ form, name: 'chat_team_id', label: say.team, options: choices(teams, say.noTeam) }} />
      </fieldset>
      <SaveBar text={say.add} />
    </Form>
  );
};

/** The agent that is chosen stays to be chosen while nobody can say how it is called. */
const agentsOf = ({ agents = [], device: { bot_agent_id: now } }: DeviceData, t: Reader): readonly Named[] =>
  now === null || agents.some(({ id }) => id === now)
    ? agents
    : [...agents, { id: now, name: deviceTexts(t).otherAgent }];

export const ChangeForm = ({ form, t, data }: Parts & { readonly data: DeviceData }): JSX.Element => {
  const say = deviceTexts(t);
  const of = 'save';
  const { id, name, chat_team_id, bot_agent_id } = data.device;
  return (
    <Form form={form} action={`/devices/${id}/action`} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(data.device))} />
      <fieldset class="form-two">
        <legend>{say.edit}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, value: name, maxLength: 60, required: true }} />
        <Select
          {...{ form, of, name: 'chat_team_id', label: say.team, value: chat_team_id }}
          options={choices(data.teams, say.noTeam)}
        />
        <Select
          {...{ form, of, name: 'bot_agent_id', label: say.agent, value: bot_agent_id }}
          options={choices(agentsOf(data, t), say.noAgent)}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

export const EndForms = ({ form, t, id }: Parts & { readonly id: string }): JSX.Element => {
  const say = deviceTexts(t);
  const one = (name: 'logout' | 'remove', text: string, hint: string) => (
    <Form form={form} action={`/devices/${id}/action`} name={name}>
      <p class="hint">{hint}</p>
      <div class="row-actions">
        <button class="button button-danger">{text}</button>
      </div>
    </Form>
  );
  return (
    <Section title={say.manage}>
      {one('logout', say.logout, say.logoutHint)}
      {one('remove', say.remove, say.removeHint)}
    </Section>
  );
};
