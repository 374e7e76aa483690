export type { SeedWallet } from './seed/public';
export { verifyBankAccount, verifyMatchingAccounts } from './accounts/public';
export { overdueWithdrawals, payoutClientOf } from './withdrawals/payouts';
export { payoutNotices, settlePayout, type PayoutNotice } from './withdrawals/settle-payout';
export { shownWithdrawal, storeOfWithdrawal, withdrawalById } from './withdrawals/withdrawals.sql';
export { words, type Word, type WithdrawalsService } from './withdrawals/withdrawals.service';
export { majorUnits } from './charges/credit';
