import { NotFound } from '@platform/errors';
import { Flag } from '@platform/validation';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, form, page } from '../../../web/page';
import { AddonBuy, addonsFor } from '../addons/public';
import { buyAddon, cancelAddon } from './addon-buy';
import { aiUseOf } from './ai-use';
import { billById, billListing, payByProvider, payByWallet } from './bills';
import { billingConflicts } from './billing.conflicts';
import { billingTexts } from './billing.texts';
import { BillingView } from './billing.view';
import { BillView } from './bill.view';
import { cancelPlan, resumePlan } from './change';
import { packagePages } from './packages.pages';
import { BillPayment, BillsQuery, PlanCancellation } from './subscriptions.dto';
import type { SubscriptionParts } from './subscriptions.endpoints';
import { findLive, subscriptionOf, usageOf } from './subscriptions.sql';

/** The form of an add-on: it is bought, or one in force is stopped. */
class AddonEdit extends AddonBuy {
  @Flag({ optional: true }) stop?: boolean;
}

const labels = (t: Reader) => {
  const say = billingTexts(t);
  return { reason: say.reason, quantity: say.quantity, voucher: say.voucher, plan_id: say.plan, method: say.payNow };
};
const shared = { labels, conflicts: billingConflicts };

const planPage = ({ database, bot, clock }: SubscriptionParts) =>
  page({
    ...{ get: '/billing', ability: 'member', query: BillsQuery, ...shared },
    title: ({ t }) => t.nav.places.billing,
    load: async ({ viewer: { caller }, query }) => {
      const { storeId } = caller;
      const subscription = await subscriptionOf(database, storeId);
      const isLive = (await findLive(database, storeId)) !== undefined;
      const uses = [
        ...(await usageOf(database, storeId)),
        ...(await aiUseOf({ sql: database, bot }, caller, clock.now())),
      ];
      const addons = isLive ? await addonsFor(database, subscription.plan.code) : [];
      const bills = await billListing.page(database, storeId, query);
      return { subscription, isLive, uses, addons, bills };
    },
    view: BillingView,
  });

const billPage = ({ database }: SubscriptionParts) =>
  page({
    ...{ get: '/billing/invoices/{id}', ability: 'member', back: '/billing', ...shared },
    title: ({ data }) => data.number,
    load: ({ viewer: { caller }, params }) => billById(database, caller.storeId, params.id ?? ''),
    view: BillView,
  });

/** Add-ons are bought by what is on sale, and stopped by what the store has. */
const addonForm = ({ database, by }: SubscriptionParts, of: ReturnType<typeof planPage>): Pages =>
  form({
    ...{ post: '/billing/addons/{id}', ability: 'billing.write', of, body: AddonEdit },
    run: async ({ viewer, params: { id = '' }, body: { stop, quantity = 1 }, tx }) => {
      const items = (await findLive(database, viewer.caller.storeId))?.items ?? [];
      const sold = await addonsFor(database, undefined);
      if (![...items, ...sold].some((each) => each.id === id.toLowerCase())) throw new NotFound('Add-on not found');
      if (!stop) return buyAddon(tx, by(viewer), id, quantity);
      await cancelAddon(tx, by(viewer), id);
      return undefined;
    },
    done: (invoice, { t }) =>
      invoice === undefined
        ? { to: '/billing', flash: billingTexts(t).stopped }
        : { to: `/billing/invoices/${invoice.id}`, flash: billingTexts(t).chosen },
  });

/** A bill that is paid already stays as it is: sent again, it is paid once. Both ways have transactions of their own. */
const payForm = ({ database, payments, by }: SubscriptionParts, of: ReturnType<typeof billPage>): Pages =>
  form({
    ...{ post: '/billing/invoices/{id}/pay', ability: 'billing.write', of, body: BillPayment },
    before: async ({ viewer, params: { id = '' }, body: { method } }) => {
      await billById(database, viewer.caller.storeId, id);
      const isByWallet = method === 'wallet';
      await (isByWallet ? payByWallet(database, by(viewer), id) : payByProvider(database, payments, by(viewer), id));
      return isByWallet;
    },
    run: async ({ ready }) => ready,
    done: (isByWallet, { t, params }) => {
      const say = billingTexts(t);
      return { to: `/billing/invoices/${params.id}`, flash: isByWallet ? say.paid : say.payOpened };
    },
  });

/** The plan of a shop, what it uses of it, and what it pays for it. */
export const billingPages = (parts: SubscriptionParts): Pages => {
  const { by } = parts;
  const [plan, bill] = [planPage(parts), billPage(parts)];
  const ended = actions({
    ...{ post: '/billing/cancel', ability: 'billing.write', of: plan },
    on: {
      cancel: action({
        body: PlanCancellation,
        run: ({ viewer, body, tx }) => cancelPlan(tx, by(viewer), body.reason),
        done: (_, { t }) => ({ to: '/billing', flash: billingTexts(t).cancelled }),
      }),
      resume: action({
        run: ({ viewer, tx }) => resumePlan(tx, by(viewer)),
        done: (_, { t }) => ({ to: '/billing', flash: billingTexts(t).resumed }),
      }),
    },
  });
  const pages = [plan, ended, ...packagePages(parts, shared), bill, payForm(parts, bill), addonForm(parts, plan)];
  return (kit) => pages.flatMap((each) => each(kit));
};
