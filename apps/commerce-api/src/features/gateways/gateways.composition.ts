import { secretBox } from '@platform/auth';
import { bigintNumber, Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import type { CommerceJobs } from '../../jobs';
import type { Tills } from '../sales/orders/public';
import type { PayPages } from '../sales/payments/public';
import { GatewayAccounts, type Slots } from './accounts/public';
import { Asking } from './attempts/ask';
import { attemptsEndpoints } from './attempts/attempts.endpoints';
import { Attempts } from './attempts/attempts.service';
import { eventsEndpoints } from './events/events.endpoints';
import { gatewaysAbilities } from './gateways.abilities';
import { Notices, type PayoutNotices } from './notices/notices';
import { noticesEndpoints } from './notices/notices.endpoints';
import { OUTCOME } from './notices/notices.sql';
import { simulateEndpoints, type Simulator } from './notices/simulate';
import { Strangers } from './notices/strangers';
import { Watch } from './watch/watch';

export interface GatewayNeeds {
  readonly slots: Slots;
  /** Signs what provider A would; undefined where nothing is simulated. */
  readonly sign: Simulator['sign'] | undefined;
  /** Undefined: nobody pays out. */
  readonly payouts?: PayoutNotices | undefined;
}

/** What others pay with, and what they see of it. */
export interface GatewayArea {
  readonly area: Area;
  readonly tills: Tills;
  readonly pages: PayPages;
  readonly accounts: GatewayAccounts;
}

/** As long as somebody may ask what a provider has told. */
const EVENTS = { table: 'webhook_event', column: 'received_at', keepMs: 90 * 86_400_000 };
const AMOUNT = `SELECT p.amount FROM global_key g JOIN payment p ON p.store_id = g.store_id AND p.id = g.ref_id::uuid
  WHERE g.kind = 'payment' AND g.value = $1`;

type Confirm = CommerceJobs['payment.confirm.a'];

/** Payments by providers: what is asked of them, what they tell, and that each comes to an end. */
export const composeGateways = (
  { SHOP_SECRETS_KEY, PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, cursors, queue }: AreaParts,
  { slots, sign, payouts }: GatewayNeeds,
): GatewayArea => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const accounts = new GatewayAccounts(slots, database, box);
  const parts = { database, clock, logger, accounts };
  const asking = new Asking({ ...parts, returnUrl: publicUrl });
  const watch = new Watch({ ...parts, asking });
  const pages = { secret, publicUrl };
  const attempts = new Attempts({ ...parts, asking, watch, pages });
  const notices = new Notices({ ...parts, queue, strangers: new Strangers(clock), payouts });
  const simulator = sign && {
    sign,
    amountOf: async (invoiceNumber: string) => {
      const [row] = await database.query<{ amount: string }>(AMOUNT, [invoiceNumber]);
      return row && bigintNumber.from(row.amount);
    },
  };
  const confirm = {
    effect: 'outside' as const,
    run: async ({ storeId, paymentId, eventId }: Confirm, { signal }: { readonly signal: AbortSignal }) => {
      const applied = await watch.look(storeId, paymentId, signal);
      if (eventId !== undefined) await database.query(OUTCOME, [storeId, eventId, applied]);
    },
  };
  const area: Area = {
    endpoints: [
      ...attemptsEndpoints(attempts, byOf(clock)),
      ...noticesEndpoints(notices),
      ...simulateEndpoints(notices, simulator),
      ...eventsEndpoints({ database, cursors }, notices),
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [EVENTS] })],
    abilities: gatewaysAbilities,
    jobs: {
      'payment.confirm.a': confirm,
      'payment.confirm.b': confirm,
      'payment.confirm.c': confirm,
      'payment.reconcile': {
        effect: 'inside',
        run: () => watch.reconcile(),
        cron: [{ pattern: '* * * * *' }],
      },
    },
  };
  return { area, tills: { gateways: accounts, ask: (storeId, id) => asking.ask(storeId, id) }, pages, accounts };
};
