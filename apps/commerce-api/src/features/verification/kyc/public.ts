export { documentKinds, type Kyc } from './kyc.dto';
export { KycService } from './kyc.service';
export { approvedNameOf } from './kyc.sql';
