import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Field, FileField, Select } from '../../../web/ui/field';
import { Form, isBack, SaveBar } from '../../../web/ui/form';
import { Section } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import { DevicesForms, WaysForm, type WaysShown } from '../../notifications/ways/public';
import { FactorForms, type Made } from './factor.view';
import { locales, type UserView } from './profile.dto';
import { profileTexts } from './profile.texts';

export const PROFILE = '/profile';

interface Profile extends Made {
  readonly user: UserView;
  /** Undefined: the store is closed to them. */
  readonly ways: WaysShown | undefined;
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly user: UserView;
}

const SelfForm = ({ form, t, user }: Parts): JSX.Element => {
  const say = profileTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={PROFILE} name={of}>
      <fieldset>
        <legend>{say.me}</legend>
        <Facts facts={[[say.email, user.email]]} />
        <Field
          {...{ form, of, name: 'name', label: say.name, value: user.name, maxLength: 100, required: true }}
          autocomplete="name"
        />
        <Field
          {...{ form, of, name: 'phone', label: say.phone, hint: say.phoneHint, value: user.phone, type: 'tel' }}
          autocomplete="tel"
        />
        <Select
          {...{ form, of, name: 'locale', label: say.language, value: user.locale }}
          options={locales.map((locale) => [locale, say.languages[locale]])}
        />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

const PictureForm = ({ form, t, user }: Parts): JSX.Element => {
  const say = profileTexts(t);
  return (
    <Section title={say.picture}>
      <p class="hint">{user.avatar_url === null ? say.noPicture : say.hasPicture}</p>
      <Form form={form} action={PROFILE} name="picture" isUpload>
        <FileField
          {...{ form, of: 'picture', label: say.file, hint: say.fileHint }}
          accept="image/jpeg,image/png,image/webp"
        />
        <div class="row-actions">
          <button class="button">{say.upload}</button>
        </div>
      </Form>
    </Section>
  );
};

const PasswordForm = ({ form, t, user }: Parts): JSX.Element => {
  const say = profileTexts(t);
  const of = 'password';
  return (
    <Section title={say.password}>
      <Form form={form} action={PROFILE} name={of}>
        {/* By which a browser knows whose password it keeps */}
        <input type="hidden" autocomplete="username" value={user.email} />
        <Field
          {...{ form, of, name: 'current_password', label: say.current, type: 'password', required: true }}
          autocomplete="current-password"
        />
        <Field
          {...{ form, of, name: 'password', label: say.fresh, hint: say.freshHint, type: 'password', required: true }}
          autocomplete="new-password"
        />
        <div class="row-actions">
          <button class="button">{say.change}</button>
        </div>
      </Form>
    </Section>
  );
};

const ElsewhereForm = ({ form, t }: Pick<Parts, 'form' | 't'>): JSX.Element => {
  const say = profileTexts(t).elsewhere;
  return (
    <Section title={say.title}>
      <p class="hint">{say.hint}</p>
      <Form form={form} action={PROFILE} name="elsewhere">
        <div class="row-actions">
          <button class="button">{say.end}</button>
        </div>
      </Form>
    </Section>
  );
};

export const ProfileView = ({ data, form, t }: Shown<Profile>): JSX.Element => {
  const { user, ways, ...made } = data;
  const factor = <FactorForms {...{ form, t, user, made }} />;
  // What is shown this once is seen first
  const isFirst = Object.keys(made).length > 0 || isBack(form, 'confirm');
  return (
    <>
      {isFirst ? factor : null}
      <SelfForm {...{ form, t, user }} />
      <PasswordForm {...{ form, t, user }} />
      <ElsewhereForm {...{ form, t }} />
      {isFirst ? null : factor}
      <PictureForm {...{ form, t, user }} />
      {ways && <WaysForm {...{ form, t, ...ways }} action={PROFILE} />}
      {ways && <DevicesForms {...{ form, t, push: ways.push }} action={PROFILE} />}
    </>
  );
};
