import type { Transaction } from '@platform/data';
import type { AreaParts } from '../../../area';
import type { byOf } from '../../../by';
import type { AccountsService } from '../accounts/public';
import type { PinService } from '../pin/public';
import type { TopupsService } from '../topups/public';
import type { WithdrawalsService } from '../withdrawals/public';

/** What the pages of the wallet stand on. */
export interface WalletPageParts extends Pick<AreaParts, 'database' | 'clock' | 'cursors'> {
  readonly by: ReturnType<typeof byOf>;
  readonly topups: TopupsService;
  readonly withdrawals: WithdrawalsService;
  readonly pins: PinService;
  /** The accounts as a transaction sees them. */
  readonly accountsIn: (tx?: Transaction) => AccountsService;
}
