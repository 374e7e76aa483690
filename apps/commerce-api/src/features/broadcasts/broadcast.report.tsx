import type { Feed } from '@platform/http';
import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { FormState, Shown } from '../../web/page.types';
import { FeedPager, FeedViews } from '../../web/ui/feed';
import { Form } from '../../web/ui/form';
import { Alert, Away, Chip, Empty, Moment, Section, type Tone } from '../../web/ui/parts';
import { Way } from '../../web/ui/reading';
import { Facts, Table, type Column } from '../../web/ui/table';
import type { Audience } from './audience.dto';
import {
  recipientStates,
  type Broadcast,
  type BroadcastRecipient,
  type BroadcastState,
  type RecipientsQuery,
} from './broadcasts.dto';
import { broadcastTexts } from './broadcasts.texts';

export interface ReportData {
  /** Undefined while chat-backend is away. */
  readonly broadcast: Broadcast | undefined;
  /** Who would get it now; undefined: it is on its way already, or its reader does not see everybody's customers. */
  readonly reach: number | undefined;
  readonly recipients: Feed<BroadcastRecipient> | undefined;
  readonly device: string;
  readonly tags: ReadonlyMap<string, string>;
  /** What it says. */
  readonly said: string;
}

const TONES: Readonly<Record<BroadcastState, Tone>> = {
  ...{ draft: 'plain', scheduled: 'info', sending: 'wait', paused: 'wait' },
  ...{ done: 'good', cancelled: 'plain', failed: 'bad' },
};

export const State = ({ broadcast, t }: { readonly broadcast: Broadcast; readonly t: Reader }): JSX.Element => {
  const say = broadcastTexts(t);
  const { status, starting } = broadcast;
  return <Chip tone={starting ? 'wait' : TONES[status]}>{starting ? say.starting : say.states[status]}</Chip>;
};

const COUNTS = ['total', 'pending', 'sent', 'delivered', 'viewed', 'failed', 'skipped'] as const;

/** How far it has come: what the open page is told. */
export const Progress = ({ broadcast, t }: { readonly broadcast: Broadcast; readonly t: Reader }): JSX.Element => {
  const say = broadcastTexts(t);
  const { counts, status, starting } = broadcast;
  const [done, all] = [counts.sent + counts.failed, counts.total - counts.skipped];
  // Nobody is in it yet
  if (status === 'draft' && !starting)
    return (
      <div id="progress">
        <State broadcast={broadcast} t={t} />
      </div>
    );
  return (
    <div id="progress" class="panel">
      <p>
        <State broadcast={broadcast} t={t} /> {say.progressOf({ done: t.count(done), all: t.count(all) })}
      </p>
      <progress class="progress" max={Math.max(all, 1)} value={done} aria-label={say.progress} />
      <Facts facts={COUNTS.map((name) => [say.counts[name], t.count(counts[name])])} />
    </div>
  );
};

const meant = (audience: Audience, tags: ReadonlyMap<string, string>, t: Reader): string => {
  const say = broadcastTexts(t);
  const { all, tag_ids, exclude_tag_ids, segment = {}, contact_ids } = audience;
  const names = (ids: readonly string[]) => ids.map((id) => tags.get(id) ?? say.unknownTag).join(', ');
  const { last_order_days: days, min_orders: orders, city, source } = segment;
  return [
    ...(all ? [say.everybody] : []),
    ...(tag_ids ? [say.audiences.tags({ names: names(tag_ids) })] : []),
    ...(exclude_tag_ids ? [say.audiences.without({ names: names(exclude_tag_ids) })] : []),
    ...(days === undefined ? [] : [say.audiences.lastOrder({ days: t.count(days) })]),
    ...(orders === undefined ? [] : [say.audiences.minOrders({ count: t.count(orders) })]),
    ...(city === undefined ? [] : [say.audiences.city({ city })]),
    ...(source === undefined ? [] : [say.audiences.source({ source })]),
    ...(contact_ids ? [say.audiences.chosen({ count: t.count(contact_ids.length) })] : []),
  ].join(' · ');
};

type Known = ReportData & { readonly broadcast: Broadcast };

const Details = ({ data, t }: { readonly data: Known; readonly t: Reader }): JSX.Element => {
  const say = broadcastTexts(t);
  const { broadcast, device, tags, said } = data;
  const { audience, schedule_at: at, rate_per_minute: rate, quiet_hours: quiet } = broadcast;
  return (
    <Section title={say.details}>
      <div class="phone">
        <p dir="auto">{said}</p>
      </div>
      <div class="panel">
        <Facts
          facts={[
            [say.audience, audience === null ? '–' : meant(audience, tags, t)],
            [say.device, device],
            [say.schedule, at === null ? say.now : <Moment at={at} />],
            [say.rate, t.count(rate)],
            ...(quiet ? [[say.quiet, `${quiet.from}–${quiet.to}`] as const] : []),
          ]}
        />
      </div>
    </Section>
  );
};

type Step = 'send' | 'pause' | 'resume' | 'cancel' | 'remove';
const STEPS: Readonly<Record<BroadcastState, readonly Step[]>> = {
  ...{ draft: ['send', 'remove'], scheduled: ['cancel'], sending: ['pause', 'cancel'], paused: ['resume', 'cancel'] },
  ...{ done: [], cancelled: [], failed: [] },
};
const STOPS: readonly Step[] = ['cancel', 'remove'];

const Steps = ({ form, t, data }: { readonly form: FormState; readonly t: Reader; readonly data: Known }) => {
  const say = broadcastTexts(t);
  const { broadcast, reach } = data;
  const { id, status, starting, schedule_at: at } = broadcast;
  const count = t.count(reach ?? 0);
  const isAhead = at !== null && Date.parse(at) > Date.now();
  const words: Readonly<Record<Step, string>> = {
    ...say,
    send: isAhead ? say.sendAt({ count, at: t.moment(at) }) : say.send({ count }),
  };
  const may = (step: Step): boolean => !starting && (step !== 'send' || (reach ?? 0) > 0);
  const steps = STEPS[status].filter(may);
  // What was asked for is not to be done any more: there is no form of it to say so
  const isOver = form.alert !== undefined && !steps.some((step) => step === form.action);
  return (
    <div class="row-actions">
      {isOver ? <Alert text={form.alert} /> : null}
      {steps.map((step) => (
        <Form form={form} action={`/broadcasts/${id}/action`} name={step}>
          <button class={STOPS.includes(step) ? 'button button-danger' : 'button button-main'}>{words[step]}</button>
        </Form>
      ))}
      {status === 'draft' && reach === 0 ? <p class="hint">{say.nobodyNow}</p> : null}
      <Way class="button" to={`/broadcasts/create?from=${id}`}>
        {say.copy}
      </Way>
    </div>
  );
};

const columnsFor = (t: Reader): readonly Column<BroadcastRecipient>[] => {
  const say = broadcastTexts(t);
  return [
    { title: say.phone, main: true, cell: ({ phone }) => phone },
    { title: say.person, cell: ({ name }) => <span dir="auto">{name}</span> },
    { title: say.status, plain: true, cell: ({ status }) => say.counts[status] },
    { title: say.error, cell: ({ error }) => error },
  ];
};

const Recipients = ({ data, query, t }: Pick<Shown<Known, RecipientsQuery>, 'data' | 'query' | 't'>) => {
  const say = broadcastTexts(t);
  const { recipients, broadcast } = data;
  if (!recipients) return null;
  const path = `/broadcasts/${broadcast.id}`;
  const views = recipientStates.map((status) => ({ text: say.counts[status], set: { status } }));
  return (
    <Section title={say.recipients}>
      <FeedViews {...{ path, query }} views={[{ text: t.list.all, set: {} }, ...views]} />
      {recipients.rows.length === 0 ? (
        <Empty text={say.noRecipients} />
      ) : (
        <Table caption={say.recipients} rows={recipients.rows} columns={columnsFor(t)} />
      )}
      <FeedPager {...{ path, query }} next={recipients.nextCursor} />
    </Section>
  );
};

export const ReportView = ({ data, query, form, t }: Shown<ReportData, RecipientsQuery>): JSX.Element => {
  const { broadcast } = data;
  if (!broadcast) return <Away />;
  const known = { ...data, broadcast };
  return (
    <div class="rows" data-follow="progress" data-follow-at={`/broadcasts/${broadcast.id}`}>
      <div aria-live="polite">
        <Progress broadcast={broadcast} t={t} />
      </div>
      <Steps {...{ form, t, data: known }} />
      <Details data={known} t={t} />
      <Recipients {...{ data: known, query, t }} />
    </div>
  );
};
