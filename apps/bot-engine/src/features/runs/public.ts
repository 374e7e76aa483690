// What other features of this app may use.
export { runRefusals } from './replay';
export { runInput, type RunInput } from './run.input';
export type { KeptRun, KeptRuns } from './run.repository';
