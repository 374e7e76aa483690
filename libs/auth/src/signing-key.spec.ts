import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose';
import { tokenTypes } from '@platform/contracts';
import { SUBJECT } from './claims.fixture';
import {
  generateSigningKey,
  publicJwks,
  signingKey,
  thumbprint,
  verificationKeys,
  type SigningKey,
} from './signing-key';
import { tokenSigner } from './token-signer';

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;

describe('a signing key', () => {
  let key: SigningKey;
  beforeAll(async () => {
    key = await generateSigningKey();
  });

  it('a signing key has the thumbprint of RFC 7638 section 3.1 as its id', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    expect(thumbprint({ n, e: 'AQAB' })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  it("a signing key's id equals the one that jose computes", async () => {
    expect(await calculateJwkThumbprint({ ...key.publicJwk })).toBe(key.kid);
  });

  it('a signing key survives being stored as PEM', () => {
    expect(signingKey(key.exportPem()).publicJwk).toEqual(key.publicJwk);
  });

  it('a signing key is refused when it is small or not RSA', () => {
    expect(() => signingKey(rsa(1024))).toThrow(
      'a signing key must have at least 2048 bits, this one has 1024: make a new one',
    );
    expect(() => signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)).toThrow(
      'a signing key must be RSA, not ec',
    );
  });

  it('a signing key publishes nothing private', () => {
    expect(publicJwks([key])).toEqual({
      keys: [{ kty: 'RSA', n: key.publicJwk.n, e: 'AQAB', kid: key.kid, use: 'sig', alg: 'RS256' }],
    });
  });

  it('a signing key signs tokens that jose verifies with the published keys', async () => {
    const signer = tokenSigner({ currentKey: () => key });
    const { token, claims, expiresIn } = signer.sign(tokenTypes.access, SUBJECT, 900);
    const verified = await jwtVerify(token, createLocalJWKSet(publicJwks([key])), {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      audience: 'chat-backend',
      issuer: 'store-auth',
    });
    expect(verified.payload).toEqual(claims);
    expect(verified.protectedHeader).toEqual({ alg: 'RS256', kid: key.kid, typ: 'at+jwt' });
    expect([claims.exp - claims.iat, expiresIn, claims.nbf]).toEqual([900, 900, claims.iat]);
  });
});

describe('keys of a JWKS', () => {
  it('keys of a JWKS that are small, secret, for encryption or malformed are left out', () => {
    const small = createPrivateKey(rsa(1024).export({ format: 'pem', type: 'pkcs8' })).export({ format: 'jwk' });
    const { n, e } = rsa(2048).export({ format: 'jwk' });
    const good = { kty: 'RSA', n, e, kid: 'good' };
    const listed = [
      good,
      { ...small, kid: 'small' },
      { kty: 'oct', k: 'AAAA', kid: 'oct' },
      { ...good, kid: 'enc', use: 'enc' },
      { ...good, kid: 'hs', alg: 'HS256' },
      { ...good, kid: 7 },
      null,
    ];
    expect([...verificationKeys({ keys: listed }).keys()]).toEqual(['good']);
  });

  it('keys of a JWKS are none when the document is not a JWKS', () => {
    for (const wrong of [null, {}, { keys: 1 }, 'x']) expect(verificationKeys(wrong).size).toBe(0);
  });
});
