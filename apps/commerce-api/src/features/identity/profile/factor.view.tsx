import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Section } from '../../../web/ui/parts';
import { Secret } from '../../../web/ui/secret';
import type { Enrolment, UserView } from './profile.dto';
import { profileTexts } from './profile.texts';

/** What was made a moment ago, and is shown this once. */
export interface Made {
  readonly enrolment?: Enrolment;
  readonly recoveryCodes?: readonly string[];
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const PROFILE = '/profile';

const Password = ({ form, t, of }: Parts & { readonly of: string }): JSX.Element => (
  <Field
    {...{ form, of, name: 'password', label: profileTexts(t).current, type: 'password', required: true }}
    autocomplete="current-password"
  />
);

const BeginForm = ({ form, t }: Parts): JSX.Element => {
  const say = profileTexts(t).factor;
  return (
    <Form form={form} action={PROFILE} name="begin">
      <p class="hint">{say.off}</p>
      <Password {...{ form, t, of: 'begin' }} />
      <div class="row-actions">
        <button class="button">{say.begin}</button>
      </div>
    </Form>
  );
};

const Enrolling = ({ enrolment, t }: Pick<Parts, 't'> & { readonly enrolment: Enrolment }): JSX.Element => {
  const say = profileTexts(t).factor;
  const picture = `data:image/svg+xml;base64,${Buffer.from(enrolment.qr_svg).toString('base64')}`;
  return (
    <>
      <p>{say.scan}</p>
      <img class="qr" src={picture} alt={say.qr} width="220" height="220" />
      <Secret text={enrolment.secret} hint={say.secret} />
    </>
  );
};

const ConfirmForm = ({ form, t, enrolment }: Parts & Pick<Made, 'enrolment'>): JSX.Element => {
  const say = profileTexts(t).factor;
  return (
    <>
      {enrolment === undefined ? null : <Enrolling enrolment={enrolment} t={t} />}
      <Form form={form} action={PROFILE} name="confirm">
        <Field
          {...{
            form,
            of: 'confirm',
            name: 'code',
            label: say.code,
            inputMode: 'numeric',
            maxLength: 16,
            required: true,
          }}
          autocomplete="one-time-code"
        />
        <div class="row-actions">
          <button class="button button-main">{say.confirm}</button>
        </div>
      </Form>
    </>
  );
};

const EndForm = ({ form, t }: Parts): JSX.Element => {
  const say = profileTexts(t).factor;
  return (
    <Form form={form} action={PROFILE} name="end">
      <p class="hint">{say.on}</p>
      <Password {...{ form, t, of: 'end' }} />
      <Field
        {...{ form, of: 'end', name: 'code', label: say.proof, maxLength: 32, required: true }}
        autocomplete="one-time-code"
      />
      <div class="row-actions">
        <button class="button button-danger">{say.end}</button>
      </div>
    </Form>
  );
};

interface FactorParts extends Parts {
  readonly user: UserView;
  readonly made: Made;
}

/** The second step of a sign-in: first while something is shown once, else among the others. */
export const FactorForms = ({ form, t, user, made: { enrolment, recoveryCodes } }: FactorParts): JSX.Element => {
  const say = profileTexts(t).factor;
  const isEnrolling = enrolment !== undefined || isBack(form, 'confirm');
  return (
    <Section title={say.title}>
      {recoveryCodes === undefined ? null : <Secret text={recoveryCodes.join('\n')} hint={say.recovery} />}
      {user.two_factor ? <EndForm form={form} t={t} /> : null}
      {!user.two_factor && isEnrolling ? <ConfirmForm {...{ form, t, enrolment }} /> : null}
      {user.two_factor || enrolment !== undefined ? null : <BeginForm form={form} t={t} />}
    </Section>
  );
};
