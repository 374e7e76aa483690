import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Section } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import { AbilityBoxes } from './ability.boxes';
import { abilityTexts } from './ability.texts';
import { roleName } from './role.words';
import { seenOf } from '../../../web/seen';
import type { RoleView } from './roles.dto';
import { editableOf } from './roles.service';
import { roleTexts } from './roles.texts';

interface Roles {
  readonly roles: readonly RoleView[];
  /** The one that is looked at. */
  readonly one: RoleView | undefined;
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly viewer: Shown<Roles>['viewer'];
}

const RoleForm = ({ form, t, viewer, one }: Parts & { readonly one?: RoleView }): JSX.Element => {
  const say = roleTexts(t);
  const of = one ? 'save' : 'create';
  const own = viewer.caller.abilities;
  return (
    <Form form={form} action="/roles" name={of}>
      {one ? <input type="hidden" name="id" value={one.id} /> : null}
      {one ? <input type="hidden" name="seen" value={seenOf(editableOf(one))} /> : null}
      <Field {...{ form, of, name: 'name', label: say.name, value: one?.name, maxLength: 40, required: true }} />
      <AbilityBoxes
        {...{ form, t, of, value: one?.abilities }}
        among={(ability) => own.has(ability) || one?.abilities.includes(ability) === true}
      />
      <SaveBar text={say.save}>
        {one ? (
          <a class="button" href="/roles">
            {say.close}
          </a>
        ) : null}
      </SaveBar>
    </Form>
  );
};

const RemoveForm = ({ form, t, one }: Pick<Parts, 'form' | 't'> & { readonly one: RoleView }): JSX.Element => {
  const say = roleTexts(t);
  return (
    <Form form={form} action="/roles" name="remove">
      <input type="hidden" name="id" value={one.id} />
      <p class="hint">{say.removeHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.remove}</button>
      </div>
    </Form>
  );
};

const SystemRole = ({ t, one }: Pick<Parts, 't'> & { readonly one: RoleView }): JSX.Element => {
  const say = abilityTexts(t);
  const words = one.abilities.map((ability) => say[ability as keyof typeof say]);
  return (
    <ul class="panel">
      {words.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  );
};

const columnsFor = (t: Reader): readonly Column<RoleView>[] => {
  const say = roleTexts(t);
  return [
    { title: say.name, main: true, cell: ({ id, name }) => <a href={`/roles?id=${id}`}>{roleName(t, name)}</a> },
    {
      ...{ title: say.kind, plain: true },
      cell: ({ system }) => <Chip tone={system ? 'plain' : 'info'}>{system ? say.system : say.own}</Chip>,
    },
    { title: say.members, cell: ({ members }) => t.count(members) },
    { title: say.count, cell: ({ abilities }) => t.count(abilities.length) },
  ];
};

export const RolesView = ({ data: { roles, one }, form, t, viewer }: Shown<Roles>): JSX.Element => {
  const say = roleTexts(t);
  return (
    <>
      <p>{say.text}</p>
      {one === undefined ? (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <RoleForm {...{ form, t, viewer }} />
        </Adder>
      ) : (
        <Section title={roleName(t, one.name)}>
          {one.system ? <SystemRole t={t} one={one} /> : <RoleForm {...{ form, t, viewer, one }} />}
          {one.system ? null : <RemoveForm {...{ form, t, one }} />}
        </Section>
      )}
      <Table caption={say.title} rows={roles} columns={columnsFor(t)} />
    </>
  );
};
