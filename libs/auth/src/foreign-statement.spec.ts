import { createHmac, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStatement, statementIssuers, type StatementIssuers } from './foreign-statement';
import { generateSigningKey, type SigningKey } from './signing-key';
import { signStatement } from './statement';

const NOW = new Date('2026-03-01T08:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;
const WEEK = 7 * 86_400;
const claims = { iss: 'shop', aud: 'ads-api', jti: 'one', amount: 10.5, iat: SECONDS, exp: SECONDS + WEEK };

let ours: SigningKey;
let other: SigningKey;
let issuers: StatementIssuers;
const publicOf = ({ privateKey }: SigningKey): KeyObject => createPublicKey(privateKey);
const pemOf = (key: SigningKey): string => publicOf(key).export({ format: 'pem', type: 'spki' }).toString();

beforeAll(async () => {
  [ours, other] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  issuers = new Map([
    ['shop', publicOf(ours)],
    ['bank', publicOf(other)],
  ]);
});

const read = (text: string, now = NOW) =>
  readStatement(text, { issuers, audience: 'ads-api', maxLifeSeconds: WEEK, now });
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (more: object = {}, key = ours, header: object = { alg: 'RS256', typ: 'JWT' }): string => {
  const text = `${part(header)}.${part({ ...claims, ...more })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key.privateKey).toString('base64url')}`;
};

describe('a statement of another service (readStatement)', () => {
  it('gives its claims when the key of its issuer signed it', async () => {
    expect(read(signed())).toEqual(claims);
    expect(read(await signStatement(ours, claims))).toEqual(claims);
    expect(read(signed({ iss: 'bank' }, other))).toMatchObject({ iss: 'bank' });
  });

  it.each([
    ['of an issuer that is not known', { iss: 'stranger' }],
    ['for somebody else', { aud: 'commerce-api' }],
    ['without a jti', { jti: undefined }],
    ['with an empty jti', { jti: '' }],
    ['without an end', { exp: undefined }],
    ['that has expired', { iat: SECONDS - 3600, exp: SECONDS - 31 }],
    ['that has not begun', { iat: SECONDS + 31 }],
    ['that is good for longer than allowed', { exp: SECONDS + WEEK + 1 }],
    ['whose times are no whole seconds', { exp: SECONDS + 0.5 }],
  ])('is refused %s', (_, more) => expect(read(signed(more))).toBeUndefined());

  it('is refused under the key of another issuer', () => expect(read(signed({}, other))).toBeUndefined());

  it('is refused with any other algorithm: HS256 under the public key, and none', () => {
    const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    const hmac = createHmac('sha256', pemOf(ours)).update(head).digest('base64url');
    expect(read(`${head}.${hmac}`)).toBeUndefined();
    expect(read(`${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`)).toBeUndefined();
  });

  it('is refused with a changed claim, and when it is no statement at all', () => {
    const [head, , signature] = signed().split('.');
    expect(read(`${head}.${part({ ...claims, amount: 1000 })}.${signature}`)).toBeUndefined();
    const texts = ['', '..', 'a.b.c', `${part({ typ: 'JWT' })}.${Buffer.from('{').toString('base64url')}.x`];
    for (const text of [...texts, 'x'.repeat(9_000)]) expect(read(text)).toBeUndefined();
  });

  it('is refused with a critical extension', () =>
    expect(read(signed({}, ours, { alg: 'RS256', typ: 'JWT', crit: ['x'], x: 1 }))).toBeUndefined());
});

describe('who may make statements (statementIssuers)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'issuers-'));
    await writeFile(join(folder, 'public.pem'), pemOf(ours));
    await writeFile(join(folder, 'private.pem'), ours.exportPem());
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is read from files and from base64', () => {
    const inBase64 = Buffer.from(pemOf(other)).toString('base64');
    const setting = statementIssuers.read(`shop=${join(folder, 'public.pem')}, bank=${inBase64}`);
    expect([...(setting ?? [])].map(([name, key]) => [name, key.equals(issuers.get(name) as KeyObject)])).toEqual([
      ['shop', true],
      ['bank', true],
    ]);
  });

  it.each([
    ['a file that is not there', () => `shop=${join(folder, 'nothing.pem')}`],
    ['a private key', () => `shop=${join(folder, 'private.pem')}`],
    ['an issuer twice', () => `shop=${join(folder, 'public.pem')},shop=${join(folder, 'public.pem')}`],
    ['no issuer', () => join(folder, 'public.pem')],
  ])('is refused with %s', (_, text) => expect(statementIssuers.read(text())).toBeUndefined());
});
