export { changeWays, WaysEdit, waysOf, type WaysShown } from './ways';
export { waysTexts } from './ways.texts';
export { WaysForm } from './ways.view';
