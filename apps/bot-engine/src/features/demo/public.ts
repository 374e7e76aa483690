// What other features of this app may use.
export { composeDemo } from './demo.composition';
