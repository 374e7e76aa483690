import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { failed, handshakeHeaders, NOW, signatureOf, startAds, useAds, type Ads, type Client } from '../../ads.fixture';

const MINUTES_10 = 600_000;
const ads = useAds();
let client: Client;

beforeAll(async () => {
  client = await ads.client();
});

const at = (milliseconds: number): string => new Date(ads.clock.now().getTime() + milliseconds).toISOString();
const outcome = async (headers: Record<string, string>, from: Ads = ads) => {
  const { status, body } = await from.handshake(headers);
  return { status, body };
};
const tokensOf = (id: string) => ads.database.query('SELECT 1 FROM access_tokens WHERE application_id = $1', [id]);
const good = (expires_at: string) => ({
  status: 200,
  body: {
    status: true,
    message: 'success',
    data: { access_token: expect.stringMatching(/^[\w-]{43}$/), token_type: 'Bearer', expires_in: 900, expires_at },
  },
});
const refused = (status: number, message: string) => ({ status, body: failed(message) });

describe('a handshake', () => {
  it('gives a bearer for 15 minutes', async () => {
    expect(await outcome(handshakeHeaders(client, at(0)))).toEqual(good('2026-03-01T08:15:00.000Z'));
  });

  it('ignores the request body', async () => {
    const headers = { ...handshakeHeaders(client, at(1)), 'content-type': 'application/json' };
    const { status } = await ads.call('/api/application/token', {
      method: 'POST',
      headers,
      body: '{"grantType": broken',
    });
    expect(status).toBe(200);
  });

  it.each(['x-client-key', 'x-timestamp', 'x-signature'])('without %s is refused with its name', async (name) => {
    const { [name]: _absent, ...others } = handshakeHeaders(client);
    expect(await outcome(others)).toEqual(refused(400, `${name} header is required`));
    expect(await outcome({ ...others, [name]: ' ' })).toEqual(refused(400, `${name} header is required`));
  });

  it.each([
    ['10 minutes old', -MINUTES_10, 200],
    ['10 minutes ahead', MINUTES_10, 200],
    ['a millisecond too old', -MINUTES_10 - 1, 400],
    ['a millisecond too far ahead', MINUTES_10 + 1, 400],
  ])('with a timestamp %s is accepted or refused as the window says', async (_, offset, status) => {
    const answer = await outcome(handshakeHeaders(client, at(offset)));
    expect(answer).toEqual(status === 200 ? good('2026-03-01T08:15:00.000Z') : refused(400, 'Invalid Timestamp'));
  });

  it('checks the timestamp before the application', async () => {
    const headers = { ...handshakeHeaders(client, '2026-03-01T08:00:00'), 'x-client-key': randomUUID() };
    expect(await outcome(headers)).toEqual(refused(400, 'Invalid Timestamp'));
  });

  it('accepts the client key in capitals when they were signed', async () => {
    const capitals = { ...client, id: client.id.toUpperCase() };
    expect((await outcome(handshakeHeaders(capitals, at(2)))).status).toBe(200);
  });
});

describe('the handshake of an application that is not valid', () => {
  it.each([
    ['unknown', () => randomUUID()],
    ['no UUID', () => "x' OR 1=1"],
  ])('is refused when it is %s', async (_, id) => {
    expect(await outcome({ ...handshakeHeaders(client), 'x-client-key': id() })).toEqual(refused(404, 'Invalid app'));
  });

  it('is refused when it is disabled', async () => {
    const disabled = await ads.client();
    await ads.database.query('UPDATE applications SET is_active = false WHERE id = $1', [disabled.id]);
    expect(await outcome(handshakeHeaders(disabled))).toEqual(refused(404, 'Invalid app'));
  });

  it('is refused when its key is missing, revoked or past its end', async () => {
    const keyless = await ads.client();
    const change = (text: string) =>
      ads.database.query(`UPDATE application_keys SET ${text} WHERE application_id = $1`, [keyless.id]);
    for (const state of [`state = 'revoked'`, `state = 'previous', valid_until = '${NOW}'`]) {
      await change(state);
      expect(await outcome(handshakeHeaders(keyless))).toEqual(refused(404, 'Invalid app'));
    }
    await ads.database.query('DELETE FROM application_keys WHERE application_id = $1', [keyless.id]);
    expect(await outcome(handshakeHeaders(keyless))).toEqual(refused(404, 'Invalid app'));
  });

  it('is refused, and not a 500, when its key is no RSA key', async () => {
    const odd = await ads.client();
    const pem = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' });
    await ads.database.query('UPDATE application_keys SET spki_pem = $2 WHERE application_id = $1', [odd.id, pem]);
    expect(await outcome(handshakeHeaders(odd))).toEqual(refused(404, 'Invalid app'));
  });
});

describe('a forged signature', () => {
  const flipped = (text: string): string => {
    const bytes = Buffer.from(text, 'base64');
    bytes.writeUInt8(bytes.readUInt8(7) ^ 1, 7);
    return bytes.toString('base64');
  };
  const sign = (text: string, key = client.privateKey) => signatureOf(key, text);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

  it.each([
    ['one changed bit', () => flipped(sign(`${client.id}|${NOW}`))],
    ['another key', () => sign(`${client.id}|${NOW}`, other)],
    ['swapped order', () => sign(`${NOW}|${client.id}`)],
    ['another separator', () => sign(`${client.id}:${NOW}`)],
    ['another timestamp', () => sign(`${client.id}|${at(1000)}`)],
    ['text behind the padding', () => `${sign(`${client.id}|${NOW}`)}AAAA`],
    ['no base64', () => 'not base64 at all!'],
    ['a short text', () => 'AAAA'],
    ['base64url', () => sign(`${client.id}|${NOW}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
  ])('with %s is refused and mints nothing', async (_, signature) => {
    const before = await tokensOf(client.id);
    expect(await outcome({ ...handshakeHeaders(client), 'x-signature': signature() })).toEqual(
      refused(404, 'Invalid Signature'),
    );
    expect(await tokensOf(client.id)).toHaveLength(before.length);
  });

  it('is never logged as an error of this service', () =>
    expect(ads.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]));
});

describe('a repeated handshake', () => {
  it('gives the same token within 5 seconds, and one row', async () => {
    const own = await ads.client();
    const headers = handshakeHeaders(own, at(0));
    const first = await outcome(headers);
    ads.clock.advance(5_000);
    expect(await outcome(headers)).toEqual(first);
    expect(await tokensOf(own.id)).toHaveLength(1);
    ads.clock.advance(1);
    expect(await outcome(headers)).toEqual(refused(404, 'Invalid Signature'));
  });

  it('gives one token when two replicas receive it at the same instant', async () => {
    const replica = await ads.replica();
    const own = await ads.client();
    const headers = handshakeHeaders(own);
    const answers = await Promise.all(
      [ads, replica, ads, replica, ads, replica].map((from) => from.handshake(headers)),
    );
    await replica.stop();
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const tokens = answers.map(({ body }) => (body as { data?: { access_token: string } }).data?.access_token);
    expect(new Set(tokens).size).toBe(1);
    expect(await tokensOf(own.id)).toHaveLength(1);
  });

  it('gives the same token after a restart', async () => {
    const own = await ads.client();
    expect((await outcome(handshakeHeaders(own))).status).toBe(200);
    const restarted = await ads.replica();
    restarted.clock.advance(60_000);
    expect(await outcome(handshakeHeaders(own), restarted)).toEqual(refused(404, 'Invalid Signature'));
    await restarted.stop();
  });

  it('does not revive a revoked token', async () => {
    const own = await ads.client();
    const headers = handshakeHeaders(own, at(0));
    const session = await ads.signIn(own);
    await ads.database.query('UPDATE access_tokens SET revoked_at = now() WHERE application_id = $1', [own.id]);
    expect((await outcome(headers)).status).toBe(200);
    const { status, body } = await ads.call('/api/social/accounts', { headers: session });
    expect({ status, body }).toEqual(refused(401, '401 Unauthorized'));
  });
});

it('the handshake stores no bearer, only its hash', async () => {
  const own = await ads.client();
  const { authorization = '' } = await ads.signIn(own);
  const rows = await ads.database.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM access_tokens t UNION ALL SELECT row_to_json(r)::text FROM handshake_replays r`,
  );
  expect(rows.filter(({ row }) => row.includes(authorization.slice(7)))).toEqual([]);
});

it('a signature covers the header texts exactly as sent, UTC offset included', async () => {
  const own = await ads.client();
  expect((await outcome(handshakeHeaders(own, '2026-03-01T15:00:00+07:00'))).status).toBe(200);
  const utc = '2026-03-01T08:00:00Z';
  const headers = { ...handshakeHeaders(own, '2026-03-01T15:00:00+07:00'), 'x-timestamp': utc };
  expect(await outcome(headers)).toEqual(refused(404, 'Invalid Signature'));
});

it('an address whose handshakes fail too often is limited, whatever client it names', async () => {
  const strict = await startAds({ HANDSHAKE_FAIL_LIMIT_PER_MIN: 2 });
  const known = await strict.client();
  for (let failures = 0; failures < 2; failures++) await strict.handshake({ 'x-client-key': randomUUID() });
  const { status, body, headers } = await strict.handshake(handshakeHeaders(known));
  expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
    status: 500,
    body: failed('Too many requests, please try again', true),
    retryAfter: '60',
  });
  await strict.stop();
});
