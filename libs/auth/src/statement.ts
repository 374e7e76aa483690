import type { Setting } from '@platform/runtime';
import { sign } from 'jsonwebtoken';
import { signingKey, type SigningKey } from './signing-key';

/**
 * A compact JWS, RS256, of what we state to another service that knows our public key (RFC 7515): the claims as they are, which name
 * their `iat`. The same claims under the same key are the same text.
 */
export const signStatement = (
  key: SigningKey,
  claims: { readonly iat: number } & Readonly<Record<string, unknown>>,
): string => sign({ ...claims }, key.privateKey, { algorithm: 'RS256', keyid: key.kid });

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
