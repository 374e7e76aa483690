// What other features of this app may use.
export { expiries } from './retention';
export { RunTexts } from './run.texts';
