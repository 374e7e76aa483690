export { ProofBody } from './proofs.dto';
export { PROOF_FILE } from './proofs.endpoints';
export { ProofsService, type MediaLibrary } from './proofs.service';
export { proofRefusals } from './proofs.sql';
