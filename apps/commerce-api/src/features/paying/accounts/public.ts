export { bankCodes, banks, type BankCode } from './banks';
export { TransferAccount } from './accounts.dto';
export { accountsOf } from './accounts.sql';
