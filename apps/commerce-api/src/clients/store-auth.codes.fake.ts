import { InvalidInput, Rejected } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { randomInt } from 'node:crypto';
import { idOf, type Fields, type FakeUsers } from './store-auth.accounts.fake';

const data = (value: object) => ({ status: 'success', message: 'ok', data: value });
const wrong = () => new Rejected('kode tidak berlaku', { code: 'code_invalid' });

/** More of them burn a code. */
const TRIES = 5;
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LIFE_SECONDS: Readonly<Record<string, number>> = { verify_email: 86_400, reset_password: 3_600, phone: 600 };

/** Codes of the fake: ten signs as those of store-auth, good once. */
export const fakeCodes = (users: FakeUsers) => {
  const issued = new Map<string, { readonly email: string; readonly purpose: string; readonly code: string }>();
  const tried = new Map<string, number>();
  const use = (id: string, code: string, purpose: string): string => {
    const known = issued.get(id);
    const tries = (tried.get(id) ?? 0) + 1;
    tried.set(id, tries);
    if (!known || tries > TRIES || known.code !== code.toUpperCase() || known.purpose !== purpose) throw wrong();
    issued.delete(id);
    return known.email;
  };
  return {
    issue: ({ email: given, user_id: userId, purpose = '' }: Fields): object => {
      const [email = '', user] = [...users].find(([each, one]) => each === given || idOf(each, one) === userId) ?? [];
      const code =
        purpose === 'phone'
          ? String(randomInt(1_000_000)).padStart(6, '0')
          : Array.from({ length: 10 }, () => SIGNS[randomInt(SIGNS.length)]).join('');
      const id = uuidv7();
      const deliver = user !== undefined && (purpose !== 'phone' || Boolean(user.phone));
      if (deliver) issued.set(id, { email, purpose, code });
      return data({ code_id: id, code, expires_in: LIFE_SECONDS[purpose] ?? 0, deliver });
    },
    consume: ({ code_id: id, code, token, purpose = '', password }: Fields): object => {
      if (purpose === 'reset_password' && password === 'password1')
        throw new InvalidInput([{ field: 'password', tag: 'common', message: 'password is too common' }]);
      const [ofToken = '', codeOfToken = ''] = token?.split('.') ?? [];
      const email = use(id ?? ofToken, code ?? codeOfToken, purpose);
      const user = users.get(email);
      if (!user) throw wrong();
      if (purpose === 'verify_email') users.set(email, { ...user, unverified: false });
      else if (purpose === 'phone') users.set(email, { ...user, phoneVerified: true });
      else users.set(email, { ...user, password: password ?? '' });
      return data({ user_id: user.id ?? uuidv7() });
    },
  };
};
