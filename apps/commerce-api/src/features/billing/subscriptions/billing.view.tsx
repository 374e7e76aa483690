import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Pager } from '../../../web/ui/pager';
import { Chip, Empty, Money, Notice, Section, type Tone } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { Addon } from '../addons/public';
import type { Invoice } from '../invoices/public';
import { countIn } from './billing.limits';
import { billingTexts } from './billing.texts';
import type { BillsQuery, PlanUse, Subscription } from './subscriptions.dto';

interface Data {
  readonly subscription: Subscription;
  /** It has a plan that goes on, or waits for its money. */
  readonly isLive: boolean;
  readonly uses: readonly PlanUse[];
  readonly addons: readonly Addon[];
  readonly bills: ListedPage<Invoice>;
}
type One = Shown<Data, BillsQuery>;

const TONES: Readonly<Record<Subscription['status'], Tone>> = {
  ...{ trialing: 'info', active: 'good', past_due: 'bad', cancelled: 'plain', expired: 'plain' },
};
export const BILL_TONES: Readonly<Record<Invoice['status'], Tone>> = {
  ...{ draft: 'plain', open: 'wait', paid: 'good', expired: 'plain', void: 'plain' },
};

const may = ({ viewer }: One): boolean => viewer.caller.abilities.has('billing.write');

const CancelForm = ({ form, t, data: { subscription } }: One): JSX.Element => {
  const say = billingTexts(t);
  if (subscription.cancel_at_period_end)
    return (
      <Form form={form} action="/billing/cancel" name="resume">
        <div class="row-actions">
          <button class="button button-main">{say.resume}</button>
        </div>
      </Form>
    );
  const of = 'cancel';
  return (
    <details open={isBack(form, of)}>
      <summary class="link">{say.cancel}</summary>
      <Form form={form} action="/billing/cancel" name={of}>
        <Field {...{ form, of, name: 'reason', label: say.reason, hint: say.cancelHint, maxLength: 500 }} />
        <div class="row-actions">
          <button class="button button-danger">{say.cancel}</button>
        </div>
      </Form>
    </details>
  );
};

const PlanPanel = (shown: One): JSX.Element => {
  const { data, t } = shown;
  const { subscription, isLive } = data;
  const say = billingTexts(t);
  const { plan, status, period, period_end: end, cancel_at_period_end: isEnding, next_plan: next } = subscription;
  return (
    <section class="panel">
      <h2>
        {plan.name} <Chip tone={TONES[status]}>{say.states[status]}</Chip>
      </h2>
      <p>
        {period === null || plan.prices === null ? null : `${t.money(plan.prices[period])} ${say.periods[period]} `}
        {end === null ? null : say.until({ at: t.brief(end) })}
      </p>
      {isEnding && end !== null ? <Notice text={say.ends({ at: t.brief(end) })} /> : null}
      {next === null ? null : <p>{say.next({ name: next.name })}</p>}
      <div class="row-actions">
        <a class="button button-main" href="/billing/packages">
          {say.choose}
        </a>
      </div>
      {isLive && may(shown) ? <CancelForm {...shown} /> : null}
    </section>
  );
};

const Use = ({ use, t }: { readonly use: PlanUse; readonly t: Reader }): JSX.Element => {
  const say = billingTexts(t);
  const { metric, used, limit } = use;
  const text =
    used === null
      ? say.unknown
      : limit === null
        ? say.unlimited({ used: countIn(metric, used, t) })
        : say.of({ used: countIn(metric, used, t), limit: countIn(metric, limit, t) });
  return (
    <li class="use">
      <span>{say.metrics[metric]}</span>
      <span>{text}</span>
      {used === null || limit === null ? null : (
        <meter
          min={0}
          max={Math.max(limit, 1)}
          high={limit * 0.9}
          value={Math.min(used, limit)}
          aria-label={say.metrics[metric]}
        />
      )}
    </li>
  );
};

/** `+2 Nomor WhatsApp`: what it is called is not in every language. */
const more = ({ metric, amount }: Pick<Addon, 'metric' | 'amount'>, t: Reader): string => {
  const say = billingTexts(t);
  return say.addonMore({ amount: countIn(metric, amount, t), what: say.metrics[metric] });
};

const OwnAddon = ({ of, ...shown }: One & { readonly of: Subscription['addons'][number] }): JSX.Element => {
  const { form, t } = shown;
  const say = billingTexts(t);
  const { id, addon, quantity, until, cancel_at_period_end: isEnding } = of;
  return (
    <li class="panel">
      <b>{more({ ...addon, amount: addon.amount * quantity }, t)}</b> <small>{say.until({ at: t.brief(until) })}</small>{' '}
      {isEnding ? <Chip tone="wait">{say.stopping}</Chip> : null}
      {may(shown) && !isEnding ? (
        <Form form={form} action={`/billing/addons/${id}`} name={`stop.${id}`}>
          <input type="hidden" name="stop" value="true" />
          <button class="button button-danger">{say.stop}</button>
        </Form>
      ) : null}
    </li>
  );
};

const NewAddon = ({ of: addon, data, form, t }: One & { readonly of: Addon }): JSX.Element => {
  const say = billingTexts(t);
  const period = data.subscription.period ?? 'monthly';
  const of = `buy.${addon.id}`;
  return (
    <li class="panel">
      <b>{more(addon, t)}</b>
      <Form form={form} action={`/billing/addons/${addon.id}`} name={of}>
        <Field {...{ form, of, name: 'quantity', label: say.quantity, inputMode: 'numeric', value: 1 }} />
        <button class="button">{say.buy({ price: `${t.money(addon.prices[period])} ${say.periods[period]}` })}</button>
      </Form>
    </li>
  );
};

const Addons = (shown: One): JSX.Element | null => {
  const { addons: all, subscription } = shown.data;
  const { addons: active } = subscription;
  if (active.length === 0 && all.length === 0) return null;
  return (
    <Section title={billingTexts(shown.t).addons}>
      <ul class="rows">
        {active.map((each) => (
          <OwnAddon {...shown} of={each} />
        ))}
        {(may(shown) ? all : []).map((each) => (
          <NewAddon {...shown} of={each} />
        ))}
      </ul>
    </Section>
  );
};

const columnsFor = (t: Reader): readonly Column<Invoice>[] => {
  const say = billingTexts(t);
  return [
    { title: say.bill, main: true, cell: ({ id, number }) => <a href={`/billing/invoices/${id}`}>{number}</a> },
    {
      ...{ title: say.plan, plain: true },
      cell: ({ status }) => <Chip tone={BILL_TONES[status]}>{say.billStates[status]}</Chip>,
    },
    { title: say.made, cell: ({ created_at: at }) => t.brief(at) },
    { title: say.amount, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  ];
};

export const BillingView = (shown: One): JSX.Element => {
  const { data, t, query } = shown;
  const say = billingTexts(t);
  return (
    <>
      <PlanPanel {...shown} />
      <Section title={say.use}>
        <ul class="panel uses">
          {data.uses.map((use) => (
            <Use use={use} t={t} />
          ))}
        </ul>
      </Section>
      <Addons {...shown} />
      <Section title={say.bills}>
        {data.bills.rows.length === 0 ? (
          <Empty text={say.noBills} />
        ) : (
          <>
            <Table caption={say.bills} rows={data.bills.rows} columns={columnsFor(t)} />
            <Pager list={{ path: '/billing', query, usualSort: '-created_at' }} listed={data.bills} />
          </>
        )}
      </Section>
    </>
  );
};
