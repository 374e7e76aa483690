import { Rejected } from '@platform/errors';
import { path } from '@platform/http';
import type { CodePurpose, MailedPurpose } from '../jobs';
import { unless, type Ask } from './store-auth.peer';

export interface IssuedCode {
  readonly code_id: string;
  readonly code: string;
  /** Seconds. */
  readonly expires_in: number;
  /** False: nobody has this address. */
  readonly deliver: boolean;
}

/** How long the code that confirms an address is good for: told to who registers, before store-auth has made it. */
export const VERIFY_SECONDS = 86_400;

/** What was sent: the id with the code, or both in one as a link has them. */
export type GivenCode = { readonly code_id: string; readonly code: string } | { readonly token: string };

/** Codes that prove an address, which store-auth makes and judges and this service delivers (its design 2.4). */
export interface CodesClient {
  issue(email: string, purpose: MailedPurpose): Promise<IssuedCode>;
  /** Six digits for the number of this user; not to be delivered where there is none. */
  issueToPhone(userId: string): Promise<IssuedCode>;
  /** False: wrong, used or expired. Throws `InvalidInput` for a weak password. */
  consume(given: GivenCode, purpose: CodePurpose, password?: string): Promise<boolean>;
}

export const httpCodesClient = (ask: Ask): CodesClient => ({
  issue: (email, purpose) => ask({ path: path('/internal/verification-codes'), json: { email, purpose } }),
  issueToPhone: (userId) =>
    ask({ path: path('/internal/verification-codes'), json: { user_id: userId, purpose: 'phone' } }),
  consume: (given, purpose, password) =>
    ask({ path: path('/internal/verification-codes/consume'), json: { ...given, purpose, password } })
      .then(() => true)
      .catch(unless(Rejected, false)),
});
