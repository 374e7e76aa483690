import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Alert, Chip, Moment, Money, Section } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import type { Period, Plan } from '../plans/public';
import { billingTexts } from './billing.texts';
import { billingConflicts } from './billing.conflicts';
import { limitsIn } from './billing.limits';
import type { ChangePreview, PlanQuote, Subscription } from './subscriptions.dto';

/** What taking a plan comes to: the first bill, the change, or why not. */
export interface Offer {
  readonly plan_id: string;
  readonly period: Period;
  readonly quote?: PlanQuote;
  readonly change?: ChangePreview;
  readonly refused?: string;
}

interface Data {
  readonly plans: readonly Plan[];
  readonly subscription: Subscription;
  readonly offer: Offer | undefined;
}
type All = Shown<Data, object>;

const PERIODS = ['monthly', 'yearly'] as const satisfies readonly Period[];

const Card = ({ plan, data, t, viewer }: All & { readonly plan: Plan }): JSX.Element => {
  const say = billingTexts(t);
  const isMine = data.subscription.plan.id === plan.id;
  const { prices } = plan;
  return (
    <li class="panel">
      <h2>
        {plan.name} {isMine ? <Chip tone="good">{say.now}</Chip> : null}
      </h2>
      <ul>
        {plan.features.map((feature) => (
          <li>{feature}</li>
        ))}
      </ul>
      <details>
        <summary class="link">{say.limits}</summary>
        <Facts facts={limitsIn(plan.limits, t)} />
      </details>
      <div class="row-actions">
        {PERIODS.map((period) => {
          const price = `${t.money(prices?.[period] ?? 0)} ${say.periods[period]}`;
          return viewer.caller.abilities.has('billing.write') ? (
            <a
              class="button"
              href={`/billing/packages?plan_id=${plan.id}&period=${period}`}
              aria-label={`${say.take({ name: plan.name })}: ${price}`}
            >
              {price}
            </a>
          ) : (
            <span>{price}</span>
          );
        })}
      </div>
    </li>
  );
};

const Lines = ({ offer: { quote, change }, t }: { readonly offer: Offer; readonly t: Reader }): JSX.Element => {
  const say = billingTexts(t);
  if (quote) {
    const lines = [
      ...quote.lines.map(({ text, amount }) => [text, amount] as const),
      [say.total, quote.amount] as const,
    ];
    return <Facts facts={lines.map(([name, amount]) => [name, <Money amount={amount} />])} />;
  }
  if (!change) return <></>;
  return (
    <Facts
      facts={[
        [say.charge, <Money amount={change.charge} />],
        [say.credit, <Money amount={change.credit} />],
        [say.dueNow, <Money amount={change.due_now} />],
        [say.effective, <Moment at={change.effective_at} />],
      ]}
    />
  );
};

const reasonOf = ({ refused = '' }: Offer, t: Reader): string =>
  (billingConflicts as Readonly<Record<string, { text: (t: Reader) => string }>>)[refused]?.text(t) ??
  t.failure.conflict.title;

/** What it comes to, on the button too. */
const Confirm = ({ form, t, data: { plans }, offer }: All & { readonly offer: Offer }): JSX.Element => {
  const say = billingTexts(t);
  const name = plans.find(({ id }) => id === offer.plan_id)?.name ?? '';
  const amount = offer.quote?.amount ?? offer.change?.due_now ?? 0;
  return (
    <Section title={`${say.summary}: ${name}`}>
      {offer.refused === undefined ? (
        <Form form={form} action="/billing/subscribe">
          <input type="hidden" name="plan_id" value={offer.plan_id} />
          <input type="hidden" name="period" value={offer.period} />
          <section class="panel">
            <Lines offer={offer} t={t} />
            {offer.quote ? (
              <Field {...{ form, name: 'voucher', label: say.voucher, hint: t.form.optional, maxLength: 32 }} />
            ) : null}
          </section>
          <SaveBar text={amount > 0 ? say.confirm({ name, amount: t.money(amount) }) : say.confirmLater({ name })}>
            <a class="button" href="/billing/packages">
              {t.form.cancel}
            </a>
          </SaveBar>
        </Form>
      ) : (
        <Alert text={reasonOf(offer, t)} />
      )}
    </Section>
  );
};

export const PackagesView = (shown: All): JSX.Element => {
  const { plans, offer } = shown.data;
  return (
    <>
      {offer ? <Confirm {...shown} offer={offer} /> : null}
      <ul class="rows">
        {plans.map((plan) => (
          <Card {...shown} plan={plan} />
        ))}
      </ul>
    </>
  );
};
