export {
  DocumentBody,
  documentKinds,
  KYC_FILE_LIMIT,
  KycCorrection,
  kycKinds,
  NewKyc,
  type Kyc,
  type KycKind,
  type KycState,
} from './kyc.dto';
export { isOpen, kycFieldsOf, neededDocuments } from './kyc.rules';
export { KycService } from './kyc.service';
export { approvedNameOf, KycRows } from './kyc.sql';
