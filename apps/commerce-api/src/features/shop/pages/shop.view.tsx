import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { seenOf } from '../../../web/seen';
import { HoursFields } from '../hours/public';
import { editableOf, type StoreView } from '../store/public';
import { shopProfileTexts } from './shop.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly store: StoreView;
  /** What customers are told while it is closed. */
  readonly closedWith: string | null;
}

const TO = '/settings/shop';
const PLACE = ['district', 'city', 'province', 'postcode'] as const;

const ProfileForm = ({ form, t, store }: Parts): JSX.Element => {
  const say = shopProfileTexts(t);
  const of = 'shop';
  return (
    <Form form={form} action={TO} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(store))} />
      <fieldset>
        <legend>{t.nav.groups.shop}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, value: store.name, maxLength: 80, required: true }} />
        <TextArea
          {...{ form, of, name: 'description', label: say.description, hint: say.descriptionHint }}
          value={store.description}
        />
        <Field {...{ form, of, name: 'phone', label: say.phone, value: store.phone, type: 'tel' }} />
      </fieldset>
      <fieldset class="form-two">
        <legend>{say.place}</legend>
        <TextArea {...{ form, of, name: 'address[line]', label: say.line, rows: 2, value: store.address?.line }} />
        {PLACE.map((part) => (
          <Field
            {...{ form, of, name: `address[${part}]`, label: say[part], maxLength: part === 'postcode' ? 10 : 100 }}
            value={store.address?.[part]}
          />
        ))}
      </fieldset>
      <HoursFields {...{ form, of, t, legend: say.hours, hint: say.hoursHint, value: store.hours }} />
      <SaveBar text={say.save} />
    </Form>
  );
};

const StatusForm = ({ form, t, store, closedWith }: Parts): JSX.Element => {
  const say = shopProfileTexts(t);
  const of = 'status';
  return (
    <Section title={say.status}>
      <Form form={form} action={TO} name={of}>
        <Select
          {...{ form, of, name: 'status', label: say.status, value: store.status }}
          options={[
            ['open', say.states.open],
            ['closed', say.states.closed],
          ]}
        />
        <Field {...{ form, of, name: 'message', label: say.message, value: closedWith, maxLength: 200 }} />
        <div class="row-actions">
          <button class="button">{say.setStatus}</button>
        </div>
      </Form>
    </Section>
  );
};

const AnotherForm = ({ form, t }: Parts): JSX.Element => {
  const say = shopProfileTexts(t);
  const of = 'another';
  return (
    <Section title={say.another}>
      <Form form={form} action={TO} name={of}>
        <Field {...{ form, of, name: 'name', label: say.name, hint: say.anotherHint, maxLength: 80, required: true }} />
        <div class="row-actions">
          <button class="button">{say.another}</button>
        </div>
      </Form>
    </Section>
  );
};

/** The shop as buyers see it, and whether they can buy. */
export const ShopForms = (parts: Parts): JSX.Element => (
  <>
    <p>
      {shopProfileTexts(parts.t).address}: <Way to={`/s/${parts.store.slug}`}>{`/s/${parts.store.slug}`}</Way>
    </p>
    <ProfileForm {...parts} />
    <StatusForm {...parts} />
    <AnotherForm {...parts} />
  </>
);
