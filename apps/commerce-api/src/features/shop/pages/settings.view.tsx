import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, PercentField, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Notice } from '../../../web/ui/parts';
import { settingGroupNames, type SettingGroup } from '../settings/public';
import type { StoreView } from '../store/public';
import { settingFields, type SettingField, type SettingName } from './settings.fields';
import { settingsTexts } from './settings.texts';
import { ShopForms } from './shop.view';
import { WidgetForms, type WidgetShown } from './widget.view';

/** The profile of the shop, the button on its website, or a group of settings with its version. */
export type Settings =
  | { readonly group: 'shop'; readonly store: StoreView; readonly closedWith: string | null }
  | ({ readonly group: 'widget' } & WidgetShown)
  | { readonly group: SettingGroup; readonly values: Readonly<Record<string, unknown>> };

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const GROUPS = ['shop', 'widget', ...settingGroupNames] as const;
const SAVE = 'save';

const Groups = ({ t, group }: Pick<Parts, 't'> & Pick<Settings, 'group'>): JSX.Element => {
  const say = settingsTexts(t);
  return (
    <nav class="views" aria-label={say.all}>
      {GROUPS.map((name) => (
        <a href={`/settings/${name}`} aria-current={name === group ? 'true' : undefined}>
          {say.groups[name]}
        </a>
      ))}
    </nav>
  );
};

/** `tax[mode]` of the values. */
const valueAt = (values: Readonly<Record<string, unknown>>, name: string): string => {
  const [outer = '', inner] = name.replace(']', '').split('[');
  const value = values[outer];
  return String(inner === undefined ? value : (value as Readonly<Record<string, unknown>>)[inner]);
};

const optionsOf = (kind: SettingField[1], t: Reader): readonly (readonly [string, string])[] => {
  const say = settingsTexts(t);
  if (kind === 'locale') return Object.entries(say.locales);
  if (kind === 'taxMode') return Object.entries(say.taxModes);
  return [
    ['true', say.yes],
    ['false', say.no],
  ];
};

const Setting = ({ form, t, field, value }: Parts & { readonly field: SettingField; readonly value: string }) => {
  const [name, kind] = field;
  const say = settingsTexts(t);
  const all = { form, of: SAVE, name, label: say.names[name as SettingName], hint: say.hints[name], value };
  if (kind === 'percent') return <PercentField {...all} value={Number(value)} />;
  if (kind === 'number') return <Field {...all} inputMode="numeric" />;
  if (kind === 'text') return <Field {...all} maxLength={200} />;
  if (kind === 'long') return <TextArea {...all} />;
  return <Select {...all} options={optionsOf(kind, t)} />;
};

type GroupParts = Parts & Extract<Settings, { values: object }> & { readonly mayWrite: boolean };

const GroupForm = ({ form, t, group, values, mayWrite }: GroupParts): JSX.Element => {
  const say = settingsTexts(t);
  return (
    <Form form={form} action={`/settings/${group}`} name={SAVE}>
      <input type="hidden" name="version" value={String(values.version)} />
      <fieldset disabled={!mayWrite}>
        <legend>{say.groups[group]}</legend>
        {settingFields[group].map((field) => (
          <Setting {...{ form, t, field, value: valueAt(values, field[0]) }} />
        ))}
      </fieldset>
      {mayWrite ? <SaveBar text={say.save} /> : null}
    </Form>
  );
};

const Group = ({ data, form, t, mayWrite }: Parts & { readonly data: Settings; readonly mayWrite: boolean }) => {
  if (data.group === 'widget') return <WidgetForms {...{ form, t, ...data, mayWrite }} />;
  if (data.group === 'shop') {
    const forms = <ShopForms {...{ form, t, store: data.store, closedWith: data.closedWith }} />;
    return mayWrite ? forms : <fieldset disabled>{forms}</fieldset>;
  }
  return <GroupForm {...{ form, t, ...data, mayWrite }} />;
};

export const SettingsView = ({ data, form, t, viewer }: Shown<Settings>): JSX.Element => {
  const mayWrite = viewer.caller.abilities.has('settings.write');
  return (
    <>
      <Groups t={t} group={data.group} />
      {mayWrite ? null : <Notice text={settingsTexts(t).readOnly} />}
      <Group {...{ data, form, t, mayWrite }} />
    </>
  );
};
