import { asAuthEvent, type AuthEvent, type AuthEventPage } from '@platform/contracts';
import { Unavailable } from '@platform/errors';
import { Pool } from 'undici';
import type { RevocationFeed } from './revocation-list';
import type { ServiceTokens } from './service-tokens';

const TIMEOUT_MS = 5_000;

const pageOf = (text: string): AuthEventPage => {
  const { data } = JSON.parse(text) as { data?: { items?: unknown[]; cursor?: unknown } };
  if (!Array.isArray(data?.items) || typeof data.cursor !== 'string')
    throw new Unavailable('store-auth sent no event page');
  return {
    items: data.items.map(asAuthEvent).filter((event): event is AuthEvent => event !== undefined),
    cursor: data.cursor,
  };
};

/** The feed of store-auth over HTTP, `GET /internal/events?since=` with a service token (store-auth design 2.4). */
export const storeAuthFeed = (storeAuthUrl: string, tokens: ServiceTokens): RevocationFeed => {
  const { origin, pathname } = new URL(storeAuthUrl);
  const pool = new Pool(origin, { connections: 1 });
  const path = `${pathname.replace(/\/$/, '')}/internal/events`;
  return {
    close: () => pool.destroy(),
    since: async (cursor) => {
      const headers = { authorization: `Bearer ${await tokens.for('store-auth')}` };
      const query = cursor === undefined ? '' : `?since=${encodeURIComponent(cursor)}`;
      const answer = await pool.request({
        method: 'GET',
        path: path + query,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw new Unavailable(`store-auth answered ${answer.statusCode} to the request for its events`);
      return pageOf(text);
    },
  };
};
