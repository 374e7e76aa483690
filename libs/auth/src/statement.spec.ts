import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { sign } from 'jsonwebtoken';
import { generateSigningKey } from './signing-key';
import { rsaPrivateKey, signStatement } from './statement';

const claims = {
  iss: 'commerce-api',
  aud: 'ads-api',
  jti: 'one',
  amount: 150_000,
  iat: 1_767_225_600,
  exp: 4_000_000_000,
};

it('a statement holds its claims as they are, is the same text each time, and is checked with the public key', async () => {
  const key = await generateSigningKey();
  const statement = await signStatement(key, claims);
  // As releases before have written it: a charge that is asked for again is the same credit
  const known = sign(claims, key.privateKey, { algorithm: 'RS256', keyid: key.kid });
  expect([await signStatement(key, claims), statement]).toEqual([known, known]);
  const read = await jwtVerify(statement, createPublicKey(key.exportPem()), {
    algorithms: ['RS256'],
    issuer: 'commerce-api',
    audience: 'ads-api',
  });
  expect([read.payload, read.protectedHeader]).toEqual([claims, { alg: 'RS256', typ: 'JWT', kid: key.kid }]);
});

it('a private key is a setting as PEM and as base64 of it, and nothing else is', async () => {
  const key = await generateSigningKey();
  const pem = key.exportPem();
  const given = [
    pem,
    Buffer.from(pem).toString('base64'),
    'no key',
    '',
    createPublicKey(pem).export({ type: 'spki', format: 'pem' }),
  ];
  expect(given.map((text) => rsaPrivateKey.read(String(text))?.kid)).toEqual([
    key.kid,
    key.kid,
    undefined,
    undefined,
    undefined,
  ]);
});
