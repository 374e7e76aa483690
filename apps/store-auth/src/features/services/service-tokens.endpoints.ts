import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { TokenIssuer } from '../issuing/public';
import { ServiceTokenBody, ServiceTokenReply } from './service-tokens.dto';
import { serviceTokensExamples } from './service-tokens.examples';

export const serviceTokenEndpoints = (issuer: TokenIssuer) => [
  internalEndpoint({
    post: '/internal/service-tokens',
    summary: 'A token for one service to call another (HTTP Basic: client id and secret)',
    guard: 'client',
    body: ServiceTokenBody,
    reply: ServiceTokenReply,
    refuses: [refusals.audienceNotAllowed],
    examples: serviceTokensExamples,
    handle: ({ caller, body: { audience, store_id: storeId = '' } }) => {
      if (!caller.audiences.includes(audience)) throw refusals.audienceNotAllowed();
      const { token, expiresIn } = issuer.service(caller, audience, storeId);
      return {
        status: 'success' as const,
        message: 'token dibuat',
        data: { access_token: token, token_type: 'Bearer' as const, expires_in: expiresIn },
      };
    },
  }),
];
