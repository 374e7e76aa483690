import { area, dataOf, type Endpoint } from '@platform/http';
import { Flag, Int } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { PhoneCode } from './phone.dto';
import { PHONE_CODE_SECONDS, phoneRefusals, type PhoneCodes } from './phone.codes';

class SentCode {
  @Int({ description: 'Seconds' }) expires_in!: number;
}
class ProvedPhone {
  @Flag() verified!: boolean;
}

/** Throws `token_not_allowed`: only a person has a phone. */
const personOf = ({ kind, actor }: Caller): string => {
  if (kind !== 'user') throw refusals.tokenNotAllowed();
  return actor;
};

export const phoneEndpoints = (codes: PhoneCodes): Endpoint[] =>
  area({ prefix: '/api/verification/phone', tag: 'Authentication and user', refuses: [refusals.tokenNotAllowed] }, [
    endpoint({
      post: '/send-otp',
      summary: "Send code to owner's phone",
      description: 'By WhatsApp, else by mail; one a minute, five an hour.',
      guard: 'kyc.write',
      reply: dataOf(SentCode, 'Code sent'),
      refuses: ['upstreamFailed', phoneRefusals.noPhone, 'tooMany'],
      handle: async ({ caller }) => {
        await codes.request(personOf(caller));
        return { expires_in: PHONE_CODE_SECONDS };
      },
    }),
    endpoint({
      post: '/confirm',
      summary: "Confirm owner's phone code",
      guard: 'kyc.write',
      body: PhoneCode,
      reply: dataOf(ProvedPhone, 'Phone number confirmed'),
      refuses: ['upstreamFailed', 'tooMany'],
      handle: async ({ caller, body }) => {
        await codes.confirm(personOf(caller), body.code);
        return { verified: true };
      },
    }),
  ]);
