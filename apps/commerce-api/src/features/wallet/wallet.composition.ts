import { secretBox } from '@platform/auth';
import type { Transaction } from '@platform/data';
import { HASH_COST_FLOOR, SecretHasher } from '@platform/auth/hashing';
import type { Area, AreaParts } from '../../area';
import { inTime } from '../../astray';
import { byOf } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import { within } from '../../web/within';
import type { Siblings } from '../../siblings.composition';
import { accountsEndpoints } from './accounts/accounts.endpoints';
import { AccountsService } from './accounts/accounts.service';
import { balanceEndpoints } from './balance/balance.endpoints';
import { chargesEndpoints } from './charges/charges.endpoints';
import { ChargesService } from './charges/charges.service';
import { seedingWallet, type SeedWallet } from './seed/public';
import { walletPages } from './pages/public';
import { PinCodes } from './pin/pin.codes';
import { pinEndpoints } from './pin/pin.endpoints';
import { PinKeeper } from './pin/pin.keeper';
import { PinService } from './pin/pin.service';
import { topupsEndpoints } from './topups/topups.endpoints';
import { TopupsService } from './topups/topups.service';
import { walletGauges } from './upkeep/gauges';
import { LedgerAudit } from './upkeep/ledger.audit';
import { Settlements } from './upkeep/settlement.release';
import { walletAbilities } from './wallet.abilities';
import { Payouts, type PayoutClient } from './withdrawals/payouts';
import { withdrawalsEndpoints } from './withdrawals/withdrawals.endpoints';
import { WithdrawalsService } from './withdrawals/withdrawals.service';

interface Parts extends AreaParts {
  readonly siblings: Siblings;
  readonly mailer: Mailer;
  readonly bills: ConstructorParameters<typeof TopupsService>[1];
  /** The platform's account at provider B; undefined: nothing is paid out. */
  readonly payouts: PayoutClient | undefined;
}

/** What the commands of operators need of it. */
export interface WalletArea extends Area {
  readonly withdrawals: WithdrawalsService;
  readonly seedWallet: SeedWallet;
}

type Services = ReturnType<typeof servicesOf>;

const servicesOf = (config: Config, parts: Parts) => {
  const { database, clock, logger, queue, siblings, mailer, payouts: client } = parts;
  const { WALLET_PIN_PEPPER: pepper, WITHDRAW_FEE: fee, WITHDRAW_AUTO_LIMIT: autoLimit } = config;
  const { accounts } = siblings;
  const box = secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const hasher = new SecretHasher('pins', { cost: HASH_COST_FLOOR, pepper });
  const payoutAccounts = new AccountsService(database, box);
  const keeper = new PinKeeper(database, hasher, clock, pepper);
  const codes = new PinCodes({ sql: database, accounts, mailer, queue, clock, pepper });
  return {
    ...{ hasher, codes, pins: new PinService({ database, keeper, codes, accounts }) },
    ...{ accounts: payoutAccounts, seedWallet: seedingWallet(payoutAccounts, box) },
    accountsIn: (tx?: Transaction) => (tx ? new AccountsService(within(tx), box) : payoutAccounts),
    charges: new ChargesService(config.COMMERCE_CREDIT_KEY),
    topups: new TopupsService(database, parts.bills),
    withdrawals: new WithdrawalsService({ database, box, keeper, queue, fee, autoLimit }),
    payouts: new Payouts({ database, box, queue, clock, logger, client }),
    audit: new LedgerAudit({ database, queue, clock, logger }),
  };
};

const jobsOf = ({ codes, payouts, audit }: Services, { database, clock, logger }: Parts): Area['jobs'] => ({
  'wallet.pin-code': { effect: 'outside', run: (request) => codes.send(request) },
  'withdrawal.payout': { effect: 'outside', run: (payout, job) => payouts.step(payout, job) },
  'withdrawal.poll': { effect: 'inside', run: () => payouts.poll(), cron: [{ pattern: '* * * * *' }] },
  'settlement.release': {
    effect: 'inside',
    run: inTime(database, { clock, logger }, (now, signal) =>
      new Settlements({ database, clock: now, logger }).release(signal),
    ),
    cron: [{ pattern: '7 * * * *', backfillSeconds: 3_600 }],
  },
  // 02:40 in Jakarta: the day is over everywhere in Indonesia
  'ledger.audit': {
    effect: 'inside',
    run: ({ after }, { signal }) => audit.run({ after }, signal),
    cron: [{ pattern: '40 19 * * *', backfillSeconds: 43_200 }],
  },
});

/** The money of stores: what they have, what they pay in, what services take for them, and what leaves. */
export const composeWallet = (config: Config, parts: Parts): WalletArea => {
  const { database, clock, cursors } = parts;
  const by = byOf(clock);
  const services = servicesOf(config, parts);
  const { topups, charges, withdrawals, pins, accounts, hasher } = services;
  return {
    endpoints: [
      ...balanceEndpoints({ database, cursors, clock }),
      ...topupsEndpoints({ database, topups, by }),
      ...chargesEndpoints({ database, charges, by }),
      ...withdrawalsEndpoints({ database, withdrawals, by }),
      ...pinEndpoints(pins, by),
      ...accountsEndpoints(accounts, by),
    ],
    components: [hasher],
    pages: [walletPages({ database, clock, cursors, by, topups, withdrawals, pins, accountsIn: services.accountsIn })],
    abilities: walletAbilities,
    gauges: walletGauges(database, clock),
    jobs: jobsOf(services, parts),
    ...{ withdrawals, seedWallet: services.seedWallet },
  };
};
