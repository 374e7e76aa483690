import { createHmac, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { tokenTypes, type Claims, type TokenType } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { fixedClock, silentLogger } from '@platform/runtime';
import { claimsAt } from './claims.fixture';
import { keysNotLoaded, localKeys, type KeySource } from './key-source';
import { generateSigningKey, type SigningKey } from './signing-key';
import { signClaims } from './token-signer';
import { sidHashOf, tokenTypeOf, tokenVerifier, type TokenVerifierOptions } from './token-verifier';

const start = Math.floor(Date.parse('2026-11-20T07:00:00Z') / 1000);
const claims = claimsAt(start, { aud: ['store-auth', 'chat-backend'] });

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  [key, other] = await Promise.all([generateSigningKey(), generateSigningKey()]);
});

const signed = (changes: Partial<Claims> = {}, type: TokenType = 'at+jwt', by = key) =>
  signClaims(by, type, { ...claims, ...changes });
const verifierAt = (seconds = 10, options: Partial<TokenVerifierOptions> = {}) => {
  const clock = fixedClock(new Date((start + seconds) * 1000));
  return {
    clock,
    verifier: tokenVerifier({
      keys: localKeys(() => [key]),
      audience: 'chat-backend',
      logger: silentLogger,
      clock,
      ...options,
    }),
  };
};
const reasonFor = async (token: string, seconds = 10, options: Partial<TokenVerifierOptions> = {}): Promise<string> => {
  const failure: unknown = await verifierAt(seconds, options)
    .verifier.verify(token)
    .then(
      () => 'accepted',
      (thrown: unknown) => thrown,
    );
  return failure instanceof Unauthenticated ? failure.reason : String(failure);
};
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token', () => {
  it('a valid token gives its claims', async () => {
    expect(await verifierAt().verifier.verify(signed())).toEqual(claims);
  });

  it('a token of another implementation is verified by the same rules', async () => {
    const foreign = await new SignJWT({ ...claims, aud: 'chat-backend' })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt' })
      .sign(key.privateKey);
    expect(await verifierAt().verifier.verify(foreign)).toEqual({ ...claims, aud: 'chat-backend' });
  });

  it('a token is valid from nbf to exp, with 30 seconds of skew on both sides', async () => {
    const token = signed({ nbf: start });
    expect(await Promise.all([-31, -30, 3629, 3630].map((at) => reasonFor(token, at)))).toEqual([
      'invalid',
      'accepted',
      'accepted',
      'expired',
    ]);
  });

  it('a token is invalid when issuer, audience, kind, key or shape is wrong', async () => {
    const { teams: _, ...incomplete } = claims;
    const wrong = [
      signed({ iss: 'ads-api' }),
      signed({ aud: 'commerce-api' }),
      signed({ aud: 'preview' }, tokenTypes.preview),
      signed({}, 'at+jwt', other),
      signClaims({ ...other, kid: key.kid }, 'at+jwt', claims),
      signClaims(key, 'at+jwt', incomplete as Claims),
      `${signed()}x`,
      'a.b.c',
      'a.b',
      '',
    ];
    expect(await Promise.all(wrong.map((token) => reasonFor(token)))).toEqual(wrong.map(() => 'invalid'));
  });

  it('a refusal keeps its reason for the log', async () => {
    const causeOf = (token: string, options: Partial<TokenVerifierOptions> = {}) =>
      verifierAt(10, options)
        .verifier.verify(token)
        .catch((failure: Error) => (failure.cause as Error).message);
    const { teams: _, ...incomplete } = claims;
    const long = `${base64url({ kid: key.kid, typ: 'x'.repeat(50) })}.a.b`;
    const revocations = { isRevoked: () => true, current: (c: Claims) => c };
    expect(await Promise.all(['', 'a', 'a.b', 'a.b.', 'a..c', 'a.b.c.d'].map((token) => causeOf(token)))).toEqual(
      Array(6).fill('not a signed token'),
    );
    expect(await causeOf('a.b.c')).toBe('the header is unreadable, lacks kid or typ, or names a critical extension');
    expect(await causeOf(long)).toBe(`a token of type ${'x'.repeat(40)} is not accepted here`);
    expect(await causeOf(signed({}, 'at+jwt', other))).toBe('no such key');
    expect(await causeOf(signed({ aud: 'x' }))).toMatch(/^jwt audience invalid/);
    expect(await causeOf(signClaims(key, 'at+jwt', incomplete as Claims))).toBe(
      'a claim is missing or of a wrong type',
    );
    expect(await causeOf(signed(), { revocations })).toBe('revoked');
  });

  it('a token that names its own algorithm is invalid: none, or HS256 keyed with the public key', async () => {
    const body = base64url(claims);
    const none = `${base64url({ alg: 'none', kid: key.kid, typ: 'at+jwt' })}.${body}.`;
    const head = `${base64url({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })}.${body}`;
    // The classic algorithm confusion attack keys an HMAC with the public PEM.
    const publicPem = createPublicKey(key.privateKey).export({ format: 'pem', type: 'spki' });
    const hs256 = `${head}.${createHmac('sha256', publicPem).update(head).digest('base64url')}`;
    expect(await Promise.all([none, `${none}AA`, hs256].map((token) => reasonFor(token)))).toEqual([
      'invalid',
      'invalid',
      'invalid',
    ]);
  });

  it('a token is called expired only when it would otherwise be valid', async () => {
    const late = 7200;
    expect(await reasonFor(signed(), late)).toBe('expired');
    const revocations = { isRevoked: (hash: string) => hash === sidHashOf('sid-1'), current: (c: Claims) => c };
    expect(await reasonFor(signed(), late, { revocations })).toBe('invalid');
    const otherwiseWrong = [
      signed({ aud: 'x' }),
      signed({ iss: 'x' }),
      signed({}, tokenTypes.preview),
      signed({}, 'at+jwt', other),
    ];
    expect(await Promise.all(otherwiseWrong.map((token) => reasonFor(token, late)))).toEqual(
      otherwiseWrong.map(() => 'invalid'),
    );
  });

  it('an expired token is accepted on request, to identify a login that is to end', async () => {
    expect(await verifierAt(7200).verifier.verifyExpired(signed())).toEqual(claims);
  });

  it.each([
    ['null', 'null'],
    ['a number', '5'],
    ['a list', '[]'],
    ['nothing in it', '{}'],
    ['no kid', '{"typ":"at+jwt"}'],
    ['no typ', '{"kid":"k"}'],
    ['a kid that is no text', '{"kid":1,"typ":"at+jwt"}'],
    ['a typ that is no text', '{"kid":"k","typ":1}'],
    ['a list as typ', '{"kid":"k","typ":["at+jwt"]}'],
    ['an extension that must be understood', '{"kid":"k","typ":"at+jwt","crit":["exp"]}'],
  ])('a token whose header is %s is invalid, and no key is looked up', async (_, header) => {
    const token = `${Buffer.from(header).toString('base64url')}.${base64url(claims)}.AA`;
    const find = jest.fn(localKeys(() => [key]).find);
    expect(await reasonFor(token, 10, { keys: { find, check: async () => undefined } })).toBe('invalid');
    expect(find).not.toHaveBeenCalled();
    expect(() => tokenTypeOf(token)).toThrow(Unauthenticated);
  });

  it.each<[string, TokenType, Claims['role'], string]>([
    ['a service token of an owner', 'service+jwt', 'owner', 'invalid'],
    ['a service token of an agent', 'service+jwt', 'agent', 'invalid'],
    ["a person's token of a service", 'at+jwt', 'service', 'invalid'],
    ["a person's token of the bot", 'at+jwt', 'bot', 'invalid'],
    ['a service token of a service', 'service+jwt', 'service', 'accepted'],
    ['a service token of the bot', 'service+jwt', 'bot', 'accepted'],
    ["a person's token of a supervisor", 'at+jwt', 'supervisor', 'accepted'],
  ])('%s (%s, %s) is %s', async (_, type, role, expected) =>
    expect(await reasonFor(signed({ role }, type))).toBe(expected),
  );

  it('a signed token with an extension that must be understood is invalid', async () => {
    const critical = new SignJWT({ ...claims, aud: 'chat-backend' }).setProtectedHeader({
      ...{ alg: 'RS256', kid: key.kid, typ: 'at+jwt', 'urn:x': true, crit: ['urn:x'] },
    });
    const token = await critical.sign(key.privateKey, { crit: { 'urn:x': true } });
    expect(await reasonFor(token)).toBe('invalid');
  });

  it('a token tells its kind', () => {
    expect([signed(), signed({}, tokenTypes.preview)].map(tokenTypeOf)).toEqual(['at+jwt', 'preview+jwt']);
  });
});

describe('a cached token', () => {
  const counting = () => {
    let asked = 0;
    const source = localKeys(() => [key]);
    const keys: KeySource = { ...source, find: (kid) => (asked++, source.find(kid)) };
    return { keys, asked: () => asked };
  };

  it('a cached token costs no second signature check, and is checked again when keys may have changed', async () => {
    const { keys, asked } = counting();
    const { verifier, clock } = verifierAt(10, { keys });
    const token = signed();
    for (let n = 0; n < 3; n++) expect(await verifier.verify(token)).toEqual(claims);
    expect(asked()).toBe(1);
    clock.advance(10 * 60_000);
    await verifier.verify(token);
    expect(asked()).toBe(2);
  });

  it('a cached token is refused as soon as it or its login is revoked, and expires in time', async () => {
    const revoked = new Set<string>();
    const { verifier, clock } = verifierAt(10, {
      revocations: { isRevoked: (k) => revoked.has(k), current: (c) => c },
    });
    const [first, second] = [signed(), signed({ sid: 'sid-2', jti: 'jti-2', exp: start + 60 })];
    await Promise.all([verifier.verify(first), verifier.verify(second)]);
    revoked.add(sidHashOf('sid-1'));
    await expect(verifier.verify(first)).rejects.toMatchObject({ reason: 'invalid' });
    await verifier.verify(second);
    revoked.add(key.kid);
    expect(verifier.remembered(second)).toBeUndefined();
    await expect(verifier.verify(second)).rejects.toMatchObject({ reason: 'invalid' });
    revoked.delete(key.kid);
    clock.advance(90_000);
    await expect(verifier.verify(second)).rejects.toMatchObject({ reason: 'expired' });
    revoked.add('jti-2');
    await expect(verifier.verify(second)).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('a token of a revoked key is invalid also while nobody tells which keys there are', async () => {
    const keys = { find: () => Promise.reject(keysNotLoaded()), check: () => Promise.resolve() };
    const revoked = { isRevoked: (kid: string) => kid === key.kid, current: (c: Claims) => c };
    const { verifier } = verifierAt(10, { keys, revocations: revoked });
    await expect(verifier.verify(signed())).rejects.toMatchObject({ reason: 'invalid' });
    await expect(verifier.verify(signed({}, 'at+jwt', other))).rejects.toMatchObject({ code: 'keys_not_loaded' });
  });

  it('a cached token gets role and teams of a newer membership at once', async () => {
    let teams = ['3'];
    const { verifier } = verifierAt(10, { revocations: { isRevoked: () => false, current: (c) => ({ ...c, teams }) } });
    const token = signed();
    await verifier.verify(token);
    teams = ['4'];
    expect(await verifier.verify(token)).toEqual({ ...claims, teams: ['4'] });
    expect(verifier.remembered(token)).toEqual({ ...claims, teams: ['4'] });
  });

  it('a cached token stays cached where there is no revocation list', async () => {
    const { verifier } = verifierAt();
    await verifier.verify(signed());
    expect(verifier.remembered(signed())).toEqual(claims);
  });

  it('a cached token is known synchronously, until it is revoked or expires', async () => {
    const revoked = new Set<string>();
    const { verifier, clock } = verifierAt(10, {
      revocations: { isRevoked: (k) => revoked.has(k), current: (c) => c },
    });
    const [first, second] = [signed(), signed({ jti: 'jti-2', exp: start + 60 })];
    expect(verifier.remembered(first)).toBeUndefined();
    await Promise.all([verifier.verify(first), verifier.verify(second)]);
    expect([first, second].map((token) => verifier.remembered(token)?.jti)).toEqual(['jti-1', 'jti-2']);
    revoked.add('jti-1');
    clock.advance(90_000);
    expect([first, second].map((token) => verifier.remembered(token))).toEqual([undefined, undefined]);
  });

  it('a cached token is evicted when it is the least recently used', async () => {
    const { keys, asked } = counting();
    const { verifier } = verifierAt(10, { keys, cacheSize: 2 });
    const [a, b, c] = ['a', 'b', 'c'].map((jti) => signed({ jti })) as [string, string, string];
    for (const token of [a, b, a, c]) await verifier.verify(token);
    expect(asked()).toBe(3);
    await verifier.verify(a);
    expect(asked()).toBe(3);
    await verifier.verify(b);
    expect(asked()).toBe(4);
  });
});

it('a verifier without keys throws, naming what is missing', () => {
  expect(() => tokenVerifier({ audience: 'x', logger: silentLogger })).toThrow('tokenVerifier needs jwksUrl or keys');
});
