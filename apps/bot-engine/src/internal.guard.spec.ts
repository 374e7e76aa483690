import { ipAllowlist, localKeys, tokenVerifier } from '@platform/auth';
import type { RequestView } from '@platform/http';
import { silentLogger } from '@platform/runtime';
import { testSigningKey } from '@platform/testing';
import { internalToken, tokenFor } from './app.fixture';
import { createGuards } from './guards';

const asked = async (token: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const key = await testSigningKey();
  const verifier = tokenVerifier({ keys: localKeys(() => [key]), audience: 'bot-engine', logger: silentLogger });
  const { service, jwt } = createGuards({ APP_ENV: 'test', ALLOWED_IPS: ['127.0.0.1'], TRUST_PROXY: [] }, verifier);
  const given = { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const request: RequestView = {
    ...{ method: 'GET', path: '/internal/agents', headers: given, remoteAddress: '127.0.0.1', address: '127.0.0.1' },
  };
  expect(ipAllowlist(['127.0.0.1'], { setting: 'ALLOWED_IPS' }).has(request.address)).toBe(true);
  await jwt.authenticate({ ...request, headers: {} });
  return Promise.resolve(service.authenticate(request)).catch((failure: Error & { kind?: string }) => [
    failure.kind,
    failure.message,
  ]);
};

const service = { role: 'service', type: 'service+jwt', store: '' } as const;
const UNAUTHENTICATED = ['unauthenticated', 'Unauthenticated'];

describe('the guard of internal routes, from an address on the allowlist,', () => {
  it.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    ['the token of a user', () => tokenFor({ role: 'owner' })],
    ['the token of a user who calls himself commerce-api', () => tokenFor({ sub: 'svc:commerce-api' })],
    ['the token of another service', () => tokenFor({ ...service, sub: 'svc:chat-backend' })],
    ['the token of a bot', () => tokenFor({ ...service, sub: 'svc:commerce-api', role: 'bot' })],
    ['a token for another service', () => tokenFor({ ...service, sub: 'svc:commerce-api', aud: 'chat-backend' })],
    ['an expired token', () => tokenFor({ ...service, sub: 'svc:commerce-api', ttlSeconds: -120 })],
    ['no JWT', async () => 'abc'],
  ])('refuses %s', async (_, token) =>
    expect(await asked(await token(), { 'x-store-id': 'S1' })).toEqual(UNAUTHENTICATED),
  );

  it('takes the store of the token, or of the header when it has none, and the user of a header', async () => {
    const S1 = { kind: 'internal', storeId: 'S1', actorId: undefined };
    expect(await asked(await internalToken('S1'))).toEqual(S1);
    expect(await asked(await internalToken('S1'), { 'x-store-id': 'S1' })).toEqual(S1);
    expect(await asked(await internalToken(), { 'x-store-id': 'S1', 'x-actor-id': 'U7' })).toEqual({
      ...S1,
      actorId: 'U7',
    });
  });

  it('refuses two different stores, none, and ids that cannot be one', async () => {
    expect(await asked(await internalToken('S1'), { 'x-store-id': 'S2' })).toEqual([
      'forbidden',
      'The token belongs to another store',
    ]);
    const required = 'X-Store-Id is a required header for a token without a store';
    expect(await asked(await internalToken())).toEqual(['invalid', required]);
    const unusable = ['invalid', 'X-Store-Id is no id of at most 64 characters'];
    expect(await asked(await internalToken(), { 'x-store-id': 'S'.repeat(65) })).toEqual(unusable);
    expect(await asked(await internalToken(), { 'x-store-id': '' })).toEqual(unusable);
    expect(await asked(await internalToken('S1'), { 'x-actor-id': 'U\u0085' })).toEqual([
      'invalid',
      'X-Actor-Id is no id of at most 64 characters',
    ]);
  });
});
