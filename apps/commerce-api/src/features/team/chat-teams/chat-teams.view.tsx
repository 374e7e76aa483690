import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { CheckList } from '../../../web/ui/check-list';
import { Check, Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar, stateOf } from '../../../web/ui/form';
import { Pager } from '../../../web/ui/pager';
import { Empty } from '../../../web/ui/parts';
import { HoursFields } from '../../shop/hours/public';
import { distributions, teamKinds, type ChatTeam, type ChatTeamsQuery } from './chat-teams.dto';
import { editableOf, seatedIn } from './chat-teams.service';
import { chatTeamTexts } from './chat-teams.texts';
import type { ChatTeamsData, Choice } from './chat-teams.types';

const PATH = '/chat-teams';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const Inputs = ({ form, t, of, team }: Parts & { readonly of: string; readonly team?: ChatTeam }): JSX.Element => {
  const say = chatTeamTexts(t);
  return (
    <>
      <Field {...{ form, of, name: 'name', label: say.name, maxLength: 60, required: true, value: team?.name }} />
      <Select
        {...{ form, of, name: 'kind', label: say.kind, value: team?.kind }}
        options={teamKinds.map((kind) => [kind, say.kinds[kind]])}
      />
      <Select
        {...{ form, of, name: 'distribution', label: say.distribution, value: team?.distribution }}
        options={distributions.map((way) => [way, say.distributions[way]])}
      />
      <Check {...{ form, of, name: 'private', label: say.private, value: team?.private ?? true }} />
    </>
  );
};

const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = chatTeamTexts(t);
  return (
    <Form form={form} action={PATH} name="create">
      <fieldset>
        <legend>{say.create}</legend>
        <Inputs {...{ form, t, of: 'create' }} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

type OfTeam = Parts & { readonly team: ChatTeam };

const ChangeForm = ({ form, t, team }: OfTeam): JSX.Element => {
  const say = chatTeamTexts(t);
  const of = `save.${team.id}`;
  return (
    <Form form={form} action={PATH} name={of}>
      <input type="hidden" name="id" value={team.id} />
      <input type="hidden" name="seen" value={seenOf(editableOf(team))} />
      <Inputs {...{ form, t, of, team }} />
      <HoursFields {...{ form, of, t, legend: say.hours, hint: say.hoursHint, value: team.hours }} />
      <div class="row-actions">
        <button class="button button-main">{say.save}</button>
      </div>
    </Form>
  );
};

const named = (rows: readonly Choice[]) => rows.map(({ id, name }) => [id, name] as const);
/** Also who sits there and is not to be chosen any more. */
const withSeated = (rows: readonly Choice[], seated: readonly Choice[]): readonly Choice[] => [
  ...rows,
  ...seated.filter(({ id }) => !rows.some((row) => row.id === id)),
];

type InData = OfTeam & { readonly data: ChatTeamsData };

/** Who is disabled keeps the seat, and answers no chat. */
const seatedOf = ({ team, data, t }: InData): readonly Choice[] =>
  team.members.map(({ user_id: id, name }) => {
    const known = name ?? id;
    return { id, name: data.disabled.has(id) ? chatTeamTexts(t).disabled({ name: known }) : known };
  });

const SeatsForm = (parts: InData): JSX.Element => {
  const { form, t, team, data } = parts;
  const say = chatTeamTexts(t);
  const of = `seats.${team.id}`;
  const seated = seatedOf(parts);
  const ids = (rows: readonly Choice[]) => rows.map(({ id }) => id);
  const { isStale } = stateOf(form, of);
  const now = (rows: readonly Choice[]) =>
    isStale ? t.form.now({ value: rows.map(({ name }) => name).join(', ') || t.form.empty }) : undefined;
  return (
    <Form form={form} action={PATH} name={of}>
      <input type="hidden" name="id" value={team.id} />
      <input type="hidden" name="seen" value={seenOf(seatedIn(team))} />
      <CheckList
        {...{ form, of, name: 'user_ids', label: say.members, value: ids(seated), hint: now(seated) }}
        options={named(withSeated(data.members, seated))}
      />
      {data.devices.length === 0 ? null : (
        <CheckList
          {...{ form, of, name: 'device_ids', label: say.devices, value: ids(team.devices), hint: now(team.devices) }}
          options={named(withSeated(data.devices, team.devices))}
        />
      )}
      <div class="row-actions">
        <button class="button">{say.seats}</button>
      </div>
    </Form>
  );
};

const RemoveForm = ({ form, t, team: { id } }: OfTeam): JSX.Element => {
  const say = chatTeamTexts(t);
  return (
    <Form form={form} action={PATH} name={`remove.${id}`}>
      <input type="hidden" name="id" value={id} />
      <p class="hint">{say.removeHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.remove}</button>
      </div>
    </Form>
  );
};

const Row = (parts: InData): JSX.Element => {
  const { form, t, team } = parts;
  const say = chatTeamTexts(t);
  const isOpen = ['save', 'seats', 'remove'].some((name) => isBack(form, `${name}.${team.id}`));
  const names = seatedOf(parts)
    .map(({ name }) => name)
    .join(', ');
  return (
    <li>
      <details class="panel" open={isOpen}>
        <summary class="variant-row">
          <b dir="auto">{team.name}</b>
          <small>{team.load === null ? '' : say.load({ count: t.count(team.load) })}</small>
          <small dir="auto">{names}</small>
        </summary>
        <ChangeForm {...{ form, t, team }} />
        <SeatsForm {...parts} />
        <RemoveForm {...{ form, t, team }} />
      </details>
    </li>
  );
};

export const ChatTeamsView = ({ data, query, form, t }: Shown<ChatTeamsData, ChatTeamsQuery>): JSX.Element => {
  const say = chatTeamTexts(t);
  const { listed } = data;
  return (
    <div class="rows">
      <Adder title={say.create} isOpen={isBack(form, 'create')}>
        <NewForm {...{ form, t }} />
      </Adder>
      {listed.rows.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <>
          <ul class="rows">
            {listed.rows.map((team) => (
              <Row {...{ form, t, team, data }} />
            ))}
          </ul>
          <Pager list={{ path: PATH, query, usualSort: 'name' }} listed={listed} />
        </>
      )}
    </div>
  );
};
