import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { CopyText } from '../../../web/ui/copy';
import { Check, Field, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Notice, Section } from '../../../web/ui/parts';
import { positions, type Widget } from '../../inbox/widget/public';
import { widgetTexts } from './widget.texts';

export interface WidgetShown {
  readonly widget: Widget;
  /** Those that can answer. */
  readonly devices: readonly { readonly id: string; readonly name: string }[];
  /** Whether visitors would reach anybody. */
  readonly isAnswered: boolean;
  /** Where the script of the shop is; undefined where nobody knows the address of this service. */
  readonly script: string | undefined;
}

interface Parts extends WidgetShown {
  readonly form: FormState;
  readonly t: Reader;
  readonly mayWrite: boolean;
}

export const WIDGET = '/settings/widget';
const of = 'widget';

const Looks = ({ form, t, widget }: Parts): JSX.Element => {
  const say = widgetTexts(t);
  return (
    <>
      <Check {...{ form, of, name: 'enabled', label: say.enabled, value: widget.enabled }} />
      <Field
        {...{ form, of, name: 'title', label: say.name, hint: say.nameHint, value: widget.title, maxLength: 60 }}
      />
      <Field
        {...{ form, of, name: 'greeting', label: say.greeting, hint: say.greetingHint, value: widget.greeting }}
        maxLength={200}
      />
      <Field {...{ form, of, name: 'color', label: say.color, value: widget.color, type: 'color' }} />
      <Select
        {...{ form, of, name: 'position', label: say.position, value: widget.position }}
        options={positions.map((position) => [position, say.positions[position]])}
      />
    </>
  );
};

const Reach = ({ form, t, widget, devices }: Parts): JSX.Element => {
  const say = widgetTexts(t);
  return (
    <>
      <Select
        {...{ form, of, name: 'device_id', label: say.device, value: widget.device_id ?? '' }}
        options={[['', say.usual], ...devices.map(({ id, name }) => [id, name] as const)]}
      />
      <TextArea
        {...{ form, of, name: 'allowed_hosts', label: say.hosts, hint: say.hostsHint }}
        value={widget.allowed_hosts.join('\n')}
      />
    </>
  );
};

const Embedding = ({ t, widget, isAnswered, script }: Parts): JSX.Element | null => {
  if (script === undefined) return null;
  const say = widgetTexts(t);
  return (
    <Section title={say.embed}>
      {isAnswered ? null : <Notice text={say.noNumber} />}
      {widget.enabled ? null : <Notice text={say.off} />}
      <p class="hint">{say.embedHint}</p>
      <CopyText text={`<script src="${script}" async></script>`} t={t} />
    </Section>
  );
};

/** The button on the shop's own website: how it looks, who answers, and the line that puts it there. */
export const WidgetForms = (parts: Parts): JSX.Element => {
  const { form, t, widget, mayWrite } = parts;
  const say = widgetTexts(t);
  return (
    <>
      <Form form={form} action={WIDGET} name={of}>
        <input type="hidden" name="seen" value={seenOf(widget)} />
        <fieldset disabled={!mayWrite}>
          <legend>{say.title}</legend>
          <p class="hint">{say.about}</p>
          <Looks {...parts} />
          <Reach {...parts} />
        </fieldset>
        {mayWrite ? <SaveBar text={say.save} /> : null}
      </Form>
      <Embedding {...parts} />
    </>
  );
};
