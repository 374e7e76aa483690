import { uuidv7 } from '@platform/runtime';
import type { AccountsClient, SecondFactorClient } from './store-auth.accounts';

export interface AccountsSubject {
  readonly accounts: AccountsClient;
  readonly secondFactor: SecondFactorClient;
}

const PASSWORD = 'a good passphrase';
const visitor = { ip: '203.0.113.7' };

const newcomer = () => {
  const user_id = uuidv7();
  const store = { store_id: uuidv7(), nama: 'Toko Baru' };
  const rest = { password: PASSWORD, nama: 'Budi', phone: '6281234567890', locale: 'id', timezone: 'Asia/Jakarta' };
  return { user_id, email: `${user_id}@toko-nusa.example`, store, ...rest };
};

const making = (subjectOf: () => AccountsSubject): void => {
  it('store-auth makes a user once, however often it is asked, and never one with an address that is taken', async () => {
    const { accounts } = subjectOf();
    const wanted = newcomer();
    const { password: _, store: _store, ...shown } = wanted;
    const account = { ...shown, email_verified: false, phone_verified: false, two_factor: false };
    expect(await accounts.find(wanted.user_id)).toBeUndefined();
    expect(await accounts.create(wanted)).toEqual(expect.objectContaining(account));
    expect(await accounts.create(wanted)).toEqual(expect.objectContaining(account));
    expect(await accounts.create({ ...wanted, user_id: uuidv7(), store: undefined })).toBeUndefined();
    expect(await accounts.find(wanted.user_id)).toEqual(expect.objectContaining(account));
  });

  it('store-auth refuses a password that many people use, as a field', async () => {
    const { accounts } = subjectOf();
    await expect(accounts.create({ ...newcomer(), password: 'password1' })).rejects.toMatchObject({
      kind: 'invalid',
      violations: [expect.objectContaining({ field: 'password' })],
    });
  });
};

/** What this service relies on at store-auth about users; runs on the fake here, and in tools/stack on the service itself. */
export const accountsContract = (subjectOf: () => AccountsSubject): void => {
  making(subjectOf);

  it('store-auth changes a profile, and a password only for the current one', async () => {
    const { accounts } = subjectOf();
    const { user_id: id, ...wanted } = newcomer();
    await accounts.create({ user_id: id, ...wanted });
    expect(await accounts.change(id, { nama: 'Budi S' })).toEqual(
      expect.objectContaining({ nama: 'Budi S', phone: wanted.phone }),
    );
    expect(await accounts.change(id, { phone: null })).toEqual(
      expect.objectContaining({ nama: 'Budi S', phone: null, phone_verified: false }),
    );
    const next = 'another good passphrase';
    expect(await accounts.changePassword(id, { current: 'wrong', password: next, sid: 'x' })).toBe(false);
    expect(await accounts.changePassword(id, { current: PASSWORD, password: next, sid: 'x' })).toBe(true);
    expect(await accounts.provePassword(id, PASSWORD, visitor)).toBe(false);
    expect(await accounts.provePassword(id, next, visitor)).toBe(true);
    expect(await accounts.history(id)).toEqual({ items: expect.any(Array), next_cursor: null });
  });

  it('store-auth begins a second factor for the right password, and confirms none with a wrong code', async () => {
    const { accounts, secondFactor } = subjectOf();
    const { user_id: id, ...wanted } = newcomer();
    await accounts.create({ user_id: id, ...wanted });
    await expect(secondFactor.confirm(id, '000000')).rejects.toMatchObject({ code: 'two_factor_not_begun' });
    await expect(secondFactor.turnOff(id, '000000')).rejects.toMatchObject({ code: 'two_factor_off' });
    expect(await secondFactor.begin(id, 'wrong')).toBeUndefined();
    expect(await secondFactor.begin(id, PASSWORD)).toEqual({
      secret: expect.any(String),
      otpauth_url: expect.stringContaining('otpauth://totp/'),
    });
    expect(await secondFactor.confirm(id, '000000')).toBeUndefined();
  });
};
