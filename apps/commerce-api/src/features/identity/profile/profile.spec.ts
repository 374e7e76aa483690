import { uuidv7 } from '@platform/runtime';
import { newMember, newStore, startCommerce, useCommerce } from '../../../commerce.fixture';
import { systemRoles } from '../../../roles';

const PASSWORD = 'a good passphrase';
const commerce = useCommerce();

/** A user of store-auth, with a role in a store. */
const newUser = async (role: 'admin' | 'cs' = 'cs') => {
  const storeId = await newStore(commerce);
  const { userId, token } = await newMember(commerce, storeId, role);
  const email = `${userId}@toko-nusa.example`;
  commerce.storeAuth.users.set(email, { password: PASSWORD, id: userId, nama: 'Rina' });
  return { storeId, userId, token, email };
};
const ask = async (method: string, path: string, token: string, body?: object) => {
  const answer = await commerce.call(method, path, token, body);
  return { status: answer.status, body: answer.body };
};
const ok = (data: unknown, message = 'OK') => ({ status: 200, body: { status: 'success', message, data } });
const invalid = (field: string, message: string) => ({
  status: 422,
  body: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
});
const person = async (userId: string) => {
  const [row] = await commerce.database.query('SELECT name, email, phone FROM person WHERE user_id = $1', [userId]);
  return row;
};

describe('my profile', () => {
  const shown = (userId: string, email: string) => ({
    id: userId,
    name: 'Rina',
    email,
    phone: null,
    locale: 'id',
    timezone: 'Asia/Jakarta',
    avatar_url: null,
    email_verified: true,
    phone_verified: false,
    two_factor: false,
  });

  it('is that of store-auth, and what I change there is known here', async () => {
    const { token, userId, email } = await newUser();
    expect(await ask('GET', '/api/profile', token)).toEqual(ok(shown(userId, email)));
    const change = { name: ' Rina S ', phone: '0812-3456-7890', locale: 'en', timezone: 'Asia/Makassar' };
    const after = { ...shown(userId, email), ...change, name: 'Rina S', phone: '6281234567890' };
    expect(await ask('PUT', '/api/profile', token, change)).toEqual(ok(after, 'Profile updated'));
    expect(await ask('GET', '/api/profile', token)).toEqual(ok(after));
    expect(await person(userId)).toEqual({ name: 'Rina S', email, phone: '6281234567890' });
  });

  it('is answered in a suspended store and to whoever is no member any more, because it is mine', async () => {
    const { token, userId, email, storeId } = await newUser();
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    await commerce.database.query('DELETE FROM membership WHERE user_id = $1', [userId]);
    expect(await ask('GET', '/api/profile', token)).toEqual(ok(shown(userId, email)));
  });

  it('of a user whom store-auth does not know is a 404', async () => {
    const answer = await ask('GET', '/api/profile', commerce.storeAuth.userToken({ sub: uuidv7() }));
    expect(answer).toEqual({ status: 404, body: { status: 'error', message: 'User not found', code: 'not_found' } });
  });

  it('lists my stores with my role in each, whatever store my token is for', async () => {
    const { token, userId, storeId } = await newUser('admin');
    const second = await newStore(commerce);
    await commerce.database.query(
      `INSERT INTO membership (store_id, user_id, system_role, status, created_at, updated_at)
       VALUES ($1, $2, 'finance', 'disabled', '2026-04-01', '2026-04-01')`,
      [second, userId],
    );
    const store = (id: string) => ({ id, name: 'Toko Nusa', slug: id, status: 'open' });
    expect(await ask('GET', '/api/profile/stores', token)).toEqual(
      ok([
        { store: store(storeId), role: { id: 'admin', name: 'admin' }, status: 'active' },
        { store: store(second), role: { id: 'finance', name: 'finance' }, status: 'disabled' },
      ]),
    );
  });
});

describe('my password', () => {
  it('changes for the current one only', async () => {
    const { token, email } = await newUser();
    const change = (current_password: string, password: string) =>
      ask('PUT', '/api/profile/password', token, { current_password, password });
    expect(await change('wrong', 'another good passphrase')).toEqual(
      invalid('current_password', 'current_password is wrong'),
    );
    expect(await change(PASSWORD, 'password1')).toEqual(
      invalid('password', 'password is too short, or one that many people use: choose another one'),
    );
    expect(await change(PASSWORD, 'another good passphrase')).toEqual(ok(null, 'Password updated'));
    expect(commerce.storeAuth.users.get(email)?.password).toBe('another good passphrase');
  });
});

describe('my second factor', () => {
  it('is on after its first code, and off with the password and a code', async () => {
    const { token, email } = await newUser();
    const path = '/api/profile/two-factor';
    expect(await ask('POST', path, token, { password: 'wrong' })).toEqual(invalid('password', 'password is wrong'));
    expect(await ask('POST', path, token, { password: PASSWORD })).toEqual(
      ok({
        secret: 'JBSWY3DPEHPK3PXP',
        otpauth_url: `otpauth://totp/${email}?secret=JBSWY3DPEHPK3PXP`,
        qr_svg: expect.stringMatching(/^<svg .*<\/svg>\s*$/s),
      }),
    );
    expect(await ask('POST', `${path}/confirm`, token, { code: '000000' })).toEqual(invalid('code', 'code is wrong'));
    expect((await ask('POST', `${path}/confirm`, token, { code: '123456' })).status).toBe(200);
    expect(await ask('POST', path, token, { password: PASSWORD })).toMatchObject({
      status: 409,
      body: { code: 'two_factor_on' },
    });
    const off = (password: string, code: string) => ask('DELETE', path, token, { password, code });
    expect(await off('wrong', '123456')).toEqual(invalid('password', 'password is wrong'));
    expect(await off(PASSWORD, '000000')).toEqual(invalid('code', 'code is wrong'));
    expect(await off(PASSWORD, 'abcde-fghij')).toEqual(ok(null, 'Two-factor sign-in is off'));
  });
});

describe('who I am', () => {
  it('says what my role in this store allows', async () => {
    const { token, storeId } = await newUser('cs');
    const { status, body } = await ask('GET', '/api/auth/me', token);
    expect({ status, body }).toEqual(
      ok({
        user: expect.objectContaining({ name: 'Rina' }),
        store: { id: storeId, name: 'Toko Nusa', slug: storeId, status: 'open' },
        role: { id: 'cs', name: 'cs' },
        abilities: [...systemRoles.cs].sort(),
        plan: null,
        unread_notifications: 0,
      }),
    );
  });

  it('names the plan of the store', async () => {
    const { token, storeId } = await newUser('cs');
    await commerce.database.query(
      `INSERT INTO subscription (store_id, id, status, plan_id, period, price, period_start, period_end, anchor_day,
         cancel_at_period_end, auto_renew, created_at, updated_at)
       SELECT $1, uuidv7(), 'past_due', id, 'monthly', 0, now(), now() + interval '1 month', 1, false, true, now(), now()
       FROM plan WHERE code = 'growth'`,
      [storeId],
    );
    const { body } = await ask('GET', '/api/auth/me', token);
    expect((body as { data: object }).data).toMatchObject({ plan: { code: 'growth', status: 'past_due' } });
  });

  it('is refused in a store where I am disabled', async () => {
    const { token, userId } = await newUser();
    await commerce.database.query(`UPDATE membership SET status = 'disabled' WHERE user_id = $1`, [userId]);
    expect(await ask('GET', '/api/auth/me', token)).toEqual({
      status: 403,
      body: { status: 'error', message: 'You are not an active member of this store', code: 'forbidden' },
    });
  });

  it('is remembered at a sign-in', async () => {
    const { userId, email } = await newUser();
    expect(await person(userId)).toBeUndefined();
    await commerce.post('/api/auth/login', { email, password: PASSWORD });
    expect(await person(userId)).toEqual({ name: 'Rina', email, phone: null });
  });
});

it('a profile is answered with 503, and is not lost, while store-auth is away', async () => {
  const lonely = await startCommerce();
  const token = lonely.storeAuth.userToken({});
  // Loads the keys of tokens
  await lonely.call('GET', '/api/test', token);
  await lonely.storeAuth.stop();
  const { status, body } = await lonely.call('GET', '/api/profile', token);
  await lonely.stop();
  expect({ status, body }).toEqual({
    status: 503,
    body: { status: 'error', message: 'store-auth did not answer', code: 'unavailable' },
  });
});
