export { verifyBankAccount, verifyMatchingAccounts } from './accounts/accounts.service';
export { overdueWithdrawals } from './withdrawals/payouts';
export { settlePayout, type PayoutNotice } from './withdrawals/settle-payout';
export { storeOfWithdrawal } from './withdrawals/withdrawals.sql';
