import { internalEndpoint } from '../../endpoint';
import { success } from '../../success';
import { refusals } from '../../refusals';
import { DoneReply } from '../web-sessions/public';
import type { SecondProof } from '../second-factor/public';
import {
  BeginTwoFactorBody,
  BegunTwoFactorReply,
  ConfirmTwoFactorBody,
  RecoveryCodesReply,
  SecondProofBody,
} from './two-factor.dto';
import { deleteTwoFactorExamples, postTwoFactorExamples, putTwoFactorExamples } from './two-factor.examples';
import type { TwoFactorService } from './two-factor.service';

const PATH = '/internal/users/{id}/two-factor';

export const secondProof = ({ otp, recovery_code: recoveryCode = '' }: SecondProofBody): SecondProof =>
  otp === undefined ? { recoveryCode } : { otp };

export const twoFactorEndpoints = (twoFactor: TwoFactorService) => [
  internalEndpoint({
    post: PATH,
    summary: 'Begins a second factor: a secret for the authenticator',
    guard: 'identity',
    body: BeginTwoFactorBody,
    reply: BegunTwoFactorReply,
    refuses: [refusals.userNotFound, refusals.twoFactorOn, refusals.passwordInvalid, 'tooMany'],
    examples: postTwoFactorExamples,
    handle: async ({ params, body }) =>
      success('verifikasi dua langkah dimulai', await twoFactor.begin(params.id, body.password)),
  }),
  internalEndpoint({
    put: PATH,
    summary: 'Turns it on with a first code',
    guard: 'identity',
    body: ConfirmTwoFactorBody,
    reply: RecoveryCodesReply,
    refuses: [refusals.userNotFound, refusals.twoFactorNotBegun, refusals.otpInvalid, refusals.twoFactorOn],
    examples: putTwoFactorExamples,
    handle: async ({ params, body }) => {
      const codes = await twoFactor.confirm(params.id, body.otp);
      return success('verifikasi dua langkah aktif', { recovery_codes: codes });
    },
  }),
  internalEndpoint({
    delete: PATH,
    summary: 'Turns it off with a last code',
    guard: 'identity',
    body: SecondProofBody,
    reply: DoneReply,
    refuses: [refusals.userNotFound, refusals.twoFactorOff, refusals.otpInvalid, 'tooMany'],
    examples: deleteTwoFactorExamples,
    handle: async ({ params, body }) => {
      await twoFactor.turnOff(params.id, secondProof(body));
      return { status: 'success' as const, message: 'verifikasi dua langkah dimatikan' };
    },
  }),
];
