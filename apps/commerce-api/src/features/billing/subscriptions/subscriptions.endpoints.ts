import type { Database } from '@platform/data';
import { area, dataOf, listOf, pageOf, type Endpoint } from '@platform/http';
import { methodRefusals } from '../../paying/methods/public';
import { ledgerRefusals } from '../../ledger/postings/public';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { Invoice } from '../invoices/public';
import type { BillPayments } from '../tills/public';
import { billById, billListing, payByProvider, payByWallet } from './bills';
import { cancelPlan, changePlan, previewChange, resumePlan } from './change';
import { quoteOf, subscribe } from './subscribe';
import { subscriptionRefusals as refusals } from './subscription.rules';
import {
  BillPayment,
  BillsQuery,
  PlanCancellation,
  ChangePreview,
  PlanChange,
  PlanChangeAsked,
  PlanChoice,
  PlanQuote,
  PlanUse,
  Subscription,
} from './subscriptions.dto';
import { aiUseOf } from './ai-use';
import { subscriptionOf, usageOf } from './subscriptions.sql';
import type { BotDesk } from '../../../clients/bot.desk';
import type { Clock } from '@platform/runtime';

export interface SubscriptionParts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
  readonly payments: BillPayments;
  readonly bot: BotDesk;
  readonly clock: Clock;
}

const CHANGING = ['notFound', refusals.notSubscribed, refusals.ending, refusals.samePlan] as const;

const reads = ({ database, bot, clock }: SubscriptionParts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Current plan, period, limits',
    guard: 'member',
    reply: dataOf(Subscription),
    refuses: [],
    handle: ({ caller }) => subscriptionOf(database, caller.storeId),
  }),
  endpoint({
    get: '/usage',
    summary: 'Usage against plan limits',
    guard: 'member',
    reply: listOf(PlanUse),
    refuses: [],
    handle: async ({ caller }) => [
      ...(await usageOf(database, caller.storeId)),
      ...(await aiUseOf({ sql: database, bot }, caller, clock.now())),
    ],
  }),
];

const buying = ({ database, by }: SubscriptionParts): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Subscribe, creates invoice',
    description: 'The period begins when the bill is paid; until then the store is on the trial.',
    guard: 'billing.write',
    status: 201,
    body: PlanChoice,
    reply: dataOf(Invoice, 'Invoice created'),
    refuses: ['notFound', refusals.alreadySubscribed],
    handle: (input) => database.tx((tx) => subscribe(tx, by(input), input.body)),
  }),
  endpoint({
    post: '/preview-change',
    summary: 'Proration of an up or downgrade',
    guard: 'billing.write',
    body: PlanChangeAsked,
    reply: dataOf(ChangePreview),
    refuses: CHANGING,
    handle: (input) => previewChange(database, by(input), input.body),
  }),
  endpoint({
    post: '/change',
    summary: 'Up or downgrade',
    description:
      'What is larger happens when its bill is paid; a smaller plan or a shorter period begins when what is paid has ended. What a store has then stays, and nothing comes to it beyond the new limits.',
    guard: 'billing.write',
    body: PlanChangeAsked,
    reply: dataOf(PlanChange, 'Subscription updated'),
    refuses: CHANGING,
    handle: (input) => database.tx((tx) => changePlan(tx, by(input), input.body)),
  }),
];

const ending = ({ database, by }: SubscriptionParts): Endpoint[] => [
  endpoint({
    post: '/cancel',
    summary: 'Stop at period end',
    guard: 'billing.write',
    body: PlanCancellation,
    reply: dataOf(Subscription, 'Subscription cancelled'),
    refuses: [refusals.notSubscribed, invalidTransition],
    handle: async (input) => {
      await database.tx((tx) => cancelPlan(tx, by(input), input.body.reason));
      return subscriptionOf(database, input.caller.storeId);
    },
  }),
  endpoint({
    post: '/resume',
    summary: 'Undo the cancellation',
    guard: 'billing.write',
    reply: dataOf(Subscription, 'Subscription resumed'),
    refuses: [refusals.notSubscribed, invalidTransition],
    handle: async (input) => {
      await database.tx((tx) => resumePlan(tx, by(input)));
      return subscriptionOf(database, input.caller.storeId);
    },
  }),
];

const bills = ({ database, by, payments }: SubscriptionParts): Endpoint[] => [
  endpoint({
    get: '/invoices',
    summary: 'Billing invoices',
    guard: 'member',
    query: BillsQuery,
    reply: pageOf(Invoice),
    refuses: [],
    handle: ({ caller, query }) => billListing.page(database, caller.storeId, query),
  }),
  endpoint({
    get: '/invoices/{id}',
    summary: 'Invoice with lines',
    guard: 'member',
    reply: dataOf(Invoice),
    refuses: ['notFound'],
    handle: ({ caller, params }) => billById(database, caller.storeId, params.id),
  }),
  endpoint({
    post: '/invoices/{id}/pay',
    summary: 'Pay by wallet or provider B',
    description: 'By `b` the bill has the `url` where it is paid, null while the provider does not answer: ask again.',
    guard: 'billing.write',
    body: BillPayment,
    reply: dataOf(Invoice, 'Invoice updated'),
    refuses: [
      ...(['notFound', invalidTransition, ledgerRefusals.insufficientBalance] as const),
      ...[refusals.tooLate, methodRefusals.noProvider],
    ],
    handle: async (input) => {
      const { caller, params, body } = input;
      await billById(database, caller.storeId, params.id);
      if (body.method === 'wallet') return payByWallet(database, by(input), params.id);
      return payByProvider(database, payments, by(input), params.id);
    },
  }),
];

const quote = ({ database, by }: SubscriptionParts): Endpoint =>
  endpoint({
    post: '/api/new-package/quote',
    summary: 'Price with period, add-ons, voucher',
    tag: 'Wallet and payment',
    guard: 'billing.write',
    body: PlanChoice,
    reply: dataOf(PlanQuote),
    refuses: ['notFound'],
    handle: (input) => quoteOf(database, input.caller.storeId, by(input).at, input.body),
  });

export const subscriptionsEndpoints = (parts: SubscriptionParts): Endpoint[] => [
  ...area({ prefix: '/api/subscription', tag: 'Wallet and payment' }, [
    ...reads(parts),
    ...buying(parts),
    ...ending(parts),
    ...bills(parts),
  ]),
  quote(parts),
];
