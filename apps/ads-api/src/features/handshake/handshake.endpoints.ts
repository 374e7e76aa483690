import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { FailureLimiter } from './failure-limiter';
import { HandshakeHeaders, IssuedTokenAnswer, TokenStateAnswer } from './handshake.dto';
import { checkExamples, handshakeExamples } from './handshake.examples';
import { refusals } from './handshake.refusals';
import type { HandshakeService } from './handshake.service';

export interface HandshakeParts {
  readonly handshake: HandshakeService;
  readonly limiter: FailureLimiter;
  readonly tokenTtlSeconds: number;
}

const HANDSHAKE_HELP = `Headers, no body: \`x-client-key\` (UUID of the application), \`x-timestamp\` (ISO 8601 with offset, within 10 minutes
of now), \`x-signature\` (base64 RSA SHA-256 of \`{x-client-key}|{x-timestamp}\`). Sent again within 5 seconds the same headers give the same
token; later they are refused.`;

export const handshakeEndpoints = ({ handshake, limiter, tokenTtlSeconds }: HandshakeParts): Endpoint[] => [
  endpoint({
    post: '/api/application/token',
    summary: 'Signed handshake: a bearer token for 15 minutes',
    description: HANDSHAKE_HELP,
    tag: 'Application',
    guard: 'signed',
    headers: HandshakeHeaders,
    reply: IssuedTokenAnswer,
    refuses: Object.values(refusals),
    examples: handshakeExamples,
    handle: async ({ headers, address }) => {
      const { token, expiresAt } = await limiter.guard(address, () => handshake.mint(headers));
      const expires_at = expiresAt.toISOString();
      return { data: { access_token: token, token_type: 'Bearer' as const, expires_in: tokenTtlSeconds, expires_at } };
    },
  }),
  endpoint({
    get: '/api/application/token/check',
    summary: 'What this token and key are good for',
    description: 'Ours: the contract names the prefix, not the operation.',
    tag: 'Application',
    guard: 'application',
    reply: TokenStateAnswer,
    refuses: [],
    examples: checkExamples,
    handle: ({ caller }) => ({
      data: {
        application_id: caller.id,
        name: caller.name,
        issued_at: caller.issuedAt.toISOString(),
        expires_at: caller.expiresAt.toISOString(),
        fingerprint: caller.fingerprint,
        topup_policy: caller.topupPolicy,
      },
    }),
  }),
];
