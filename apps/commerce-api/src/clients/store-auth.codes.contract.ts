import { uuidv7 } from '@platform/runtime';
import type { AccountsClient } from './store-auth.accounts';
import { VERIFY_SECONDS, type CodesClient } from './store-auth.codes';

/** What this service relies on at store-auth about codes; runs on the fake here, and in tools/stack on the service itself. */
export const codesContract = (
  subjectOf: () => { readonly codes: CodesClient; readonly email: string; readonly accounts: AccountsClient },
): void => {
  it('store-auth makes a code for an address that somebody has, and none to deliver for any other', async () => {
    const { codes, email } = subjectOf();
    // What people type: long enough not to be guessed in a day
    const code = expect.stringMatching(/^[A-Z0-9]{10}$/);
    const issued = { code_id: expect.any(String), code, expires_in: expect.any(Number) };
    expect(await codes.issue(email, 'reset_password')).toEqual({ ...issued, deliver: true });
    expect(await codes.issue('nobody@toko-nusa.example', 'reset_password')).toEqual({ ...issued, deliver: false });
  });

  it('a code that confirms an address has ten capitals and digits that nobody confuses, and is good for as long as people are told', async () => {
    const { codes, email } = subjectOf();
    const { code, expires_in } = await codes.issue(email, 'verify_email');
    expect([code, expires_in]).toEqual([expect.stringMatching(/^[A-HJKMNP-Z2-9]{10}$/), VERIFY_SECONDS]);
  });

  it('a code for a phone has six digits, is made for who has a number, and accepted once', async () => {
    const { codes, accounts } = subjectOf();
    const user_id = uuidv7();
    const email = `${user_id}@toko-nusa.example`;
    await accounts.create({ user_id, email, password: 'a good passphrase', nama: 'Budi', phone: '6281234567890' });
    const issued = await codes.issueToPhone(user_id);
    const code = expect.stringMatching(/^\d{6}$/);
    expect(issued).toEqual({ code_id: expect.any(String), code, expires_in: 600, deliver: true });
    const { code_id } = issued;
    expect(await codes.consume({ code_id, code: issued.code }, 'verify_email')).toBe(false);
    expect(await codes.consume({ code_id, code: issued.code }, 'phone')).toBe(true);
    expect((await accounts.find(user_id))?.phone_verified).toBe(true);
    await accounts.change(user_id, { phone: null });
    expect((await codes.issueToPhone(user_id)).deliver).toBe(false);
    expect(await codes.consume({ code_id, code: issued.code }, 'phone')).toBe(false);
  });

  it('store-auth accepts a code once, and no wrong one', async () => {
    const { codes, email } = subjectOf();
    const { code_id, code } = await codes.issue(email, 'verify_email');
    expect(await codes.consume({ code_id, code: '0' }, 'verify_email')).toBe(false);
    expect(await codes.consume({ token: `${code_id}.0` }, 'verify_email')).toBe(false);
    expect(await codes.consume({ code_id, code: code.toLowerCase() }, 'verify_email')).toBe(true);
    expect(await codes.consume({ code_id, code }, 'verify_email')).toBe(false);
  });
};
