import { Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { Choice, Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { Pages } from '../../../web/kit';
import { form, page } from '../../../web/page';
import type { PageDefinition } from '../../../web/page.types';
import type { Typed } from '../../../web/sessions/drafts';
import { textOf } from '../../sales/picking/public';
import { periods, plansOnSale, type Period } from '../plans/public';
import { billingTexts } from './billing.texts';
import { changePlan, previewChange } from './change';
import { PackagesView, type Offer } from './packages.view';
import { quoteOf, subscribe } from './subscribe';
import type { SubscriptionParts } from './subscriptions.endpoints';
import { findLive, subscriptionOf } from './subscriptions.sql';

class PackagesQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one whose price is looked at' }) plan_id?: string;
  @Choice(periods, { optional: true }) period?: Period;
}

/** The form that takes a plan. */
class PlanEdit {
  @Text({ format: 'uuid' }) plan_id!: string;
  @Choice(periods) period!: Period;
  @Text({ optional: true, max: 32, trim: true }) voucher?: string;
}

/** What the form that came back was about. */
const askedIn = (typed: Typed): PackagesQuery => {
  const [plan, period] = [textOf(typed, 'plan_id'), textOf(typed, 'period')];
  return isUuid(plan) ? { plan_id: plan, period: periods.find((each) => each === period) } : {};
};

type Shared = Pick<PageDefinition<never, never>, 'labels' | 'conflicts'>;

/** What a plan comes to now; undefined where nobody asks, with its code where it cannot be had. */
const offerOf = async (
  { database, by }: SubscriptionParts,
  caller: Caller,
  { plan_id, period = 'monthly' }: PackagesQuery,
): Promise<Offer | undefined> => {
  if (plan_id === undefined || !caller.abilities.has('billing.write')) return undefined;
  const who = by({ caller });
  const of = { plan_id: plan_id.toLowerCase(), period };
  try {
    if (await findLive(database, caller.storeId)) return { ...of, change: await previewChange(database, who, of) };
    return { ...of, quote: await quoteOf(database, caller.storeId, who.at, of) };
  } catch (failure) {
    if (failure instanceof Failure && failure.kind === 'conflict') return { ...of, refused: failure.code ?? '' };
    throw failure;
  }
};

/** Which plans there are, what one comes to, and how it is taken. */
export const packagePages = (parts: SubscriptionParts, shared: Shared): readonly Pages[] => {
  const { database, by } = parts;
  const all = page({
    ...{ get: '/billing/packages', ability: 'member', back: '/billing', query: PackagesQuery, ...shared },
    title: ({ t }) => billingTexts(t).choose,
    load: async ({ viewer: { caller }, query, typed }) => {
      const asked = typed ? askedIn(typed) : query;
      const [plans, subscription, offer] = await Promise.all([
        plansOnSale(database),
        subscriptionOf(database, caller.storeId),
        offerOf(parts, caller, asked),
      ]);
      return { plans, subscription, offer };
    },
    view: PackagesView,
  });
  const taken = form({
    ...{ post: '/billing/subscribe', ability: 'billing.write', of: all, body: PlanEdit },
    run: async ({ viewer, body: { plan_id, period, voucher }, tx }) => {
      const who = by(viewer);
      if (!(await findLive(tx, who.storeId))) return subscribe(tx, who, { plan_id, period, voucher });
      return (await changePlan(tx, who, { plan_id, period })).invoice;
    },
    done: (invoice, { t }) =>
      invoice === null
        ? { to: '/billing', flash: billingTexts(t).planned }
        : { to: `/billing/invoices/${invoice.id}`, flash: billingTexts(t).chosen },
  });
  return [all, taken];
};
