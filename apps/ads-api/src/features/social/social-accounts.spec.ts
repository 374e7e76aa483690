import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan } from '@platform/testing';
import { bareBody, failed, useAds, type Client } from '../../ads.fixture';
import { FIND_SESSION } from '../handshake/handshake.repository';

const ROUTES = ['/api/social/accounts', '/api/application/token/check'];
const ads = useAds();
let client: Client;
let other: Client;
let signedIn: Record<string, string>;

const connect = async (owner: Client, name: string, more: { active?: boolean } = {}): Promise<string> => {
  const id = uuidv7();
  await ads.database.query(
    `INSERT INTO social_tokens (application_id, id, social_user_id, social_user_name, ciphertext, scopes, is_active, inactive_reason, expires_at, connected_at)
     VALUES ($1, $2, $3, $4, 'v1.secret', '{ads_management}', $5, $6, '2026-05-01T00:00:00Z', '2026-03-01T00:00:00Z')`,
    [owner.id, id, `user-${id}`, name, more.active ?? true, more.active === false ? 'disconnected' : null],
  );
  return id;
};
const get = async (path: string, headers: Record<string, string> = signedIn) => {
  const { status, body } = await ads.call(path, { headers });
  return { status, body };
};
const record = (id: string, name: string, active = true) => ({
  id,
  social_user_id: `user-${id}`,
  social_user_name: name,
  is_active: active,
  scopes: ['ads_management'],
  expires_at: '2026-05-01T00:00:00.000Z',
  inactive_reason: active ? null : 'disconnected',
  connected_at: '2026-03-01T00:00:00.000Z',
});
const unauthorized = { status: 401, body: failed('401 Unauthorized') };
const invalidKey = { status: 401, body: failed('Invalid Public Key') };

let mine: string;
let gone: string;
let theirs: string;
beforeAll(async () => {
  client = await ads.client('Mine');
  other = await ads.client('Theirs');
  mine = await connect(client, 'Sari');
  gone = await connect(client, 'Rina', { active: false });
  theirs = await connect(other, 'Budi');
  signedIn = await ads.signIn(client);
});

describe('social accounts', () => {
  it('are listed with the disconnected ones, without their tokens', async () =>
    expect(await get('/api/social/accounts')).toEqual({
      status: 200,
      body: { status: true, message: 'success', data: [record(mine, 'Sari'), record(gone, 'Rina', false)] },
    }));

  it('can be filtered by state', async () =>
    expect(await get('/api/social/accounts?is_active=false')).toEqual({
      status: 200,
      body: { status: true, message: 'success', data: [record(gone, 'Rina', false)] },
    }));

  it('come in pages', async () => {
    expect(await get('/api/social/accounts?limit=1')).toEqual({
      status: 200,
      body: { status: true, message: 'success', data: [record(mine, 'Sari')], paging: { after: mine } },
    });
    expect(await get(`/api/social/accounts?limit=1&after=${mine}`)).toEqual({
      status: 200,
      body: { status: true, message: 'success', data: [record(gone, 'Rina', false)] },
    });
  });

  it('refuse a limit that is out of bounds, with the reason', async () =>
    expect(await get('/api/social/accounts?limit=501')).toEqual({
      status: 400,
      body: {
        ...failed('limit must be 500 or less'),
        errors: [{ field: 'limit', messages: ['limit must be 500 or less'] }],
      },
    }));

  it("of another application are never seen, not even by paging past one's own", async () => {
    const session = await ads.signIn(other);
    const onlyTheirs = { status: 200, body: { status: true, message: 'success', data: [record(theirs, 'Budi')] } };
    expect(await get('/api/social/accounts', session)).toEqual(onlyTheirs);
    expect(await get(`/api/social/accounts?after=${mine}`, session)).toEqual(onlyTheirs);
  });
});

describe.each(ROUTES)('the two layers of authentication of %s', (route) => {
  it.each([
    ['no bearer', () => ({ 'public-key': bareBody(client.publicPem) })],
    ['a malformed bearer', () => ({ ...signedIn, authorization: 'Bearer garbage' })],
    ['another scheme', () => ({ ...signedIn, authorization: `Basic ${signedIn.authorization?.slice(7)}` })],
  ])('refuse %s', async (_, headers) => expect(await get(route, headers())).toEqual(unauthorized));

  it('accept the scheme in any case', async () =>
    expect(
      (await get(route, { ...signedIn, authorization: `bearer ${signedIn.authorization?.slice(7)}` })).status,
    ).toBe(200));

  it.each([
    ['no key', () => ({ authorization: signedIn.authorization ?? '' })],
    ["another application's key", () => ({ ...signedIn, 'public-key': bareBody(other.publicPem) })],
    ['a key of 9 KB', () => ({ ...signedIn, 'public-key': 'A'.repeat(9 * 1024) })],
    [
      'its private key',
      () => ({
        ...signedIn,
        'public-key': bareBody(client.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
      }),
    ],
  ])('refuse %s', async (_, headers) => expect(await get(route, headers())).toEqual(invalidKey));

  it('check the bearer before the key', async () =>
    expect(await get(route, { authorization: 'Bearer garbage', 'public-key': 'garbage' })).toEqual(unauthorized));

  it.each([
    ['literal \\n', (pem: string) => pem.replaceAll('\n', '\\n')],
    ['spaces', (pem: string) => pem.replaceAll('\n', ' ')],
    ['no separators', (pem: string) => pem.replaceAll('\n', '')],
    ['the bare body', bareBody],
    ['percent-encoding', encodeURIComponent],
    ['base64', (pem: string) => Buffer.from(pem).toString('base64')],
  ])('accept the key written with %s', async (_, spell) =>
    expect((await get(route, { ...signedIn, 'public-key': spell(client.publicPem) })).status).toBe(200),
  );
});

describe('a bearer', () => {
  it('expires after 15 minutes', async () => {
    const session = await ads.signIn(client);
    ads.clock.advance(899_999);
    expect((await get('/api/social/accounts', session)).status).toBe(200);
    ads.clock.advance(1);
    expect(await get('/api/social/accounts', session)).toEqual(unauthorized);
    signedIn = await ads.signIn(client);
  });

  it('ends with its application', async () => {
    const disabled = await ads.client();
    const session = await ads.signIn(disabled);
    await ads.database.query('UPDATE applications SET is_active = false WHERE id = $1', [disabled.id]);
    expect(await get('/api/social/accounts', session)).toEqual(unauthorized);
  });

  it('ends with the key it was minted with', async () => {
    const rotated = await ads.client();
    const session = await ads.signIn(rotated);
    await ads.database.query(`UPDATE application_keys SET state = 'revoked' WHERE application_id = $1`, [rotated.id]);
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await ads.database.query(
      `INSERT INTO application_keys (application_id, fingerprint, spki_pem, state, created_at) VALUES ($1, $2, $3, 'current', now())`,
      [rotated.id, 'cd'.repeat(32), publicKey.export({ format: 'pem', type: 'spki' })],
    );
    expect(await get('/api/social/accounts', session)).toEqual(unauthorized);
  });

  it('is found by an index', async () =>
    expectNoSeqScan(await explain(ads.database, FIND_SESSION, [Buffer.alloc(32), new Date()])));
});

it('an unknown route is 404 in the failure envelope, with or without credentials', async () => {
  const missing = { status: 404, body: failed('Not Found') };
  expect(await get(`/api/social/${randomUUID()}`, {})).toEqual(missing);
  expect(await get('/api/social/nothing')).toEqual(missing);
});
