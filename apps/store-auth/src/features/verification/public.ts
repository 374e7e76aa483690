// What other features of this app may use.
export type { VerificationService } from './verification.service';
