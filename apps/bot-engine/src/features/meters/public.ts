// What other features of this app may use.
export { createMeters, type FallbackReason, type Meters, type TurnStatus } from './meters';
