import { secretBox } from '@platform/auth';
import { HASH_COST_FLOOR, SecretHasher } from '@platform/auth/hashing';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { accountsEndpoints } from './accounts/accounts.endpoints';
import { AccountsService } from './accounts/accounts.service';
import { balanceEndpoints } from './balance/balance.endpoints';
import { chargesEndpoints } from './charges/charges.endpoints';
import { ChargesService } from './charges/charges.service';
import { PinCodes } from './pin/pin.codes';
import { pinEndpoints } from './pin/pin.endpoints';
import { PinKeeper } from './pin/pin.keeper';
import { PinService } from './pin/pin.service';
import { topupsEndpoints } from './topups/topups.endpoints';
import { TopupsService, type BillPayments } from './topups/topups.service';
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
  readonly bills: BillPayments;
  /** The platform's account at provider B; undefined: nothing is paid out. */
  readonly payouts: PayoutClient | undefined;
}

/** What the commands of operators need of it. */
export interface WalletArea extends Area {
  readonly withdrawals: WithdrawalsService;
}

/** The money of stores: what they have, what they pay in, what services take for them, and what leaves. */
export const composeWallet = (config: Config, parts: Parts): WalletArea => {
  const { database, clock, logger, cursors, queue, siblings, mailer, bills, payouts: client } = parts;
  const {
    SHOP_SECRETS_KEY,
    WALLET_PIN_PEPPER: pepper,
    COMMERCE_CREDIT_KEY,
    WITHDRAW_FEE,
    WITHDRAW_AUTO_LIMIT,
  } = config;
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const by = byOf(clock);
  const hasher = new SecretHasher('pins', { cost: HASH_COST_FLOOR, pepper });
  const keeper = new PinKeeper(database, hasher, clock);
  const { accounts } = siblings;
  const codes = new PinCodes({ sql: database, accounts, mailer, queue, clock, pepper });
  const terms = { fee: WITHDRAW_FEE, autoLimit: WITHDRAW_AUTO_LIMIT };
  const withdrawals = new WithdrawalsService({ database, box, keeper, queue, ...terms });
  const payouts = new Payouts({ database, box, queue, clock, logger, client });
  const settlements = new Settlements({ database, clock, logger });
  const audit = new LedgerAudit({ database, queue, clock, logger });
  return {
    endpoints: [
      ...balanceEndpoints({ database, cursors, clock }),
      ...topupsEndpoints({ database, topups: new TopupsService(database, bills), by }),
      ...chargesEndpoints({ database, charges: new ChargesService(COMMERCE_CREDIT_KEY), by }),
      ...withdrawalsEndpoints({ database, withdrawals, by }),
      ...pinEndpoints(new PinService({ database, keeper, codes, accounts }), by),
      ...accountsEndpoints(new AccountsService(database, box), by),
    ],
    components: [hasher],
    abilities: walletAbilities,
    gauges: walletGauges(database, clock),
    jobs: {
      'wallet.pin-code': { effect: 'outside', run: (request) => codes.send(request) },
      'withdrawal.payout': { effect: 'outside', run: (payout, job) => payouts.step(payout, job) },
      'withdrawal.poll': { effect: 'inside', run: () => payouts.poll(), cron: [{ pattern: '* * * * *' }] },
      'settlement.release': {
        effect: 'inside',
        run: async (_none, { signal }) => void (await settlements.release(signal)),
        cron: [{ pattern: '7 * * * *', backfillSeconds: 3_600 }],
      },
      // 02:40 in Jakarta: the day is over everywhere in Indonesia
      'ledger.audit': {
        effect: 'inside',
        run: ({ after }, { signal }) => audit.run({ after }, signal),
        cron: [{ pattern: '40 19 * * *', backfillSeconds: 43_200 }],
      },
    },
    withdrawals,
  };
};
