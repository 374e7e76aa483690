import type { JSX } from 'preact';
import { pixelKinds } from '../../../clients/pixel.port';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Field, Select } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar, stateOf } from '../../../web/ui/form';
import { Alert, Chip, Empty, Moment, Section, type Tone } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import { pixelEvents, type Pixel, type PixelEventRow } from './pixels.dto';
import { editableOf } from './pixels.sql';
import { pixelTexts } from './pixels.texts';

export interface Pixels {
  readonly pixels: readonly Pixel[];
  /** While it is being changed, with what its network was told last. */
  readonly chosen: { readonly pixel: Pixel; readonly sent: readonly PixelEventRow[] } | undefined;
}
type All = Shown<Pixels, object>;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const PATH = '/pixels';

/** What a network is told: one box each. */
const Events = ({ form: all, t, of, chosen }: Parts & { readonly of: string; readonly chosen: readonly string[] }) => {
  const say = pixelTexts(t);
  const form = stateOf(all, of);
  const typed = Object.keys(form.fields).length > 0 ? [form.fields.events ?? []].flat() : chosen;
  const error = form.errors.events;
  return (
    <fieldset id={`${of}-events`}>
      <legend>{say.events}</legend>
      {error === undefined ? null : <p class="error">{error}</p>}
      {pixelEvents.map((event) => (
        <label class="check">
          <input type="checkbox" name="events" value={event} checked={typed.includes(event)} /> {say.eventNames[event]}
        </label>
      ))}
    </fieldset>
  );
};

const PixelForm = ({ form, t, of, pixel }: Parts & { readonly of: 'create' | 'save'; readonly pixel?: Pixel }) => {
  const say = pixelTexts(t);
  return (
    <Form form={form} action={PATH} name={of}>
      {pixel ? <input type="hidden" name="id" value={pixel.id} /> : null}
      {pixel ? <input type="hidden" name="seen" value={seenOf(editableOf(pixel))} /> : null}
      <Select
        {...{ form, of, name: 'kind', label: say.kind, value: pixel?.kind }}
        options={pixelKinds.map((kind) => [kind, say.kinds[kind]])}
      />
      <Field
        {...{ form, of, name: 'pixel_ref', label: say.ref, hint: say.refHint, maxLength: 40, required: true }}
        value={pixel?.pixel_ref}
      />
      <Field
        {...{ form, of, name: 'token', label: say.token, hint: say.tokenHint, type: 'password', maxLength: 500 }}
        autocomplete="off"
      />
      <Events {...{ form, t, of, chosen: pixel?.events ?? ['purchase'] }} />
      <SaveBar text={say.save}>
        {pixel ? (
          <a class="button" href={PATH}>
            {t.form.cancel}
          </a>
        ) : null}
      </SaveBar>
    </Form>
  );
};

const TONES: Readonly<Record<PixelEventRow['status'], Tone>> = {
  ...{ waiting: 'wait', sent: 'good', refused: 'bad', given_up: 'plain' },
};

const sentColumns = (t: Reader): readonly Column<PixelEventRow>[] => {
  const say = pixelTexts(t);
  return [
    { title: say.event, main: true, cell: ({ name }) => name },
    { title: say.state, plain: true, cell: ({ status }) => <Chip tone={TONES[status]}>{say.states[status]}</Chip> },
    { title: say.answer, plain: true, cell: ({ answer }) => answer && <small lang="en">{answer}</small> },
    { title: say.at, plain: true, cell: ({ created_at: at }) => <Moment at={at} brief /> },
  ];
};

const TestForm = ({ form, t, pixel }: Parts & { readonly pixel: Pixel }): JSX.Element => {
  const say = pixelTexts(t);
  const of = 'test';
  if (!pixel.token_set) return <p class="hint">{say.tokenNeeded}</p>;
  return (
    <Form form={form} action={PATH} name={of}>
      <input type="hidden" name="id" value={pixel.id} />
      <Field {...{ form, of, name: 'test_event_code', label: say.testCode, hint: say.testHint, maxLength: 40 }} />
      <div class="row-actions">
        <button class="button">{say.test}</button>
      </div>
    </Form>
  );
};

const nameOf = ({ kind, pixel_ref: ref }: Pixel, t: Reader): string => `${pixelTexts(t).kinds[kind]} ${ref}`;

const Chosen = ({ data: { chosen }, form, t }: All): JSX.Element | null => {
  if (!chosen) return null;
  const say = pixelTexts(t);
  const { pixel, sent } = chosen;
  return (
    <>
      <Section title={say.edit({ name: nameOf(pixel, t) })}>
        <PixelForm {...{ form, t, of: 'save', pixel }} />
      </Section>
      <Section title={say.sent}>
        <TestForm {...{ form, t, pixel }} />
        {sent.length === 0 ? (
          <p class="panel">{say.noneSent}</p>
        ) : (
          <Table caption={say.sent} rows={sent} columns={sentColumns(t)} />
        )}
      </Section>
      <Form form={form} action={PATH} name="remove">
        <input type="hidden" name="id" value={pixel.id} />
        <p class="hint">{say.removeHint}</p>
        <div class="row-actions">
          <button class="button button-danger">{say.remove}</button>
        </div>
      </Form>
    </>
  );
};

const columnsFor = (t: Reader): readonly Column<Pixel>[] => {
  const say = pixelTexts(t);
  return [
    { title: say.pixel, main: true, cell: (pixel) => <a href={`${PATH}?id=${pixel.id}`}>{nameOf(pixel, t)}</a> },
    {
      ...{ title: say.token, plain: true },
      cell: ({ token_set: isSet }) =>
        isSet ? <Chip tone="good">{say.tokenSet}</Chip> : <Chip tone="wait">{say.tokenMissing}</Chip>,
    },
    {
      ...{ title: say.events, plain: true },
      cell: ({ events }) =>
        pixelEvents
          .filter((event) => events.includes(event))
          .map((event) => say.eventNames[event])
          .join(', '),
    },
  ];
};

export const PixelsView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = pixelTexts(t);
  return (
    <>
      {data.chosen ? (
        <Chosen {...shown} />
      ) : (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <PixelForm {...{ form, t, of: 'create' }} />
        </Adder>
      )}
      {form.action === undefined || data.chosen || form.action === 'create' ? null : <Alert text={form.alert} />}
      {data.pixels.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <Table caption={t.nav.places.pixels} rows={data.pixels} columns={columnsFor(t)} />
      )}
    </>
  );
};
