import type { Database } from '@platform/data';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { CredentialsService } from '../login/public';
import { ChangePasswordBody } from '../users/public';
import type { UserRepository } from '../accounts/public';
import type { VerificationService } from '../verification/public';
import { DoneReply } from '../web-sessions/public';
import type { PasswordService } from '../passwords/public';
import { passwordExamples } from './password.examples';

export interface PasswordDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly credentials: CredentialsService;
  readonly verification: VerificationService;
  readonly passwordChanges: PasswordService;
}

/** Changes a password, given the current one or a code that was sent for it. */
const changePassword = async (parts: PasswordDependencies, userId: string, body: ChangePasswordBody): Promise<void> => {
  const { credentials, verification, passwordChanges, database, users } = parts;
  const { password, current_password: current, code = '', except_sid: exceptSid } = body;
  if (!(await users.byId(userId))) throw refusals.userNotFound();
  const hash = await passwordChanges.prepare(password);
  if (current === undefined) return verification.resetWithCode(userId, code, { hash, exceptSid });
  const verdict = await credentials.verify({ userId, password: current, visitor: { address: '' } });
  if (verdict.state === 'refused') throw refusals.passwordInvalid();
  await database.tx(async (tx) => {
    // Another change or a reset may have come first
    if (!(await users.holdVerified(tx, verdict.user))) throw refusals.passwordInvalid();
    await passwordChanges.set(tx, verdict.user, { hash, exceptSid, type: 'password_changed' });
  });
};

export const passwordEndpoints = (parts: PasswordDependencies) => [
  internalEndpoint({
    put: '/internal/users/{id}/password',
    summary: 'Another password; every other login of the user ends',
    guard: 'identity',
    body: ChangePasswordBody,
    reply: DoneReply,
    refuses: [refusals.userNotFound, refusals.passwordInvalid, refusals.codeInvalid, 'tooMany'],
    examples: passwordExamples,
    handle: async ({ params, body }) => {
      await changePassword(parts, params.id, body);
      return { status: 'success' as const, message: 'password diubah' };
    },
  }),
];
