export { verifyBankAccount, verifyMatchingAccounts, type AccountsService } from './accounts.service';
export { numberPurpose, payoutTarget, type PayoutTarget } from './accounts.sql';
export { LEAST, mostAt, payoutBanks } from './payout-banks';
export { BankAccount, NewBankAccount } from './accounts.dto';
