// What other features of this app may use.
export { queueReceipts } from './receipt.sql';
