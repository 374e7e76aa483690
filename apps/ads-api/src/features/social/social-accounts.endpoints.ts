import type { Endpoint, Example } from '@platform/http';
import { endpoint } from '../../endpoint';
import { layerExamples } from '../handshake/public';
import { SocialAccountsAnswer, SocialAccountsQuery, type SocialAccount } from './social-accounts.dto';
import type { SocialAccountsRepository } from './social-accounts.repository';
import type { SocialTokenEntity } from './social-token.entity';

const PAGE = 100;

const recordOf = (row: SocialTokenEntity): SocialAccount => ({
  id: row.id,
  social_user_id: row.socialUserId,
  social_user_name: row.socialUserName,
  is_active: row.isActive,
  scopes: row.scopes,
  expires_at: row.expiresAt?.toISOString() ?? null,
  inactive_reason: row.inactiveReason,
  connected_at: row.connectedAt.toISOString(),
});

const EXAMPLES: Example[] = [
  {
    summary: 'one connected account',
    status: 200,
    response: {
      status: true,
      message: 'success',
      data: [
        {
          id: '0199f7a0-0000-7000-8000-00000000000a',
          social_user_id: '1022334455',
          social_user_name: 'Sari',
          is_active: true,
          scopes: ['ads_management', 'business_management'],
          expires_at: '2026-05-01T00:00:00.000Z',
          inactive_reason: null,
          connected_at: '2026-03-01T00:00:00.000Z',
        },
      ],
    },
  },
  ...layerExamples,
];

export const socialAccountsEndpoints = (accounts: SocialAccountsRepository): Endpoint[] => [
  endpoint({
    get: '/api/social/accounts',
    summary: 'Connected social accounts of this application',
    tag: 'Social accounts',
    guard: 'application',
    query: SocialAccountsQuery,
    reply: SocialAccountsAnswer,
    examples: EXAMPLES,
    handle: async ({ caller, query: { is_active: isActive, after, limit = PAGE } }) => {
      const rows = await accounts.list(caller.id, { isActive, after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { data: page.map(recordOf), ...(last ? { paging: { after: last.id } } : {}) };
    },
  }),
];
