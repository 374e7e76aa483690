// What other features of this app may use.
export { layerExamples } from './handshake.examples';
