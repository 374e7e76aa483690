import { generateSigningKey, localKeys, signClaims, signingKey, type KeySource, type SigningKey } from '@platform/auth';
import { TOKEN_ISSUER, type Claims, type TokenType } from '@platform/contracts';
import { uuidv7 } from '@platform/runtime';
import { kept } from './kept';

export interface TokenRequest extends Partial<Claims> {
  readonly typ?: TokenType;
  readonly ttlSeconds?: number;
}

/** Stands in for store-auth: tokens of any shape, and the keys that verify them. */
export interface TestTokens {
  /** For the service under test, in place of store-auth's JWKS. */
  readonly keys: KeySource;
  readonly key: SigningKey;
  /** By default a valid token of an agent of store S1, team 3. Given claims are used as they are. */
  tokenFor(request?: TokenRequest): string;
}

/** The same for all tests of a worker: generating one takes a tenth of a second. */
export const testSigningKey = async (): Promise<SigningKey> =>
  signingKey(await kept('signing key', async () => (await generateSigningKey()).exportPem()));

export const testTokens = async (audience: string): Promise<TestTokens> => {
  const key = await testSigningKey();
  return {
    key,
    keys: localKeys(() => [key]),
    tokenFor: ({ typ = 'at+jwt', ttlSeconds = 600, ...claims } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = {
        ...{ iss: TOKEN_ISSUER, aud: [audience], sub: uuidv7(), store_id: 'S1', role: 'agent' as const, teams: ['3'] },
        ...{ email: 'a@shop.example', sid: uuidv7(), jti: uuidv7(), iat: now, nbf: now, exp: now + ttlSeconds },
      };
      return signClaims(key, typ, { ...usual, ...claims });
    },
  };
};
