// The example of RFC 8291 itself, and what a push service refuses.
import { createECDH, generateKeyPairSync, sign } from 'node:crypto';
import { decrypted } from './message';
import { startPushSandbox, type PushSandbox } from './server';

let sandbox: PushSandbox;
beforeAll(async () => {
  sandbox = await startPushSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

it('the example of RFC 8291 section 5 decrypts, and nothing that differs by a bit', () => {
  const browser = createECDH('prime256v1');
  browser.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'));
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(decrypted(body, browser, auth)).toBe('When I grow up, I want to be a watermelon');
  for (const at of [3, 40, body.length - 1]) {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => decrypted(changed, browser, auth)).toThrow('does not decrypt');
  }
});

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
  'base64url',
);
const token = (claims: object, alg = 'ES256', key = pair.privateKey) => {
  const signed = [{ typ: 'JWT', alg }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
const soon = () => Math.floor(Date.now() / 1000) + 3_600;
const send = async (
  headers: Record<string, string>,
  body = Buffer.alloc(200),
  endpoint = sandbox.browser().endpoint,
) => {
  const answer = await fetch(endpoint, { method: 'POST', headers, body });
  return [answer.status, ((await answer.json()) as { reason: string }).reason];
};

it.each([
  ['without a sender', () => undefined, 401, 'there is no vapid authorization'],
  [
    'signed by another key',
    () =>
      token(
        { aud: sandbox.url, exp: soon(), sub: 'mailto:a@b.c' },
        'ES256',
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      ),
    403,
    'the signature is wrong',
  ],
  [
    'for another service',
    () => token({ aud: 'https://push.example', exp: soon(), sub: 'mailto:a@b.c' }),
    403,
    'aud must be',
  ],
  ['that has expired', () => token({ aud: sandbox.url, exp: 1, sub: 'mailto:a@b.c' }), 403, 'has expired'],
  [
    'that lasts longer than a day',
    () => token({ aud: sandbox.url, exp: soon() + 90_000, sub: 'mailto:a@b.c' }),
    403,
    'within 24 hours',
  ],
  ['of nobody who can be reached', () => token({ aud: sandbox.url, exp: soon() }), 403, 'sub must be'],
  [
    'by another algorithm',
    () => token({ aud: sandbox.url, exp: soon(), sub: 'mailto:a@b.c' }, 'none'),
    403,
    'alg must be',
  ],
])('a message %s is refused', async (_, made, status, reason) => {
  const given = made();
  const headers: Record<string, string> = given ? { authorization: `vapid t=${given}, k=${point}` } : {};
  expect(await send({ ttl: '60', 'content-encoding': 'aes128gcm', ...headers })).toEqual([
    status,
    expect.stringContaining(reason),
  ]);
});

it('a message without TTL, with a long topic, in another encoding, too large or to nobody is refused', async () => {
  const authorization = `vapid t=${token({ aud: sandbox.url, exp: soon(), sub: 'mailto:a@b.c' })}, k=${point}`;
  const whole = { authorization, ttl: '60', 'content-encoding': 'aes128gcm' };
  const { ttl: _ttl, ...timeless } = whole;
  expect((await send(timeless))[0]).toBe(400);
  expect((await send({ ...whole, topic: 'a'.repeat(33) }))[0]).toBe(400);
  expect((await send({ ...whole, 'content-encoding': 'aesgcm' }))[0]).toBe(415);
  expect((await send(whole, Buffer.alloc(4_097)))[0]).toBe(413);
  expect((await send(whole, undefined, `${sandbox.url}/push/nobody`))[0]).toBe(404);
  expect((await send(whole, undefined, sandbox.browser('another').endpoint))[0]).toBe(403);
  expect(sandbox.messages).toEqual([]);
});

it('is not there in production', async () => {
  await expect(startPushSandbox({ port: 0, appEnv: 'production' })).rejects.toThrow('APP_ENV=production');
});
