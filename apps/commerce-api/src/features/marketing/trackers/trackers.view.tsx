import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { BarChart } from '../../../web/ui/chart';
import { CopyText } from '../../../web/ui/copy';
import { Field } from '../../../web/ui/field';
import { Adder, Form, SaveBar } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Empty, Money, Section } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import type { Tracker, TrackerClicks, TrackersQuery } from './trackers.dto';
import { editableOf } from './trackers.sql';
import { trackerTexts } from './trackers.texts';

interface Listed extends ListedPage<Tracker> {
  /** While it is being changed, with its days. */
  readonly chosen: { readonly tracker: Tracker; readonly clicks: TrackerClicks } | undefined;
}
type All = Shown<Listed, TrackersQuery>;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const PATH = '/trackers';

/** By which reports tell its visitors apart; those of a target in WhatsApp are known by the link itself. */
const Marks = ({ form, t, of, tracker }: Parts & { readonly of: string; readonly tracker?: Tracker }): JSX.Element => {
  const say = trackerTexts(t);
  const marks = [
    ['source', say.source, say.sourceHint],
    ['medium', say.medium, say.mediumHint],
    ['campaign', say.campaign, undefined],
  ] as const;
  return (
    <fieldset class="form-two">
      <legend>{say.utm}</legend>
      {marks.map(([name, label, hint]) => (
        <Field {...{ form, of, name: `utm[${name}]`, label, hint, maxLength: 200, value: tracker?.utm[name] }} />
      ))}
    </fieldset>
  );
};

const Target = ({ form, t, of, tracker }: Parts & { readonly of: string; readonly tracker?: Tracker }): JSX.Element => {
  const say = trackerTexts(t);
  return (
    <Field
      {...{ form, of, name: 'target', label: say.target, hint: say.targetHint, type: 'url', inputMode: 'url' }}
      {...{ maxLength: 2048, required: true, value: tracker?.target }}
    />
  );
};

const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = trackerTexts(t);
  const of = 'create';
  return (
    <Form form={form} action={PATH} name={of}>
      <fieldset>
        <legend>{say.create}</legend>
        <Target {...{ form, t, of }} />
        <Field {...{ form, of, name: 'code', label: say.code, hint: say.codeHint, maxLength: 16, prefix: '/t/' }} />
      </fieldset>
      <Marks {...{ form, t, of }} />
      <SaveBar text={say.save} />
    </Form>
  );
};

const ChangeForm = ({ form, t, tracker }: Parts & { readonly tracker: Tracker }): JSX.Element => {
  const say = trackerTexts(t);
  const of = 'save';
  const { id, utm } = tracker;
  return (
    <>
      <Form form={form} action={PATH} name={of}>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="seen" value={seenOf(editableOf(tracker))} />
        {(['content', 'term', 'id'] as const).map((name) =>
          utm[name] === undefined ? null : <input type="hidden" name={`utm[${name}]`} value={utm[name]} />,
        )}
        <Target {...{ form, t, of, tracker }} />
        <Marks {...{ form, t, of, tracker }} />
        <SaveBar text={say.save}>
          <a class="button" href={PATH}>
            {t.form.cancel}
          </a>
        </SaveBar>
      </Form>
      <Form form={form} action={PATH} name="remove">
        <input type="hidden" name="id" value={id} />
        <p class="hint">{say.removeHint}</p>
        <div class="row-actions">
          <button class="button button-danger">{say.remove}</button>
        </div>
      </Form>
    </>
  );
};

const nameOf = ({ code }: Tracker): string => `/t/${code}`;

const columnsFor = (t: Reader): readonly Column<Tracker>[] => {
  const say = trackerTexts(t);
  return [
    {
      ...{ title: say.code, main: true, sort: 'code' },
      cell: (tracker) => <a href={`${PATH}?id=${tracker.id}`}>{nameOf(tracker)}</a>,
    },
    { title: say.target, plain: true, cell: ({ target }) => <small dir="ltr">{target}</small> },
    { title: say.clicks, cell: ({ clicks }) => t.count(clicks) },
    { title: say.chats, cell: ({ chats }) => t.count(chats) },
    { title: say.orders, cell: ({ orders }) => t.count(orders) },
    { title: say.revenue, number: true, cell: ({ revenue }) => <Money amount={revenue} /> },
  ];
};

export const TrackerList = ({ data, query, t }: All): JSX.Element => {
  const say = trackerTexts(t);
  return (
    <List
      {...{ path: PATH, query, usualSort: '-created_at', caption: t.nav.places.trackers, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      empty={<Empty text={say.none} />}
    />
  );
};

const Chosen = ({ data, form, t }: All & { readonly data: Required<Listed> }): JSX.Element | null => {
  const say = trackerTexts(t);
  const { chosen } = data;
  if (!chosen) return null;
  const { tracker, clicks } = chosen;
  const points = clicks.days.map((day) => ({ label: t.day(day.day), short: t.day(day.day), value: day.clicks }));
  return (
    <Section title={say.edit({ name: nameOf(tracker) })}>
      {tracker.url === null ? null : <CopyText text={tracker.url} t={t} />}
      <section class="panel">
        <BarChart title={say.perDay} points={points} format={t.count} />
      </section>
      <ChangeForm {...{ form, t, tracker }} />
    </Section>
  );
};

export const TrackersView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  return (
    <>
      {data.chosen ? (
        <Chosen {...shown} />
      ) : (
        <Adder title={trackerTexts(t).create} isOpen={form.action === 'create'}>
          <NewForm form={form} t={t} />
        </Adder>
      )}
      <TrackerList {...shown} />
    </>
  );
};
