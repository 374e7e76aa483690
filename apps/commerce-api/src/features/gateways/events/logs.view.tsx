import { cut } from '@platform/runtime';
import type { JSX } from 'preact';
import { knownAbilities } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Select } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Alert, Chip, Empty, Moment, type Tone } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { LogEntry, LoginEntry } from '../../identity/logs/public';
import { abilityTexts } from '../../team/roles/public';
import type { EventOutcome, ProviderEvent } from './events.dto';
import { logKinds, type LogKind, type LogsAsked } from './logs.query';
import { logTexts } from './logs.texts';

/** One kind of records, and where the older ones are. */
export type Logs = { readonly next: string | null } & (
  | { readonly kind: 'activity'; readonly rows: readonly LogEntry[] }
  | { readonly kind: 'logins'; readonly rows: readonly LoginEntry[] }
  | { readonly kind: 'payments'; readonly rows: readonly ProviderEvent[] }
);
type All = Shown<Logs, LogsAsked>;

/** Characters of one value: more is looked up by the API. */
const LONGEST = 120;

const addressOf = (kind: LogKind, { action, cursor }: Pick<LogsAsked, 'action' | 'cursor'> = {}): string => {
  const query = new URLSearchParams({ kind, ...(action && { action }), ...(cursor && { cursor }) });
  return `/logs?${query.toString()}`;
};

const Kinds = ({ t, kind }: { readonly t: Reader; readonly kind: LogKind }): JSX.Element => {
  const say = logTexts(t);
  return (
    <nav class="views" aria-label={say.kind}>
      {logKinds.map((each) => (
        <a href={addressOf(each)} aria-current={each === kind ? 'true' : undefined}>
          {say.kinds[each]}
        </a>
      ))}
    </nav>
  );
};

const wordOf = (value: unknown): string =>
  value === undefined ? '–' : cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);

const Changes = ({ diff, t }: { readonly diff: object; readonly t: Reader }): JSX.Element | null => {
  const changes = Object.entries(diff as Readonly<Record<string, { from?: unknown; to?: unknown }>>);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary class="summary-row">
        <span>{logTexts(t).changes}</span>
      </summary>
      <ul>
        {changes.map(([name, { from, to }]) => (
          <li>
            <small>{name}</small> {wordOf(from)} → {wordOf(to)}
          </li>
        ))}
      </ul>
    </details>
  );
};

const activityColumns = (t: Reader): readonly Column<LogEntry>[] => {
  const say = logTexts(t);
  const words: Readonly<Record<string, string>> = abilityTexts(t);
  return [
    { title: say.what, main: true, cell: ({ action }) => words[action] ?? action },
    { title: say.at, cell: ({ at }) => <Moment at={at} brief /> },
    {
      ...{ title: say.who },
      cell: ({ actor }) => (actor.kind === 'user' ? actor.name : `${say.people[actor.kind]} ${actor.name}`),
    },
    { title: say.subject, cell: ({ subject }) => subject.type.replaceAll('_', ' ') },
    { title: say.changes, plain: true, cell: ({ diff }) => <Changes diff={diff} t={t} /> },
    { title: say.address, cell: ({ ip }) => ip ?? '' },
  ];
};

const loginColumns = (t: Reader): readonly Column<LoginEntry>[] => {
  const say = logTexts(t);
  const words: Readonly<Record<string, string>> = say.results;
  return [
    { title: say.result, main: true, cell: ({ result }) => words[result] ?? result },
    { title: say.at, cell: ({ at }) => <Moment at={at} brief /> },
    { title: say.address, cell: ({ ip }) => ip ?? '' },
    {
      ...{ title: say.agent },
      cell: ({ agent, session_current: isThis }) => (
        <>
          {cut(agent ?? '', LONGEST)} {isThis ? <Chip tone="info">{say.current}</Chip> : null}
        </>
      ),
    },
  ];
};

const PROVIDERS = { a: 'DOKU', b: 'Xendit', c: 'Duitku' } as const;
const BAD: ReadonlySet<EventOutcome> = new Set(['signature_failed', 'unknown_order', 'error', 'failed', 'review']);
const toneOf = (outcome: EventOutcome): Tone => (BAD.has(outcome) ? 'bad' : outcome === 'paid' ? 'good' : 'plain');

const ReplayForm = ({ form, t, id }: { form: FormState; t: Reader; id: string }): JSX.Element => (
  <Form form={form} action={`/logs/webhook/${id}/replay`} name={`replay.${id}`}>
    <button class="button">{logTexts(t).replay}</button>
  </Form>
);

const eventColumns = (form: FormState, t: Reader, mayReplay: boolean): readonly Column<ProviderEvent>[] => {
  const say = logTexts(t);
  return [
    { title: say.provider, main: true, cell: ({ provider }) => PROVIDERS[provider] },
    {
      ...{ title: say.outcome, plain: true },
      cell: ({ outcome }) => <Chip tone={toneOf(outcome)}>{say.outcomes[outcome]}</Chip>,
    },
    { title: say.at, cell: ({ at }) => <Moment at={at} brief /> },
    { title: say.attempts, number: true, cell: ({ attempts }) => t.count(attempts) },
    { title: say.error, cell: ({ error }) => cut(error ?? '', LONGEST) },
    {
      ...{ title: say.actions, plain: true },
      cell: ({ id, signature_ok: isProved }) => (isProved && mayReplay ? <ReplayForm {...{ form, t, id }} /> : null),
    },
  ];
};

const Filter = ({ form, t, query }: Pick<All, 'form' | 't' | 'query'>): JSX.Element => {
  const [say, words] = [logTexts(t), abilityTexts(t)];
  return (
    <form class="form" action="/logs">
      <input type="hidden" name="kind" value="activity" />
      <Select
        {...{ form, of: 'filter', name: 'action', label: say.action, value: query.action }}
        options={[['', say.any], ...knownAbilities.map((ability) => [ability, words[ability]] as const)]}
      />
      <div class="row-actions">
        <button class="button">{say.filter}</button>
      </div>
    </form>
  );
};

const Records = ({ data, form, t, viewer }: All): JSX.Element => {
  const say = logTexts(t);
  const caption = say.kinds[data.kind];
  if (data.rows.length === 0)
    return <Empty text={{ activity: say.noActivity, logins: say.noLogins, payments: say.noPayments }[data.kind]} />;
  if (data.kind === 'activity') return <Table {...{ caption, rows: data.rows, columns: activityColumns(t) }} />;
  if (data.kind === 'logins') return <Table {...{ caption, rows: data.rows, columns: loginColumns(t) }} />;
  const mayReplay = viewer.caller.abilities.has('logs.replay');
  return <Table {...{ caption, rows: data.rows, columns: eventColumns(form, t, mayReplay) }} />;
};

export const LogsView = (shown: All): JSX.Element => {
  const { data, form, t, query } = shown;
  const say = logTexts(t);
  return (
    <>
      {isBack(form, form.action) ? <Alert text={form.alert ?? Object.values(form.errors)[0]} /> : null}
      <Kinds t={t} kind={data.kind} />
      {data.kind === 'activity' ? <Filter {...{ form, t, query }} /> : null}
      <Records {...shown} />
      <div class="row-actions">
        {query.cursor === undefined ? null : (
          <a class="button" href={addressOf(data.kind, { action: query.action })}>
            {say.newest}
          </a>
        )}
        {data.next === null ? null : (
          <a class="button" href={addressOf(data.kind, { action: query.action, cursor: data.next })}>
            {say.older}
          </a>
        )}
      </div>
    </>
  );
};
