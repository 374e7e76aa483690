import type { Sql } from '@platform/data';
import { Choice, List, Nested, Text } from '@platform/validation';
import { internalEndpoint } from '../../endpoint';
import { success, SuccessReply } from '../../success';
import type { AuditRepository } from './audit.repository';
import { authEventTypes, type AuthEventType } from './auth-event.entity';
import { authEventsExamples } from './auth-events.examples';

class AuthEventsQuery {
  @Text({ requiredWithout: ['user_id'], max: 36 }) store_id?: string;
  @Text({ optional: true, format: 'uuid' }) user_id?: string;
  @Text({ optional: true, format: 'uuid', description: '`next_cursor` of the last answer' }) cursor?: string;
}

class AuthEventView {
  @Text({ format: 'instant' }) at!: string;
  @Text({ nullable: true }) user_id!: string | null;
  @Choice(authEventTypes) type!: AuthEventType;
  @Text({ nullable: true }) ip!: string | null;
  @Text({ nullable: true }) user_agent!: string | null;
  @Text({ nullable: true }) sid_hash!: string | null;
}

class AuthEventsPage {
  @List(() => AuthEventView) items!: AuthEventView[];
  @Text({ nullable: true }) next_cursor!: string | null;
}

class AuthEventsReply extends SuccessReply {
  @Nested(() => AuthEventsPage) data!: AuthEventsPage;
}

export const authEventEndpoints = ({ audit, database }: { audit: AuditRepository; database: Sql }) => [
  internalEndpoint({
    get: '/internal/auth-events',
    summary: 'Login history of a store or a user, the newest first, in pages of 100',
    guard: 'identity',
    query: AuthEventsQuery,
    reply: AuthEventsReply,
    refuses: [],
    examples: authEventsExamples,
    handle: async ({ query: { store_id: storeId, user_id: userId, cursor } }) => {
      const { entries, next } = await audit.page(database, { storeId, userId, cursor });
      const items = entries.map(({ id: _, at, ...entry }) => ({ ...entry, at: at.toISOString() }));
      return success('riwayat', { items, next_cursor: next });
    },
  }),
];
