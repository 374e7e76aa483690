import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Boxes } from '../../../web/ui/boxes';
import { Field } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Empty, Moment } from '../../../web/ui/parts';
import { Secret } from '../../../web/ui/secret';
import { Table, type Column } from '../../../web/ui/table';
import { hookEvents, type HookEvent, type MadeWebhook, type Webhook } from './webhooks.dto';
import { webhookTexts } from './webhooks.texts';

interface Hooks {
  readonly hooks: readonly Webhook[];
  /** A moment ago, or its secret was: that is shown this once. */
  readonly made?: Pick<MadeWebhook, 'secret'>;
}
type All = Shown<Hooks>;

const TO = '/settings/webhooks';

const NewForm = ({ form, t }: Pick<All, 'form' | 't'>): JSX.Element => {
  const say = webhookTexts(t);
  const of = 'create';
  return (
    <Form form={form} action={TO} name={of}>
      <Field
        {...{ form, of, name: 'url', label: say.url, hint: say.urlHint, type: 'url', maxLength: 2048, required: true }}
      />
      <Boxes
        {...{ form, of, name: 'events', label: say.events, value: ['order.created', 'order.paid'] }}
        groups={[[say.events, hookEvents.map((event) => [event, say.names[event]])]]}
      />
      <SaveBar text={say.save} />
    </Form>
  );
};

const Last = ({ hook: { last }, t }: { readonly hook: Webhook; readonly t: Reader }): JSX.Element => {
  const say = webhookTexts(t);
  if (last === null) return <>{say.never}</>;
  const answer = last.status === null ? say.failed : say.result({ status: String(last.status) });
  return (
    <>
      <Chip tone={last.error === null ? 'good' : 'bad'}>{answer}</Chip> <Moment at={last.at} brief />
    </>
  );
};

interface OneForm {
  readonly form: All['form'];
  readonly id: string;
  readonly action: 'try' | 'renew' | 'remove';
  readonly text: string;
}

const OneForm = ({ form, id, action, text }: OneForm): JSX.Element => (
  <Form form={form} action={TO} name={`${action}.${id}`}>
    <input type="hidden" name="id" value={id} />
    <button class={action === 'try' ? 'button' : 'button button-danger'}>{text}</button>
  </Form>
);

const Ways = ({ form, t, id }: Pick<All, 'form' | 't'> & { readonly id: string }): JSX.Element => {
  const say = webhookTexts(t);
  return (
    <div class="row-actions">
      <OneForm {...{ form, id, action: 'try', text: say.try }} />
      <details>
        <summary class="link">{say.more}</summary>
        <p class="hint">{say.renewHint}</p>
        <div class="row-actions">
          <OneForm {...{ form, id, action: 'renew', text: say.renew }} />
          <OneForm {...{ form, id, action: 'remove', text: say.remove }} />
        </div>
      </details>
    </div>
  );
};

const columnsFor = ({ form, t, viewer }: All): readonly Column<Webhook>[] => {
  const say = webhookTexts(t);
  const all: readonly Column<Webhook>[] = [
    { title: say.url, main: true, cell: ({ url }) => url },
    {
      ...{ title: say.state, plain: true },
      cell: ({ status }) => <Chip tone={status === 'active' ? 'good' : 'bad'}>{say.states[status]}</Chip>,
    },
    { title: say.events, cell: ({ events }) => events.map((event) => say.names[event as HookEvent]).join(', ') },
    { title: say.last, cell: (hook) => <Last hook={hook} t={t} /> },
    { title: say.waiting, number: true, cell: ({ waiting }) => t.count(waiting) },
  ];
  const ways = { title: say.actions, plain: true, cell: ({ id }: Webhook) => <Ways {...{ form, t, id }} /> };
  return viewer.caller.abilities.has('settings.write') ? [...all, { ...ways, plain: true }] : all;
};

export const WebhooksView = (shown: All): JSX.Element => {
  const { data, form, t, viewer } = shown;
  const say = webhookTexts(t);
  return (
    <>
      {data.made === undefined ? <p>{say.text}</p> : <Secret text={data.made.secret} hint={say.once} />}
      {viewer.caller.abilities.has('settings.write') ? (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <NewForm form={form} t={t} />
        </Adder>
      ) : null}
      {data.hooks.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <>
          <Table caption={t.nav.places.webhooks} rows={data.hooks} columns={columnsFor(shown)} />
          {data.hooks.some(({ status }) => status === 'stopped') ? <p class="hint">{say.stoppedHint}</p> : null}
        </>
      )}
    </>
  );
};
