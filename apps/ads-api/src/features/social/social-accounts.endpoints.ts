import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { SocialAccountsAnswer, SocialAccountsQuery, type SocialAccount } from './social-accounts.dto';
import { socialAccountsExamples } from './social-accounts.examples';
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

export const socialAccountsEndpoints = (accounts: SocialAccountsRepository): Endpoint[] => [
  endpoint({
    get: '/api/social/accounts',
    summary: 'Connected social accounts of this application',
    tag: 'Social accounts',
    guard: 'application',
    query: SocialAccountsQuery,
    reply: SocialAccountsAnswer,
    refuses: [],
    examples: socialAccountsExamples,
    handle: async ({ caller, query: { is_active: isActive, after, limit = PAGE } }) => {
      const rows = await accounts.list(caller.id, { isActive, after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { data: page.map(recordOf), ...(last ? { paging: { after: last.id } } : {}) };
    },
  }),
];
