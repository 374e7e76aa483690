import { sidHashOf } from '@platform/auth';
import { tokenTypes } from '@platform/contracts';
import type { Database } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import { Int, Nested, Text } from '@platform/validation';
import { internalEndpoint } from '../../endpoint';
import { success, SuccessReply } from '../../success';
import type { AuditRepository } from '../audit/public';
import type { WhichSessions, SessionService } from '../sessions/public';
import type { TokenInspector } from '../tokens/public';
import { revokeExamples } from './revoke.examples';

class RevokeBody {
  @Text({ requiredWithout: ['sid', 'user_id'], max: 8192, description: 'An access token; may have expired' })
  token?: string;
  @Text({ optional: true, max: 256 }) sid?: string;
  @Text({ optional: true, format: 'uuid' }) user_id?: string;
  @Text({ optional: true, max: 36, description: 'Of this user only the logins in this store' }) store_id?: string;
  @Text({ optional: true, max: 256, description: 'The login of this user that goes on' }) except_sid?: string;
}

class Revoked {
  @Int({ description: 'Logins that were good until now' }) revoked!: number;
}

class RevokedReply extends SuccessReply {
  @Nested(() => Revoked) data!: Revoked;
}

export interface RevokeDependencies {
  readonly database: Database;
  readonly tokens: TokenInspector;
  readonly logins: SessionService;
  readonly audit: AuditRepository;
}

/** Undefined: this is no token of ours, so there is nothing to end. */
const whichOf = async (tokens: TokenInspector, body: RevokeBody): Promise<WhichSessions | undefined> => {
  const { token, sid, user_id: userId, store_id: storeId, except_sid: except } = body;
  if (sid !== undefined) return { sidHash: sidHashOf(sid) };
  if (userId !== undefined) return { userId, storeId, exceptSidHash: except && sidHashOf(except) };
  try {
    return { sidHash: sidHashOf((await tokens.signed(token ?? '', [tokenTypes.access])).sid) };
  } catch (failure) {
    if (failure instanceof Unauthenticated) return undefined;
    throw failure;
  }
};

const revoke = async ({ database, tokens, logins, audit }: RevokeDependencies, body: RevokeBody): Promise<number> => {
  const which = await whichOf(tokens, body);
  if (!which) return 0;
  return database.tx(async (tx) => {
    const revoked = await logins.revoke(tx, which);
    if (revoked > 0) await audit.record(tx, { type: 'sessions_revoked', ...which });
    return revoked;
  });
};

export const revokeEndpoints = (parts: RevokeDependencies) => [
  internalEndpoint({
    post: '/internal/tokens/revoke',
    summary: 'Ends one login, or those of a user; repeating it changes nothing',
    guard: 'identity',
    body: RevokeBody,
    reply: RevokedReply,
    refuses: [],
    examples: revokeExamples,
    handle: async ({ body }) => success('token dicabut', { revoked: await revoke(parts, body) }),
  }),
];
