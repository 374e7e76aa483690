export { TransferAccount } from './accounts.dto';
export { accountsOf } from './accounts.sql';
