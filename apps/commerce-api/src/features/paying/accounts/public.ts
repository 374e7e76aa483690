export { bankCodes, banks, type BankCode } from './banks';
export { TransferAccount, TransferAccountBody } from './accounts.dto';
export { accountsOf, addAccount, changeAccount, removeAccount } from './accounts.sql';
