import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { ActiveAddon, Addon, AddonBuy, addonsFor, shownItem } from '../addons/public';
import { Invoice } from '../invoices/public';
import { addonRefusals, buyAddon, cancelAddon } from './addon-buy';
import { subscriptionRefusals as refusals } from './subscription.rules';
import type { SubscriptionParts } from './subscriptions.endpoints';
import { findLive } from './subscriptions.sql';

export const addonsEndpoints = ({ database, by }: Pick<SubscriptionParts, 'database' | 'by'>): Endpoint[] =>
  area({ prefix: '/api/addon', tag: 'Wallet and payment' }, [
    endpoint({
      get: '',
      summary: 'Add-ons for my plan',
      guard: 'member',
      reply: listOf(Addon),
      refuses: [],
      handle: async ({ caller }) => addonsFor(database, (await findLive(database, caller.storeId))?.plan.code),
    }),
    endpoint({
      post: '/{id}/buy',
      summary: 'Buy add-on, creates invoice',
      description:
        'It counts when the bill is paid, and ends with what is paid of the plan, whose next bill has it too.',
      guard: 'billing.write',
      status: 201,
      body: AddonBuy,
      reply: dataOf(Invoice, 'Invoice created'),
      refuses: ['notFound', refusals.notSubscribed, refusals.ending, refusals.unpaid, addonRefusals.otherPlan],
      handle: (input) => database.tx((tx) => buyAddon(tx, by(input), input.params.id, input.body.quantity ?? 1)),
    }),
    endpoint({
      get: '/active',
      summary: 'Add-ons in force',
      guard: 'member',
      reply: listOf(ActiveAddon),
      refuses: [],
      handle: async ({ caller }) => ((await findLive(database, caller.storeId))?.items ?? []).map(shownItem),
    }),
    endpoint({
      post: '/active/{id}/cancel',
      summary: 'Stop add-on at period end',
      guard: 'billing.write',
      reply: done('Add-on cancelled'),
      refuses: ['notFound', refusals.notSubscribed, invalidTransition],
      handle: (input) => database.tx((tx) => cancelAddon(tx, by(input), input.params.id)),
    }),
  ]);
