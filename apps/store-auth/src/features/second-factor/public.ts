// What other features of this app may use.
export { newRecoveryCodes, proofOf, totpPurpose, type SecondFactor, type SecondProof } from './second-factor';
export type { SecondFactorRepository } from './second-factor.repository';
export { newTotpSecret, otpauthUrl } from './totp';
