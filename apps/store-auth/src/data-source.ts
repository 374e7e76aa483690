import { AuthEventEntity } from './features/audit/auth-event.entity';
import { SigningKeyEntity } from './features/keys/signing-key.entity';
import { Membership } from './features/accounts/membership.entity';
import { Store } from './features/accounts/store.entity';
import { User } from './features/accounts/user.entity';
import { CompleteStoreAuth1763726400000 } from './migrations/complete-store-auth.migration';
import { CreateStoreAuth1763640000000 } from './migrations/create-store-auth.migration';
import { CredentialVersions1795341600000, ProofsByUser1795341700000 } from './migrations/credential-versions.migration';
import { SealedSuccessors1795341800000 } from './migrations/sealed-successors.migration';

export const SCHEMA = 'store_auth';
export const entities = [AuthEventEntity, Membership, SigningKeyEntity, Store, User];
export const migrations = [
  CreateStoreAuth1763640000000,
  CompleteStoreAuth1763726400000,
  CredentialVersions1795341600000,
  ProofsByUser1795341700000,
  SealedSuccessors1795341800000,
];
