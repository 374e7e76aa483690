import { ApplicationEntity, ApplicationKeyEntity } from './features/applications/application.entity';
import { BusinessEntity } from './features/businesses/business.entity';
import { SocialTokenEntity } from './features/social/social-token.entity';
import { CreateApplications1763600000000 } from './migrations/1763600000000-create-applications';
import { CompleteAds1764000000000 } from './migrations/1764000000000-complete-ads';
import { TokenExpiry1764000500000 } from './migrations/1764000500000-token-expiry';
import { CapEngine1764002000000 } from './migrations/1764002000000-cap-engine';
import { OverwrittenChanges1764002100000 } from './migrations/1764002100000-overwritten-changes';
import { KeyedWork1764003000000 } from './migrations/1764003000000-keyed-work';
import { BoundRefreshedBearers1764004000000 } from './migrations/1764004000000-bound-refreshed-bearers';
import { TransfersInSteps1764005000000 } from './migrations/1764005000000-transfers-in-steps';
import { LargeApplications1764006000000 } from './migrations/1764006000000-large-applications';
import { KeysOfAccounts1764007000000 } from './migrations/1764007000000-keys-of-accounts';

export { SCHEMA as schema } from './schema';
export const entities = [ApplicationEntity, ApplicationKeyEntity, BusinessEntity, SocialTokenEntity];
export const migrations = [
  CreateApplications1763600000000,
  CompleteAds1764000000000,
  TokenExpiry1764000500000,
  CapEngine1764002000000,
  OverwrittenChanges1764002100000,
  KeyedWork1764003000000,
  BoundRefreshedBearers1764004000000,
  TransfersInSteps1764005000000,
  LargeApplications1764006000000,
  KeysOfAccounts1764007000000,
];
