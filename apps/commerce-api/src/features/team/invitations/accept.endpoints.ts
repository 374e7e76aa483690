import type { Envelope } from '@platform/envelopes';
import { oneOf, Reply, type Endpoint } from '@platform/http';
import { cut } from '@platform/runtime';
import { endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { SecondFactorNeeded, TokenReply } from '../../identity/auth/public';
import type { AcceptService } from './accept.service';
import { AcceptBody } from './invitations.dto';
import * as examples from './invitations.examples';

/** Characters; store-auth stores no more. */
const USER_AGENT_LIMIT = 1024;

/** `bare`: the envelope that leaves successes alone. */
export const acceptEndpoints = (accepting: AcceptService, bare: Envelope): Endpoint[] => [
  endpoint({
    post: '/api/team/invitation/accept',
    summary: 'Follows the link of an invitation, and signs in',
    description:
      'Answers like `/api/auth/login`: the token without an envelope, or `{two_factor, challenge, expires_in}` when a code is needed.',
    tag: 'Team',
    guard: 'link',
    unknownKeys: 'refuse',
    body: AcceptBody,
    reply: oneOf(TokenReply, SecondFactorNeeded),
    refuses: [
      ...[refusals.linkExpired, refusals.alreadyMember, refusals.storeSuspended, refusals.badCredentials],
      'upstreamFailed',
    ],
    envelope: bare,
    rate: { requests: 60, perSeconds: 60, by: 'address' },
    examples: examples.accept,
    handle: async ({ body, address, headers }) => {
      const userAgent = headers['user-agent'] && cut(headers['user-agent'], USER_AGENT_LIMIT);
      const answer = await accepting.accept(body, { ip: address, userAgent });
      return new Reply(answer, { headers: { 'Cache-Control': 'no-store' } });
    },
  }),
];
