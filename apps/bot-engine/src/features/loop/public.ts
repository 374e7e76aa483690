// What other features of this app may use.
export type { BurstLine, HistoryLine, LoopInput, LoopOutcome, Picture, RunLoop } from './loop.types';
