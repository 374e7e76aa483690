import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Setting } from '@platform/runtime';
import { signingKey, type SigningKey } from './signing-key';

const signOnThread = promisify(sign);
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * A compact JWS, RS256, of what we state to another service that knows our public key (RFC 7515): the claims as they are, which name
 * their `iat`. The same claims under the same key are the same text. Signed on a thread of Node's pool: to sign takes longer than the rest of a
 * request, and jsonwebtoken does it where all requests wait.
 */
export const signStatement = async (
  { privateKey, kid }: SigningKey,
  claims: { readonly iat: number } & Readonly<Record<string, unknown>>,
): Promise<string> => {
  const text = `${encoded({ alg: 'RS256', typ: 'JWT', kid })}.${encoded(claims)}`;
  return `${text}.${(await signOnThread('RSA-SHA256', Buffer.from(text), privateKey)).toString('base64url')}`;
};

const PEM = /^-----BEGIN /;

/** A private key as a setting: PEM, or the same in base64 where a setting is one line. */
export const rsaPrivateKey: Setting<SigningKey> = {
  expects: 'an RSA private key of at least 2048 bits as PEM, or that PEM in base64',
  secret: true,
  read: (text) => {
    try {
      return signingKey(PEM.test(text) ? text : Buffer.from(text, 'base64').toString());
    } catch {
      return undefined;
    }
  },
};
