import { InvalidInput, Rejected } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { Fields, FakeUsers } from './store-auth.accounts.fake';

const data = (value: object) => ({ status: 'success', message: 'ok', data: value });
const wrong = () => new Rejected('kode tidak berlaku', { code: 'code_invalid' });

/** Codes of the fake: six digits, good once. */
export const fakeCodes = (users: FakeUsers) => {
  const issued = new Map<string, { readonly email: string; readonly purpose: string; readonly code: string }>();
  const use = (id: string, code: string, purpose: string): string => {
    const known = issued.get(id);
    if (!known || known.code !== code || known.purpose !== purpose) throw wrong();
    issued.delete(id);
    return known.email;
  };
  return {
    issue: ({ email = '', purpose = '' }: Fields): object => {
      const code = String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0');
      const id = uuidv7();
      const deliver = users.has(email);
      if (deliver) issued.set(id, { email, purpose, code });
      return data({ code_id: id, code, expires_in: 900, deliver });
    },
    consume: ({ code_id: id, code, token, purpose = '', password }: Fields): object => {
      if (purpose === 'reset_password' && password === 'password1')
        throw new InvalidInput([{ field: 'password', tag: 'common', message: 'password is too common' }]);
      const [ofToken = '', codeOfToken = ''] = token?.split('.') ?? [];
      const email = use(id ?? ofToken, code ?? codeOfToken, purpose);
      const user = users.get(email);
      if (!user) throw wrong();
      if (purpose === 'verify_email') users.set(email, { ...user, unverified: false });
      else users.set(email, { ...user, password: password ?? '' });
      return data({ user_id: user.id ?? uuidv7() });
    },
  };
};
