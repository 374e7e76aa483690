import type { Area, AreaParts } from '../../area';
import { inTime } from '../../astray';
import { byOf } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { billingAbilities } from './billing.abilities';
import type { BillPayments } from './tills/public';
import { plansEndpoints } from './plans/public';
import {
  addonsEndpoints,
  billingPages,
  lockBilling,
  PlanReminders,
  Renewals,
  subscriptionsEndpoints,
} from './subscriptions/public';

interface Parts extends Pick<AreaParts, 'database' | 'clock' | 'logger' | 'queue'> {
  readonly siblings: Pick<Siblings, 'messages' | 'botDesk'>;
  readonly mailer: Mailer;
  readonly payments: BillPayments;
}

/** Plans of stores, what they pay for them, and what becomes of those that do not. */
export const composeBilling = ({ PUBLIC_URL: publicUrl }: Config, parts: Parts): Area => {
  const { database, clock, logger, queue, mailer, siblings, payments } = parts;
  const by = byOf(clock);
  const reminders = new PlanReminders({ sql: database, mailer, messages: siblings.messages, logger, publicUrl });
  const plans = { database, by, payments, bot: siblings.botDesk, clock };
  return {
    endpoints: [...plansEndpoints(database), ...subscriptionsEndpoints(plans), ...addonsEndpoints({ database, by })],
    components: [],
    pages: [billingPages(plans)],
    abilities: billingAbilities,
    jobs: {
      'invoice.paid': {
        effect: 'inside',
        run: ({ storeId }) => database.tx((tx) => lockBilling(tx, { storeId, actor: 'invoice.paid', at: clock.now() })),
      },
      'subscription.renew': {
        effect: 'inside',
        run: inTime(database, { clock, logger }, (now, signal) =>
          new Renewals({ database, clock: now, logger, queue }).run(signal),
        ),
        cron: [{ pattern: '* * * * *' }],
      },
      'subscription.remind': { effect: 'outside', run: (reminder) => reminders.send(reminder) },
    },
  };
};
