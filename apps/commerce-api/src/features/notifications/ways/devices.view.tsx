import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Form } from '../../../web/ui/form';
import { Section } from '../../../web/ui/parts';
import type { PushShown } from '../pushes/public';
import { deviceTexts } from './devices.texts';

interface HereParts {
  readonly push: PushShown;
  readonly form: FormState;
  readonly t: Reader;
  /** Where the form goes. */
  readonly action: string;
  /** On a page that is for something else: it says nothing but what it offers. */
  readonly isGentle?: true;
}

const GIVEN = ['endpoint', 'p256dh', 'auth', 'label'];

/** The offer to be told in this very browser: only a script can ask a browser for that. Nothing where it is not offered. */
export const TellHere = ({ push, form, t, action, isGentle }: HereParts): JSX.Element | null => {
  const say = deviceTexts(t);
  const { public_key: key, devices } = push;
  if (key === null) return null;
  const known = devices.map(({ id }) => id).join(' ');
  const words = { 'data-on': say.on, 'data-denied': say.denied, 'data-unable': say.unable, 'data-failed': say.failed };
  return (
    <div
      class="tell-here"
      data-push=""
      data-key={key}
      data-known={known}
      {...words}
      data-gentle={isGentle && ''}
      hidden={isGentle}
    >
      <Form form={form} action={action} name="device">
        {GIVEN.map((name) => (
          <input type="hidden" name={name} value="" />
        ))}
        <button type="button" class={isGentle ? 'button' : 'button button-main'} hidden>
          {say.tellHere}
        </button>
      </Form>
      <p class="hint" role="status">
        {isGentle ? null : <noscript>{say.needsScript}</noscript>}
      </p>
    </div>
  );
};

const Devices = ({ push: { devices }, form, t, action }: HereParts): JSX.Element => {
  const say = deviceTexts(t);
  if (devices.length === 0) return <p class="hint">{say.none}</p>;
  return (
    <ul class="found" aria-label={say.devices}>
      {devices.map(({ id, label, created_at: at }) => (
        <li>
          <span>
            <b dir="auto">{label}</b> <small>{say.since({ at: t.moment(at) })}</small>
          </span>
          <Form form={form} action={action} name={`undevice.${id}`}>
            <input type="hidden" name="id" value={id} />
            <button class="button">{say.remove}</button>
          </Form>
        </li>
      ))}
    </ul>
  );
};

/** In which browsers somebody is told while they look at no page, and how much of it is shown there. */
export const DevicesForms = (parts: HereParts): JSX.Element | null => {
  const { push, form, t, action } = parts;
  if (push.public_key === null) return null;
  const say = deviceTexts(t);
  return (
    <Section title={say.title}>
      <p class="hint">{say.text}</p>
      <TellHere {...parts} />
      <Devices {...parts} />
      <Form form={form} action={action} name="content">
        <label class="check">
          <input type="checkbox" name="push_content" value="true" checked={push.show_content} />
          <span>{say.content}</span>
        </label>
        <p class="hint">{say.contentHint}</p>
        <div class="row-actions">
          <button class="button">{say.save}</button>
        </div>
      </Form>
    </Section>
  );
};
