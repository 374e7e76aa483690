import { setTimeout as pause } from 'node:timers/promises';
import { localKeys, secretBox, signClaims, tokenVerifier } from '@platform/auth';
import { fixedClock, silentLogger } from '@platform/runtime';
import { truncateAll } from '@platform/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { OWNER, startApp, useApp } from '../../app.fixture';
import { KeyRing, PUBLISHED_BEFORE_USE_MS, VERIFIES_AFTER_USE_MS } from './key-ring.service';
import { SigningKeyRepository } from './signing-key.repository';

const DAY = 24 * 3600_000;
const { app, database } = useApp();

describe('the JWKS', () => {
  it('lists public members only and may be cached for ten minutes', async () => {
    const answer = await app.get('/.well-known/jwks.json');
    const [key] = app.parts.ring.published();
    expect(answer.body).toEqual({
      keys: [{ kty: 'RSA', n: key?.publicJwk.n, e: 'AQAB', kid: key?.kid, use: 'sig', alg: 'RS256' }],
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600');
  });

  it('lets another library verify our tokens', async () => {
    const { token } = await app.login();
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: 'store-auth',
      audience: 'chat-backend',
      typ: 'at+jwt',
      algorithms: ['RS256'],
    });
    expect([payload.sub, payload.email, protectedHeader.alg]).toEqual([OWNER.user_id, OWNER.email, 'RS256']);
  });
});

it('the JWKS is told also while the database hangs', async () => {
  const known = await app.get('/.well-known/jwks.json');
  await app.parts.ring.stop(); // its own next look would count
  // More than the second for which the ring counts as read
  await pause(1_100);
  await database.tx(async (tx) => {
    await tx.query('LOCK TABLE signing_keys IN ACCESS EXCLUSIVE MODE');
    const read = app.parts.ring.freshen().then(() => 'the ring was read');
    const told = app.get('/.well-known/jwks.json').then(({ body }) => body);
    expect(await Promise.race([read, told])).toEqual(known.body);
  });
  await app.parts.ring.start();
});

describe('the signing key', () => {
  it('is stored encrypted', async () => {
    const rows = await database.query<{ private_enc: string }>('SELECT private_enc FROM signing_keys');
    expect(rows).toEqual([{ private_enc: expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]+$/) }]);
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
  });

  it('is the same for every replica and after every restart, so tokens stay valid', async () => {
    const { token } = await app.login();
    const replica = await startApp(database.url);
    const answer = await replica.post('/api/check-validate-token', { token });
    await replica.stop();
    expect([answer.status, replica.parts.ring.current().kid]).toEqual([200, app.parts.ring.current().kid]);
  });

  it('does not decrypt with another secret; the message names the setting', async () => {
    const SIGNING_KEY_SECRET = Buffer.alloc(32, 'another').toString('base64');
    await expect(startApp(database.url, { environment: { SIGNING_KEY_SECRET } })).rejects.toThrow(
      /keys did not start: SIGNING_KEY_SECRET does not hold the key \w{8}/,
    );
  });
});

describe('the key ring', () => {
  const box = secretBox(Buffer.alloc(32, 1).toString('base64'));
  const clock = fixedClock('2026-11-20T07:00:00Z');
  const ring = (sealing = box) =>
    new KeyRing({
      repository: new SigningKeyRepository(app.parts.database),
      box: sealing,
      rotateDays: 90,
      clock,
      logger: silentLogger,
      publish: () => Promise.resolve(),
    });
  const states = () =>
    app.parts.database
      .query<{ state: string }>('SELECT state FROM signing_keys ORDER BY created_at, state')
      .then((rows) => rows.map(({ state }) => state));

  // The ring of the service itself would fill the emptied table with a key of its own box
  beforeAll(async () => {
    await app.parts.ring.stop();
    await app.parts.ring.freshen();
  });
  beforeEach(() => truncateAll(database));
  afterAll(async () => {
    await truncateAll(database);
    await app.parts.ring.start();
  });

  it('throws when asked to sign before it has a key', async () => {
    expect(() => ring().current()).toThrow('there is no signing key yet');
    await expect(ring().check()).rejects.toThrow('there is no signing key yet');
  });

  it('creates one key when replicas boot at the same time', async () => {
    const replicas = Array.from({ length: 5 }, () => ring());
    await Promise.all(replicas.map((replica) => replica.turn()));
    expect(await states()).toEqual(['current']);
    expect(new Set(replicas.map((replica) => replica.current().kid)).size).toBe(1);
  });

  it('publishes the next key before it signs, and the old one until its tokens have expired', async () => {
    const keys = ring();
    await keys.turn();
    const first = keys.current();
    clock.advance(90 * DAY - 1);
    await keys.turn();
    expect(await states()).toEqual(['current']);
    clock.advance(1);
    await keys.turn();
    expect([await states(), keys.current().kid, keys.published().length]).toEqual([['current', 'next'], first.kid, 2]);
    clock.advance(PUBLISHED_BEFORE_USE_MS);
    await keys.turn();
    expect([await states(), keys.published().length]).toEqual([['previous', 'current'], 2]);
    expect(keys.current().kid).not.toBe(first.kid);
    clock.advance(VERIFIES_AFTER_USE_MS);
    await keys.turn();
    expect([await states(), keys.published().map(({ kid }) => kid)]).toEqual([
      ['retired', 'current'],
      [keys.current().kid],
    ]);
    expect(await app.parts.database.query(`SELECT private_enc FROM signing_keys WHERE state = 'retired'`)).toEqual([
      { private_enc: null },
    ]);
  });

  it('a key that was revoked is neither published nor used by a replica that cannot open the next one', async () => {
    const secrets = [2, 1].map((n) => Buffer.alloc(32, n).toString('base64'));
    const [before, after] = [ring(), ring(secretBox(secrets.join(',')))];
    await before.turn();
    const leaked = before.current().kid;
    const { current } = await after.revoke(leaked);
    await before.freshen();
    expect(before.published().map(({ kid }) => kid)).toEqual([current]);
    expect(() => before.current()).toThrow('there is no signing key yet');
    await expect(before.check()).rejects.toThrow('there is no signing key yet');
  });

  it('rotates once, however many replicas check', async () => {
    const replicas = Array.from({ length: 5 }, () => ring());
    const turnAll = () => Promise.all(replicas.map((replica) => replica.turn()));
    await turnAll();
    clock.advance(90 * DAY);
    await turnAll();
    clock.advance(PUBLISHED_BEFORE_USE_MS);
    await turnAll();
    expect(await states()).toEqual(['previous', 'current']);
  });

  it('keeps tokens of the old key verifiable after a rotation', async () => {
    const keys = ring();
    await keys.turn();
    const iat = Math.floor((clock.now().getTime() + 90 * DAY) / 1000);
    const claims = {
      ...{ iss: 'store-auth', aud: 'chat-backend', sub: 'u', store_id: 'S1', role: 'agent' as const, teams: [] },
      ...{ email: '', sid: 's', jti: 'j', iat, nbf: iat, exp: iat + 3600 },
    };
    const token = signClaims(keys.current(), 'at+jwt', claims);
    clock.advance(90 * DAY);
    await keys.turn();
    clock.advance(PUBLISHED_BEFORE_USE_MS);
    await keys.turn();
    const verifier = tokenVerifier({
      keys: localKeys(keys.published),
      audience: 'chat-backend',
      clock,
      logger: silentLogger,
    });
    expect((await verifier.verify(token)).jti).toBe('j');
  });
});
