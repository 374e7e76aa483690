import { VERIFY_SECONDS, type CodesClient } from './store-auth.codes';

/** What this service relies on at store-auth about codes; runs on the fake here, and in tools/stack on the service itself. */
export const codesContract = (subjectOf: () => { readonly codes: CodesClient; readonly email: string }): void => {
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

  it('store-auth accepts a code once, and no wrong one', async () => {
    const { codes, email } = subjectOf();
    const { code_id, code } = await codes.issue(email, 'verify_email');
    expect(await codes.consume({ code_id, code: '0' }, 'verify_email')).toBe(false);
    expect(await codes.consume({ token: `${code_id}.0` }, 'verify_email')).toBe(false);
    expect(await codes.consume({ code_id, code: code.toLowerCase() }, 'verify_email')).toBe(true);
    expect(await codes.consume({ code_id, code }, 'verify_email')).toBe(false);
  });
};
