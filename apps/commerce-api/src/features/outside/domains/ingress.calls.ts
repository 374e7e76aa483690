import type { Guard } from '@platform/http';
import type { AreaParts } from '../../../area';
import type { Config } from '../../../config';
import type { SignedCall } from '../../../endpoint';
import { signedCalls } from '../../bot/door/public';

/** Calls of the ingress, by the internal HMAC (design 5.7); without a secret every one is refused. */
export const ingressCalls = (
  { INGRESS_SECRET: secret }: Pick<Config, 'INGRESS_SECRET'>,
  { database, clock }: Pick<AreaParts, 'database' | 'clock'>,
): Guard<SignedCall> => {
  const secrets: Readonly<Record<string, string>> = secret === undefined ? {} : { ingress: secret };
  return signedCalls({ database, clock, secrets });
};
