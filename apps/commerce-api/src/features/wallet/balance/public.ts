export { closeAt } from './closes';
export { LedgerLine, LinesQuery, Wallet } from './balance.dto';
export { lineListing } from './lines';
export { STATEMENT, statementOf } from './statement';
export { walletOf } from './wallet';
