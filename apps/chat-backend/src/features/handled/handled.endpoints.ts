import type { Sql } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals, requireStore } from '../tenancy/public';
import { HandledAnswer, HandledQuery } from './handled.dto';
import { HANDLED, MOST_HANDLED } from './handled.sql';

/** Whose chats are whose, for a service that shows members only what concerns their own chats. Chats of every data source count. */
export const handledEndpoints = (sources: readonly { readonly sql: Sql }[]): Endpoint[] => [
  endpoint({
    get: '/internal/handled',
    summary: 'The numbers of the customers whose chats a user handles',
    description: `Of chats in their name, finished ones too; at most ${MOST_HANDLED} numbers of a data source, those of unfinished chats first, then the newest.`,
    guard: 'service',
    internal: true,
    tag: 'internal',
    query: HandledQuery,
    reply: HandledAnswer,
    refuses: [refusals.forbidden],
    handle: async ({ caller, query }) => {
      const asked = [requireStore(caller, query.store_id, refusals.forbidden), query.user_id];
      const found = await Promise.all(
        sources.map(({ sql }) => sql.prepared<{ nohp: string }>('handled', HANDLED, asked)),
      );
      return { message: 'success', data: { nohp: [...new Set(found.flat().map(({ nohp }) => nohp))] } };
    },
  }),
];
