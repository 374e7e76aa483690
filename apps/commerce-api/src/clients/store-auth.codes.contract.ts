import type { CodesClient } from './store-auth.codes';

/** What this service relies on at store-auth about codes; runs on the fake here, and in tools/stack on the service itself. */
export const codesContract = (subjectOf: () => { readonly codes: CodesClient; readonly email: string }): void => {
  it('store-auth makes a code for an address that somebody has, and none to deliver for any other', async () => {
    const { codes, email } = subjectOf();
    const issued = { code_id: expect.any(String), code: expect.any(String), expires_in: expect.any(Number) };
    expect(await codes.issue(email, 'reset_password')).toEqual({ ...issued, deliver: true });
    expect(await codes.issue('nobody@toko-nusa.example', 'reset_password')).toEqual({ ...issued, deliver: false });
  });

  it('store-auth accepts a code once, and no wrong one', async () => {
    const { codes, email } = subjectOf();
    const { code_id, code } = await codes.issue(email, 'verify_email');
    expect(await codes.consume({ code_id, code: '0' }, 'verify_email')).toBe(false);
    expect(await codes.consume({ token: `${code_id}.0` }, 'verify_email')).toBe(false);
    expect(await codes.consume({ code_id, code }, 'verify_email')).toBe(true);
    expect(await codes.consume({ code_id, code }, 'verify_email')).toBe(false);
  });
};
