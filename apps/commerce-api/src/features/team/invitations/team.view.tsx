import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { CheckList } from '../../../web/ui/check-list';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Alert, Chip, Empty, Moment, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Table, type Column } from '../../../web/ui/table';
import { seenOf } from '../../../web/seen';
import { editableOf, type MemberView } from '../members/public';
import { roleName } from '../roles/public';
import type { InvitationView } from './invitations.dto';
import { teamTexts } from './team.texts';

interface Staff {
  readonly members: readonly MemberView[];
  readonly invitations: readonly InvitationView[];
  /** What the reader can give. */
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly chatTeams: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  /** Members who answer customers and are in no team: no chat comes to them. */
  readonly seatless: readonly MemberView[];
  /** The one that is changed. */
  readonly one: MemberView | undefined;
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly data: Staff;
}

const RoleSelect = ({ form, t, of, data, value }: Parts & { of: string; value?: MemberView['role'] }): JSX.Element => {
  const known = data.roles.some(({ id }) => id === value?.id);
  const roles = value === undefined || known ? data.roles : [value, ...data.roles];
  return (
    <Select
      {...{ form, of, name: 'role_id', label: teamTexts(t).role, value: value?.id }}
      options={roles.map(({ id, name }) => [id, roleName(t, name)])}
    />
  );
};

const InviteForm = ({ form, t, data }: Parts): JSX.Element => {
  const say = teamTexts(t);
  const of = 'invite';
  const first = data.chatTeams.find(({ kind }) => kind === 'cs');
  return (
    <Form form={form} action="/team" name={of}>
      <fieldset class="form-two">
        <legend>{say.invite}</legend>
        <Field
          {...{ form, of, name: 'email', label: say.email, hint: say.inviteHint, type: 'email', required: true }}
          autocomplete="off"
        />
        <RoleSelect {...{ form, t, of, data }} value={{ id: 'cs', name: 'cs' }} />
        {data.chatTeams.length === 0 ? null : (
          <CheckList
            {...{ form, of, name: 'chat_team_ids', label: say.chatTeams, hint: say.chatTeamsHint }}
            value={first ? [first.id] : []}
            options={data.chatTeams.map(({ id, name }) => [id, name])}
          />
        )}
      </fieldset>
      <SaveBar text={say.send} />
    </Form>
  );
};

const ChangeForms = ({ form, t, data, one }: Parts & { readonly one: MemberView }): JSX.Element => {
  const say = teamTexts(t);
  const of = 'save';
  return (
    <Section title={one.name ?? say.unnamed}>
      <Form form={form} action="/team" name={of}>
        <input type="hidden" name="id" value={one.user_id} />
        <input type="hidden" name="seen" value={seenOf(editableOf(one))} />
        <fieldset class="form-two">
          <RoleSelect {...{ form, t, of, data, value: one.role }} />
          <Select
            {...{ form, of, name: 'status', label: say.status, hint: say.disabledHint, value: one.status }}
            options={[
              ['active', say.states.active],
              ['disabled', say.states.disabled],
            ]}
          />
        </fieldset>
        <SaveBar text={say.save}>
          <a class="button" href="/team">
            {say.close}
          </a>
        </SaveBar>
      </Form>
      <Form form={form} action="/team" name="remove">
        <input type="hidden" name="id" value={one.user_id} />
        <p class="hint">{say.removeHint}</p>
        <div class="row-actions">
          <button class="button button-danger">{say.remove}</button>
        </div>
      </Form>
    </Section>
  );
};

const memberColumns = (t: Reader): readonly Column<MemberView>[] => {
  const say = teamTexts(t);
  return [
    {
      ...{ title: say.name, main: true },
      cell: ({ user_id: id, name, role }) =>
        role.id === 'owner' ? (name ?? say.unnamed) : <a href={`/team?id=${id}`}>{name ?? say.unnamed}</a>,
    },
    { title: say.email, plain: true, cell: ({ email }) => email ?? '' },
    { title: say.role, cell: ({ role }) => roleName(t, role.name) },
    {
      title: say.status,
      cell: ({ status }) => <Chip tone={status === 'active' ? 'good' : 'plain'}>{say.states[status]}</Chip>,
    },
  ];
};

const invitationColumns = ({ form, t }: Parts): readonly Column<InvitationView>[] => {
  const say = teamTexts(t);
  const button = (name: string, id: string, text: string) => (
    <Form form={form} action="/team" name={`${name}.${id}`}>
      <input type="hidden" name="id" value={id} />
      <button class="button">{text}</button>
    </Form>
  );
  return [
    { title: say.email, main: true, cell: ({ email }) => email },
    { title: say.role, cell: ({ role }) => roleName(t, role.name) },
    { title: say.until, cell: ({ expires_at: at }) => <Moment at={at} brief /> },
    {
      ...{ title: say.actions, plain: true },
      cell: ({ id }) => (
        <div class="row-actions">
          {button('resend', id, say.again)}
          {button('withdraw', id, say.withdraw)}
        </div>
      ),
    },
  ];
};

const Seatless = ({ members, t }: { readonly members: readonly MemberView[]; readonly t: Reader }): JSX.Element => {
  const say = teamTexts(t);
  return (
    <p class="alert info">
      <span>
        {say.seatless({ names: members.map(({ name }) => name ?? say.unnamed).join(', ') })}{' '}
        <Way class="link" to="/chat-teams">
          {t.nav.places.chatTeams}
        </Way>
      </span>
    </p>
  );
};

export const TeamView = ({ data, form, t }: Shown<Staff>): JSX.Element => {
  const say = teamTexts(t);
  const { members, invitations, one } = data;
  const isAstray = one === undefined && (isBack(form, 'save') || isBack(form, 'remove'));
  return (
    <>
      {isAstray ? <Alert text={form.alert} /> : null}
      {one === undefined ? (
        <Adder title={say.invite} isOpen={isBack(form, 'invite')}>
          <InviteForm {...{ form, t, data }} />
        </Adder>
      ) : (
        <ChangeForms {...{ form, t, data, one }} />
      )}
      <Section title={say.members}>
        {data.seatless.length === 0 ? null : <Seatless members={data.seatless} t={t} />}
        <Table caption={say.members} rows={members} columns={memberColumns(t)} />
      </Section>
      <Section title={say.invitations}>
        {invitations.length === 0 ? (
          <Empty text={say.noInvitations} />
        ) : (
          <Table caption={say.invitations} rows={invitations} columns={invitationColumns({ form, t, data })} />
        )}
      </Section>
    </>
  );
};

export const TeamTools = ({ t }: Pick<Shown<Staff>, 't'>): JSX.Element => (
  <a class="button" href="/roles">
    {teamTexts(t).roles}
  </a>
);
