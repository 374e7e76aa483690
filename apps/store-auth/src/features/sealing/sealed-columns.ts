import { totpPurpose } from '../second-factor/public';
import { signingKeyPurpose } from '../keys/public';

/** A column of long-lived sealed secrets; not successors of tokens, which are opened within seconds or never. */
export interface SealedColumn {
  readonly table: 'signing_keys' | 'users';
  readonly id: string;
  readonly column: string;
  readonly purposeOf: (id: string) => string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'signing_keys', id: 'kid', column: 'private_enc', purposeOf: signingKeyPurpose },
  { table: 'users', id: 'id', column: 'totp_enc', purposeOf: totpPurpose },
  { table: 'users', id: 'id', column: 'totp_pending_enc', purposeOf: totpPurpose },
];
