import { uuidv5 } from '@platform/runtime';
import { Conflict, InvalidInput, NotFound, Rejected } from '@platform/errors';

export interface FakeUser {
  readonly password: string;
  readonly id?: string;
  readonly nama?: string;
  readonly phone?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly stores?: readonly string[];
  readonly unverified?: boolean;
  readonly phoneVerified?: boolean;
  readonly secondFactor?: boolean;
  /** Begun and not confirmed. */
  readonly enrolling?: boolean;
  readonly locked?: boolean;
  /** Of tokens of their browsers; the owner's unless given. */
  readonly claims?: { readonly role: 'agent' | 'supervisor'; readonly teams: readonly string[] };
}

/** By e-mail. */
export type FakeUsers = Map<string, FakeUser>;
export type Fields = Readonly<Record<string, string | undefined>>;

/** Owns every store that tests make, unless they say otherwise. */
export const OWNER_ID = '0199f7a0-0000-7000-8000-000000000001';
const OWNER_EMAIL = 'owner@toko-nusa.example';
export const RIGHT_CODE = '123456';
export const RECOVERY_CODE = 'abcde-fghij';

const data = (value: object) => ({ status: 'success', message: 'ok', data: value });

export const idOf = (email: string, { id }: FakeUser): string =>
  id ?? (email === OWNER_EMAIL ? OWNER_ID : uuidv5(OWNER_ID, email));

export const viewOf = (email: string, user: FakeUser): object => ({
  user_id: idOf(email, user),
  email,
  nama: user.nama ?? 'Sari',
  phone: user.phone ?? null,
  locale: user.locale ?? 'id',
  timezone: user.timezone ?? 'Asia/Jakarta',
  email_verified: !user.unverified,
  phone_verified: user.phoneVerified ?? false,
  two_factor: user.secondFactor ?? false,
  status: 'active',
});

const found = (users: FakeUsers, id: string): readonly [string, FakeUser] => {
  const entry = [...users].find(([email, user]) => idOf(email, user) === id);
  if (entry) return entry;
  throw new NotFound('pengguna tidak ditemukan', { code: 'user_not_found' });
};

const provedPassword = (user: FakeUser, password: string | undefined): void => {
  if (user.password !== password) throw new Rejected('password salah', { code: 'password_invalid' });
};

const provedCode = ({ otp, recovery_code: recovery }: Fields): void => {
  if (otp !== RIGHT_CODE && recovery !== RECOVERY_CODE) throw new Rejected('kode otp salah', { code: 'otp_invalid' });
};

const strong = (password = ''): string => {
  if (password.length >= 8 && password !== 'password1') return password;
  throw new InvalidInput([{ field: 'password', tag: 'common', message: 'password is one that many people use' }]);
};

export const emailOf = (users: FakeUsers, { email, user_id: id = '' }: Fields): string =>
  email ?? [...users].find(([address, user]) => idOf(address, user) === id)?.[0] ?? '';

const fakeSecondFactor = (users: FakeUsers) => ({
  begin: (id: string, { password }: Fields): object => {
    const [email, user] = found(users, id);
    if (user.secondFactor) throw new Conflict('sudah aktif', { code: 'two_factor_on' });
    provedPassword(user, password);
    users.set(email, { ...user, enrolling: true });
    return data({ secret: 'JBSWY3DPEHPK3PXP', otpauth_url: `otpauth://totp/${email}?secret=JBSWY3DPEHPK3PXP` });
  },
  confirm: (id: string, fields: Fields): object => {
    const [email, user] = found(users, id);
    if (user.secondFactor) throw new Conflict('sudah aktif', { code: 'two_factor_on' });
    if (!user.enrolling) throw new Conflict('belum dimulai', { code: 'two_factor_not_begun' });
    provedCode(fields);
    users.set(email, { ...user, secondFactor: true, enrolling: false });
    return data({ recovery_codes: Array.from({ length: 10 }, (_, n) => `code-${n}`) });
  },
  turnOff: (id: string, fields: Fields): object => {
    const [email, user] = found(users, id);
    if (!user.secondFactor) throw new Conflict('tidak aktif', { code: 'two_factor_off' });
    provedCode(fields);
    users.set(email, { ...user, secondFactor: false });
    return { status: 'success', message: 'dimatikan' };
  },
});

/** Users of the fake, by the rules of store-auth that this service relies on. */
export const fakeAccounts = (users: FakeUsers) => {
  const put = (email: string, user: FakeUser): object => {
    users.set(email, user);
    return data({ user: viewOf(email, user) });
  };
  return {
    create: (fields: Fields & { readonly store?: { store_id: string } }): object => {
      const { email = '', user_id: id = '', password, nama, phone, locale, timezone, store } = fields;
      const known = users.get(email);
      if (known && idOf(email, known) !== id) throw new Conflict('email sudah terdaftar', { code: 'email_taken' });
      if (known) return data({ user: viewOf(email, known), challenge: email });
      const stores = store ? [store.store_id] : [];
      return put(email, { password: strong(password), id, nama, phone, locale, timezone, stores, unverified: true });
    },
    find: (id: string): object => {
      const entry = [...users].find(([email, user]) => idOf(email, user) === id);
      return data({ users: entry ? [viewOf(...entry)] : [], next_cursor: null });
    },
    findByEmail: (email: string): object => {
      const user = users.get(email);
      return data({ users: user ? [viewOf(email, user)] : [], next_cursor: null });
    },
    change: (id: string, { nama, phone, locale, timezone, email_verified }: Fields): object => {
      const [email, user] = found(users, id);
      const given = Object.entries({ nama, phone, locale, timezone }).filter(([, value]) => value !== undefined);
      const proved = email_verified === undefined ? {} : { unverified: !email_verified };
      return put(email, { ...user, ...Object.fromEntries(given), ...proved });
    },
    changePassword: (id: string, { password, current_password: current }: Fields): object => {
      const [email, user] = found(users, id);
      const next = strong(password);
      provedPassword(user, current);
      users.set(email, { ...user, password: next });
      return { status: 'success', message: 'password diubah' };
    },
    ...fakeSecondFactor(users),
  };
};
