import { createPublicKey, sign } from 'node:crypto';
import { generateSigningKey, type SigningKey } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';

export const ISSUER = 'commerce-api';
const WEEK_SECONDS = 7 * 86_400;

/** Who states payments, with its key pair. */
export const newIssuer = async () => {
  const key = await generateSigningKey();
  return { key, issuers: new Map([[ISSUER, createPublicKey(key.privateKey)]]) };
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a credit is for; a test passes what it changes. */
export interface Paid {
  readonly application_id: string;
  readonly account_id: string;
  readonly amount: number;
  readonly currency: string;
}

/** A credit as commerce-api writes it: issued now, good for a week, with a jti and a reference of its own. */
export const creditText = (key: SigningKey, now: Date, paid: Paid, more: object = {}): string => {
  const iat = Math.floor(now.getTime() / 1000);
  const jti = uuidv7();
  const claims = {
    ...{ iss: ISSUER, aud: 'ads-api', jti, reference: `CHG-${jti}`, ...paid },
    ...{ paid_at: now.toISOString(), iat, exp: iat + WEEK_SECONDS, ...more },
  };
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${part(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key.privateKey).toString('base64url')}`;
};
