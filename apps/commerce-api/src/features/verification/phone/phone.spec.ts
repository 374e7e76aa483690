import { until } from '@platform/testing';
import { invalid, refused, succeeded } from '../../../asked.fixture';
import { bearer, newApiToken, startCommerce, newStore, type Commerce } from '../../../commerce.fixture';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { OWNER_ID } from '../../../clients/store-auth.fake';

const PHONE = '6281230009999';
const EMAIL = 'owner@toko-nusa.example';
const SENT = succeeded(200, 'Code sent', { expires_in: 300 });
let chat: Awaited<ReturnType<typeof startFakeMessages>>;
let commerce: Commerce;
let storeId: string;
beforeAll(async () => {
  chat = await startFakeMessages();
  commerce = await startCommerce({ CHAT_URL: chat.url, PLATFORM_STORE_ID: 'platform' });
});
afterAll(async () => {
  await commerce.stop();
  await chat.stop();
});
beforeEach(async () => {
  commerce.storeAuth.users.set(EMAIL, { password: 'a good passphrase', phone: PHONE });
  await commerce.database.query(`DELETE FROM code_request WHERE purpose = 'phone'`);
  commerce.mails.length = 0;
  chat.state.mood = 'answer';
  await commerce.database.query(
    `INSERT INTO person (user_id, name, email, phone, created_at, updated_at) VALUES ($1, 'Sari', $2, $3, now(), now())
     ON CONFLICT (user_id) DO UPDATE SET phone = $3, phone_verified = false`,
    [OWNER_ID, EMAIL, PHONE],
  );
  storeId = await newStore(commerce);
});

const ask = async (path: string, body: object = {}, at = commerce) => {
  const headers = { ...bearer(at.storeAuth.userToken({ store_id: storeId })), 'content-type': 'application/json' };
  const answer = await fetch(`${at.url}/api/verification/phone/${path}`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  return { status: answer.status, body: (await answer.json()) as object, retry: answer.headers.get('retry-after') };
};
const answered = async (...given: Parameters<typeof ask>) => {
  const { status, body } = await ask(...given);
  return { status, body };
};
const codeIn = (text = ''): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';
const later = (seconds: number) =>
  commerce.database.query(
    `UPDATE code_request SET sent_at = sent_at - make_interval(secs => $1), hour_began = hour_began - make_interval(secs => $1),
      expires_at = expires_at - make_interval(secs => $1) WHERE purpose = 'phone'`,
    [seconds],
  );
const toPhone = () => chat.messages().filter(({ nohp }) => nohp === PHONE);
/** The code of the next message to the phone. */
const nextCode = async (ask: () => Promise<unknown>): Promise<string> => {
  const before = toPhone().length;
  await ask();
  await until(async () => toPhone().length === before + 1);
  return codeIn(toPhone().at(-1)?.pesan);
};

describe('the code for a phone', () => {
  it('comes over WhatsApp of the platform, proves the number once, and nobody else reads it', async () => {
    const code = await nextCode(async () => expect(await answered('send-otp')).toEqual(SENT));
    const proved = succeeded(200, 'Phone number confirmed', { verified: true });
    expect(await answered('confirm', { code })).toEqual(proved);
    expect(commerce.storeAuth.users.get(EMAIL)).toMatchObject({ phoneVerified: true });
    const copy = 'SELECT phone, phone_verified FROM person WHERE user_id = $1';
    expect(await commerce.database.query(copy, [OWNER_ID])).toEqual([{ phone: PHONE, phone_verified: true }]);
    expect(await answered('confirm', { code })).toEqual(invalid('code', 'code is wrong or has expired'));
    expect(commerce.mails).toEqual([]);
    const rows = await commerce.database.query('SELECT * FROM code_request');
    expect(JSON.stringify([rows, commerce.lines])).not.toContain(code);
  });

  it('comes by mail where no device can write', async () => {
    chat.state.mood = 'silent-store';
    expect(await answered('send-otp')).toEqual(SENT);
    await until(async () => commerce.mails.length === 1);
    const [mail] = commerce.mails;
    expect(mail).toEqual({
      to: EMAIL,
      subject: 'Kode verifikasi nomor telepon',
      text: expect.stringMatching(/^Kode verifikasi nomor telepon Anda: \d{6}\n\nBerlaku 5 menit\./) as string,
    });
    expect((await answered('confirm', { code: codeIn(mail?.text) })).status).toBe(200);
  });

  it('is sent once a minute, also when twenty ask at once on two processes whose clocks differ by two', async () => {
    const other = await startCommerce({ DATABASE_URL: commerce.database.url, CHAT_URL: chat.url });
    try {
      other.storeAuth.users.set(EMAIL, { password: 'a good passphrase', phone: PHONE });
      other.clock.advance(120_000);
      const asked = Array.from({ length: 20 }, (_, at) => ask('send-otp', {}, at % 2 ? other : commerce));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 429)]);
      for (const at of [commerce, other])
        expect(await answered('send-otp', {}, at)).toEqual(
          refused(429, 'rate_limited', 'A code was sent a moment ago'),
        );
      const { retry } = await ask('send-otp');
      expect([Number(retry) > 0, Number(retry) <= 60]).toEqual([true, true]);
    } finally {
      await other.stop();
    }
  });

  it('is another one a minute later, and then only that one counts; five an hour', async () => {
    const first = await nextCode(() => ask('send-otp'));
    await later(61);
    const second = await nextCode(() => ask('send-otp'));
    if (first !== second) expect((await answered('confirm', { code: first })).status).toBe(422);
    expect((await answered('confirm', { code: second })).status).toBe(200);
    for (let sent = 2; sent < 5; sent += 1) {
      await later(61);
      await nextCode(() => ask('send-otp'));
    }
    await later(61);
    const { status, retry } = await ask('send-otp');
    expect([status, Number(retry) > 3_000]).toEqual([429, true]);
    await later(3_600);
    expect((await ask('send-otp')).status).toBe(200);
  });

  it('is too old after five minutes', async () => {
    const code = await nextCode(() => ask('send-otp'));
    await later(301);
    expect(await answered('confirm', { code })).toEqual(invalid('code', 'code is wrong or has expired'));
  });

  it('is six digits', async () =>
    expect(await answered('confirm', { code: '12345x' })).toEqual(invalid('code', 'code must have 6 digits')));

  it('needs a number in the profile, and a person', async () => {
    commerce.storeAuth.users.set(EMAIL, { password: 'a good passphrase' });
    expect(await answered('send-otp')).toEqual(refused(409, 'no_phone', 'Your profile has no phone number'));
    const { token: apiToken } = await newApiToken(commerce, storeId, { abilities: ['kyc.write'], maker: OWNER_ID });
    const path = '/api/verification/phone/send-otp';
    expect(await commerce.call('POST', path, apiToken, {})).toMatchObject({
      status: 403,
      body: { code: 'token_not_allowed' },
    });
  });
});
