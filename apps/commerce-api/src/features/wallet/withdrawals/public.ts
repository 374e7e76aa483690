export { seedWithdrawal } from './withdrawal.seed';
export { NewWithdrawal, Withdrawal, WithdrawalInquiry, WithdrawalsQuery, WithdrawalWish } from './withdrawals.dto';
export type { WithdrawalsService } from './withdrawals.service';
export { withdrawalListing } from './withdrawals.sql';
