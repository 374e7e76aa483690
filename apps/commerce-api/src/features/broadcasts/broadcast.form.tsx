import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { FormState, Shown } from '../../web/page.types';
import { CheckList } from '../../web/ui/check-list';
import { Field, FileField, Select, TextArea } from '../../web/ui/field';
import { Form, SaveBar } from '../../web/ui/form';
import { Empty } from '../../web/ui/parts';
import { Way } from '../../web/ui/reading';
import { UploadProgress } from '../../web/ui/upload';
import { FILE_LIMIT } from '../media/uploads/public';
import type { AudiencePreview } from './audience.dto';
import { ALL } from './broadcast.typed';
import { broadcastTexts } from './broadcasts.texts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What the form of a new one offers. */
export interface NewBroadcastData {
  readonly devices: readonly Named[];
  readonly tags: readonly Named[];
  readonly replies: readonly { readonly id: string; readonly shortcut: string }[];
  /** Of the broadcast that it is a copy of. */
  readonly given: Readonly<Record<string, string | readonly string[]>>;
  /** Who would get it, when it was asked. */
  readonly preview: AudiencePreview | 'nobody' | undefined;
  /** As the first of them would get it. */
  readonly said: string;
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly data: NewBroadcastData;
}

const textIn = ({ given }: NewBroadcastData, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
};
const listIn = ({ given }: NewBroadcastData, name: string): readonly string[] | undefined => {
  const value = given[name];
  return typeof value === 'object' ? value : undefined;
};
const named = (rows: readonly Named[]) => rows.map(({ id, name }) => [id, name] as const);

const Counted = ({ preview, t }: { readonly preview: AudiencePreview; readonly t: Reader }): JSX.Element => {
  const say = broadcastTexts(t);
  const { count, blocked, opted_out: optedOut, invalid } = preview;
  const left = { blocked: t.count(blocked), optedOut: t.count(optedOut), invalid: t.count(invalid) };
  return (
    <div class="alert info" role="status">
      <div>
        <b>{say.count({ count: t.count(count) })}</b>
        {blocked + optedOut + invalid === 0 ? null : <p>{say.leftOut(left)}</p>}
      </div>
    </div>
  );
};

const Who = ({ form, t, data }: Parts): JSX.Element => {
  const say = broadcastTexts(t);
  const field = (name: string, label: string, hint?: string) => (
    <Field {...{ form, name, label, hint, value: textIn(data, name), inputMode: 'numeric' }} />
  );
  const tags = (name: string, label: string) =>
    data.tags.length === 0 ? null : (
      <CheckList {...{ form, name, label, options: named(data.tags), value: listIn(data, name) }} />
    );
  return (
    <fieldset id="audience" tabIndex={-1}>
      <legend>{say.who}</legend>
      {form.errors.audience === undefined && data.preview !== 'nobody' ? null : <p class="error">{say.nobody}</p>}
      <Select
        {...{ form, name: ALL, label: say.audience, value: textIn(data, ALL) ?? '' }}
        options={[
          ['', say.some],
          ['true', say.everybody],
        ]}
      />
      {tags('audience[tag_ids]', say.tags)}
      {tags('audience[exclude_tag_ids]', say.without)}
      {field('audience[segment][last_order_days]', say.lastOrder, say.lastOrderHint)}
      {field('audience[segment][min_orders]', say.minOrders)}
      <Field
        {...{ form, name: 'audience[segment][city]', label: say.city, maxLength: 100 }}
        value={textIn(data, 'audience[segment][city]')}
      />
      {data.preview === undefined || data.preview === 'nobody' ? null : <Counted preview={data.preview} t={t} />}
      <div class="row-actions">
        <button class="button" name="look" value="1">
          {say.look}
        </button>
      </div>
    </fieldset>
  );
};

const What = ({ form, t, data }: Parts): JSX.Element => {
  const say = broadcastTexts(t);
  const text = 'message[text]';
  const template = 'message[template_id]';
  return (
    <fieldset>
      <legend>{say.what}</legend>
      <Field
        {...{ form, name: 'name', label: say.name, hint: say.nameHint, maxLength: 80, required: true }}
        value={textIn(data, 'name')}
      />
      <Select
        {...{ form, name: 'device_id', label: say.device, value: textIn(data, 'device_id') }}
        options={named(data.devices)}
      />
      <TextArea {...{ form, name: text, label: say.text, hint: say.textHint, rows: 6, value: textIn(data, text) }} />
      {data.replies.length === 0 ? null : (
        <Select
          {...{ form, name: template, label: say.template, value: textIn(data, template) ?? '' }}
          options={[['', say.noTemplate], ...data.replies.map(({ id, shortcut }) => [id, shortcut] as const)]}
        />
      )}
      <FileField {...{ form, label: say.file, hint: say.fileHint, accept: 'image/*,video/mp4,application/pdf' }} />
      <UploadProgress most={FILE_LIMIT} />
      <div class="field">
        <b class="check-label">{say.preview}</b>
        <div class="phone">
          <p dir="auto" data-mirrors="message-text">
            {data.said}
          </p>
        </div>
      </div>
    </fieldset>
  );
};

const When = ({ form, t, data }: Parts): JSX.Element => {
  const say = broadcastTexts(t);
  const time = (name: string, label: string) => (
    <Field {...{ form, name, label, type: 'time', value: textIn(data, name) }} />
  );
  return (
    <fieldset class="form-two">
      <legend>{say.whenBlock}</legend>
      <Field
        {...{ form, name: 'schedule_at', label: say.schedule, type: 'datetime-local' }}
        {...{ hint: say.scheduleHint({ zone: t.timeZone }), value: textIn(data, 'schedule_at') }}
      />
      <Field
        {...{ form, name: 'rate_per_minute', label: say.rate, hint: say.rateHint, inputMode: 'numeric' }}
        value={textIn(data, 'rate_per_minute')}
      />
      {time('quiet_hours[from]', say.quietFrom)}
      {time('quiet_hours[to]', say.quietTo)}
    </fieldset>
  );
};

/** Who, what and when: each of them a block; nothing is sent before the draft was looked at. */
export const NewBroadcastView = ({ form, data, t }: Shown<NewBroadcastData, object>): JSX.Element => {
  const say = broadcastTexts(t);
  if (data.devices.length === 0)
    return (
      <Empty text={say.noDevice}>
        <Way class="button button-main" to="/devices">
          {say.toDevices}
        </Way>
      </Empty>
    );
  return (
    <Form form={form} action="/broadcasts" isUpload>
      <Who {...{ form, t, data }} />
      <What {...{ form, t, data }} />
      <When {...{ form, t, data }} />
      <SaveBar text={say.saveDraft} />
    </Form>
  );
};
