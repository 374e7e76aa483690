import type { JSX } from 'preact';
import { forPeopleOnly } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Empty, Moment } from '../../../web/ui/parts';
import { Secret } from '../../../web/ui/secret';
import { Table, type Column } from '../../../web/ui/table';
import { AbilityBoxes } from '../../team/roles/public';
import type { ApiTokenView, MadeToken } from './tokens.dto';
import { lifetimes } from './tokens.pages.dto';
import { tokenTexts } from './tokens.texts';

interface Tokens {
  readonly tokens: readonly ApiTokenView[];
  /** A moment ago: shown this once. */
  readonly made?: MadeToken;
}
type All = Shown<Tokens>;

const TO = '/settings/api-tokens';

const NewForm = ({ form, t, viewer }: Pick<All, 'form' | 't' | 'viewer'>): JSX.Element => {
  const say = tokenTexts(t);
  const of = 'create';
  const own = viewer.caller.abilities;
  return (
    <Form form={form} action={TO} name={of}>
      <Field {...{ form, of, name: 'name', label: say.name, hint: say.nameHint, maxLength: 60, required: true }} />
      <Select
        {...{ form, of, name: 'lasts', label: say.lasts, value: 'year' }}
        options={lifetimes.map((each) => [each, say.lasting[each]])}
      />
      <AbilityBoxes {...{ form, t, of }} among={(ability) => own.has(ability) && !forPeopleOnly.has(ability)} />
      <SaveBar text={say.save} />
    </Form>
  );
};

const State = ({ token, t }: { readonly token: ApiTokenView; readonly t: Reader }): JSX.Element => {
  const { states } = tokenTexts(t);
  if (token.works) return <Chip tone="good">{states.works}</Chip>;
  return <Chip tone="plain">{token.revoked_at === null ? states.over : states.revoked}</Chip>;
};

const RevokeForm = ({ form, t, id }: { form: FormState; t: Reader; id: string }): JSX.Element => (
  <Form form={form} action={TO} name={`revoke.${id}`}>
    <input type="hidden" name="id" value={id} />
    <button class="button button-danger">{tokenTexts(t).revoke}</button>
  </Form>
);

const columnsFor = ({ form, t }: Pick<All, 'form' | 't'>): readonly Column<ApiTokenView>[] => {
  const say = tokenTexts(t);
  return [
    {
      ...{ title: say.name, main: true },
      cell: ({ name, last4 }) => (
        <>
          {name} <small>{say.ending({ last4 })}</small>
        </>
      ),
    },
    { title: say.state, plain: true, cell: (token) => <State token={token} t={t} /> },
    { title: say.count, cell: ({ abilities }) => t.count(abilities.length) },
    { title: say.used, cell: ({ last_used_at: at }) => (at === null ? say.never : <Moment at={at} brief />) },
    {
      title: say.until,
      cell: ({ expires_at: at }) => (at === null ? say.lasting.forever : <Moment at={at} />),
    },
    { title: say.maker, cell: ({ created_by: { name } }) => name ?? '' },
    {
      ...{ title: say.actions, plain: true },
      cell: ({ id, revoked_at: at }) => (at === null ? <RevokeForm {...{ form, t, id }} /> : null),
    },
  ];
};

export const TokensView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = tokenTexts(t);
  return (
    <>
      {data.made === undefined ? <p>{say.text}</p> : <Secret text={data.made.token} hint={say.once} />}
      <Adder title={say.create} isOpen={isBack(form, 'create')}>
        <NewForm {...shown} />
      </Adder>
      {data.tokens.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <Table caption={t.nav.places.apiTokens} rows={data.tokens} columns={columnsFor({ form, t })} />
      )}
    </>
  );
};
