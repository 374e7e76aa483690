import { oneOf, Reply, type Binary, type Endpoint } from '@platform/http';
import { Int, Text } from '@platform/validation';
import { endpoint } from '../../endpoint';
import type { MediaLinks } from './media.links';
import type { MediaStore } from './media.store';

class MediaQuery {
  @Int({ optional: true }) exp?: number;
  @Text({ optional: true, max: 64 }) sig?: string;
}

const MISSING = { status: 'error', message: 'Not Found' };

/** Stored files under signed links; a wrong or old link is as unknown as a file that is not there. */
export const mediaEndpoints = (store: MediaStore, links: MediaLinks): Endpoint[] => [
  endpoint({
    get: '/media/{name}',
    summary: 'A stored file, by a signed link that is good for a day',
    guard: 'public',
    tag: 'media',
    query: MediaQuery,
    reply: oneOf('bytes', 'json'),
    refuses: [],
    envelope: {
      success: (body, status) => ({ status, body }),
      failure: () => ({ status: 404, body: MISSING }),
      unknownRoute: () => ({ status: 404, body: MISSING }),
      schema: (value) => value,
    },
    handle: async ({ params, query, headers }): Promise<Reply<Binary | object>> => {
      const good = links.isGood(params.name, query.exp ?? 0, query.sig ?? '');
      const answer = good ? await store.serve(params.name, headers) : undefined;
      return answer ?? new Reply<object>(MISSING, { status: 404 });
    },
  }),
];
