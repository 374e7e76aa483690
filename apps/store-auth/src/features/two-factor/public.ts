// What other features of this app may use.
export { SecondProofBody } from './two-factor.dto';
export { secondProof } from './two-factor.endpoints';
