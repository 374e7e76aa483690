import type { Clock, Component } from '@platform/runtime';
import { secretBox } from '@platform/auth';
import { bigintNumber, Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { GatewayAccounts, type Slots } from './accounts/public';
import { Asking } from './asking/public';
import { attemptsEndpoints } from './attempts/attempts.endpoints';
import { Attempts, type PayPages, type Tills } from './attempts/attempts.service';
import { LogsService } from '../identity/logs/public';
import { eventsEndpoints } from './events/events.endpoints';
import { logsPages } from './events/logs.pages';
import { gatewaysAbilities } from './gateways.abilities';
import { Notices, type PayoutNotices } from './notices/public';
import { noticesEndpoints } from './notices/notices.endpoints';
import { simulateEndpoints, type Simulator } from './notices/simulate';
import { Strangers } from './notices/strangers';
import type { GatewayClient, GatewayCode } from './port';
import { Watch } from './watch/public';
import { watchJobs } from './watch/watch.jobs';

export interface GatewayNeeds {
  readonly slots: Slots;
  /** Signs what provider A would; undefined where nothing is simulated. */
  readonly sign: Simulator['sign'] | undefined;
  /** Their connections. */
  readonly components?: readonly Component[];
  /** Undefined: nobody pays out. */
  readonly payouts?: PayoutNotices | undefined;
}

/** What others pay with, and what they see of it. */
export interface GatewayArea {
  readonly area: Area;
  readonly tills: Tills;
  readonly pages: PayPages;
  readonly accounts: GatewayAccounts;
  readonly attempts: Attempts;
  /** The account that a payment was made with; undefined: there is none any more. */
  accountOf(
    storeId: string,
    of: { readonly provider: GatewayCode; readonly mode: 'platform' | 'direct' },
  ): Promise<GatewayClient | undefined>;
}

interface Parts extends AreaParts {
  readonly siblings: Pick<Siblings, 'accounts'>;
}

/** As long as somebody may ask what a provider has told. */
const EVENTS = { table: 'webhook_event', column: 'received_at', keepMs: 90 * 86_400_000 };
const AMOUNT = `SELECT p.amount FROM global_key g JOIN payment p ON p.store_id = g.store_id AND p.id = g.ref_id::uuid
  WHERE g.kind = 'payment' AND g.value = $1`;

const simulatorOf = (
  { database }: Pick<AreaParts, 'database'>,
  sign: Simulator['sign'] | undefined,
): Simulator | undefined =>
  sign && {
    sign,
    amountOf: async (invoiceNumber) => {
      const [row] = await database.query<{ amount: string }>(AMOUNT, [invoiceNumber]);
      return row && bigintNumber.from(row.amount);
    },
  };

/** Payments by providers: what is asked of them, what they tell, and that each comes to an end. */
export const composeGateways = (
  { APP_ENV, SHOP_SECRETS_KEY, PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, cursors, queue, siblings }: Parts,
  { slots, sign, payouts }: GatewayNeeds,
): GatewayArea => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const accounts = new GatewayAccounts(slots, database, box);
  const parts = { database, clock, logger, accounts };
  const pages = { secret, publicUrl };
  const asking = new Asking({ ...parts, pages });
  const watchBy = (now: Clock) => new Watch({ ...parts, clock: now, asking });
  const attempts = new Attempts({ ...parts, asking, watch: watchBy(clock), pages });
  const notices = new Notices({ ...parts, queue, strangers: new Strangers(clock), payouts });
  const area: Area = {
    endpoints: [
      ...attemptsEndpoints(attempts, byOf(clock)),
      ...noticesEndpoints(notices),
      ...simulateEndpoints(notices, simulatorOf({ database }, APP_ENV === 'production' ? undefined : sign)),
      ...eventsEndpoints({ database, cursors }, notices),
    ],
    pages: [logsPages({ database, cursors, notices, logs: new LogsService(database, cursors, siblings.accounts) })],
    components: [new Housekeeping(database, { clock, logger, expired: [EVENTS] })],
    abilities: gatewaysAbilities,
    jobs: watchJobs(parts, watchBy),
  };
  const tills: Tills = { gateways: accounts, ask: (storeId, id) => asking.ask(storeId, id) };
  return {
    ...{ area, tills, pages, accounts, attempts },
    accountOf: (storeId, of) => accounts.clientOf(storeId, of.provider, of.mode),
  };
};
