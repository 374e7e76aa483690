// What other features of this app may use.
export { answerOf, type Answer, type NamesProduct } from './answer';
export { bubblesOf } from './bubbles';
export { createLoop } from './loop';
export { catalogueNames, composeLoop, loopDeps, type LoopParts } from './loop.composition';
export type { LoopDeps, LoopSettings } from './loop.deps';
export type { BurstLine, HistoryLine, LoopInput, LoopOutcome, Picture, RunLoop } from './loop.types';
export { POLICY_VERSION } from './system.prompt';
