// What other features of this app may use.
export { runInput, type RunInput } from './run.input';
