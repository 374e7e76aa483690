import { InvalidInput } from '@platform/errors';
import { internalEndpoint } from '../../endpoint';
import { success } from '../../success';
import { refusals } from '../../refusals';
import { ConsumeCodeBody, ConsumedCodeReply, IssueCodeBody, IssuedCodeReply } from './verification.dto';
import { consumeExamples, verificationCodesExamples } from './verification.examples';
import { splitToken, type VerificationService } from './verification.service';

const consumption = ({ code_id: id = '', code = '', token, purpose, password }: ConsumeCodeBody) => {
  if (purpose === 'reset_password' && password === undefined)
    throw new InvalidInput([{ field: 'password', tag: 'required', message: 'password is a required field' }]);
  return { given: { ...(token === undefined ? { id, code } : splitToken(token)), purpose }, password };
};

export const verificationEndpoints = (verification: VerificationService) => [
  internalEndpoint({
    post: '/internal/verification-codes',
    summary: 'A code that proves an e-mail or a phone number; the caller delivers it',
    description: 'An unknown e-mail gets the same answer after the same time, with `deliver` false.',
    guard: 'identity',
    body: IssueCodeBody,
    reply: IssuedCodeReply,
    refuses: [],
    examples: verificationCodesExamples,
    handle: async ({ body: { email, user_id: userId, purpose } }) =>
      success('kode dibuat', await verification.issue({ email, userId }, purpose)),
  }),
  internalEndpoint({
    post: '/internal/verification-codes/consume',
    summary: 'Uses a code up and does what it was for',
    guard: 'identity',
    body: ConsumeCodeBody,
    reply: ConsumedCodeReply,
    refuses: [refusals.codeInvalid, 'tooMany'],
    examples: consumeExamples,
    handle: async ({ body }) => {
      const { given, password } = consumption(body);
      return success('kode diterima', { user_id: await verification.consume(given, password) });
    },
  }),
];
