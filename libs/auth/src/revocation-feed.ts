import { asAuthEvent, type AuthEvent, type AuthEventPage } from '@platform/contracts';
import { Unavailable } from '@platform/errors';
import { Pool } from 'undici';
import type { RevocationFeed } from './revocation-list';
import type { KeptTokens } from './service-tokens';

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
export const storeAuthFeed = (storeAuthUrl: string, tokens: Pick<KeptTokens, 'for' | 'forget'>): RevocationFeed => {
  const { origin, pathname } = new URL(storeAuthUrl);
  const pool = new Pool(origin, { connections: 1 });
  const path = `${pathname.replace(/\/$/, '')}/internal/events`;
  const ask = async (path: string): Promise<{ status: number; text: string }> => {
    const headers = { authorization: `Bearer ${await tokens.for('store-auth')}` };
    const answer = await pool.request({ method: 'GET', path, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    close: () => pool.destroy(),
    since: async (cursor) => {
      const query = cursor === undefined ? '' : `?since=${encodeURIComponent(cursor)}`;
      let answer = await ask(path + query);
      if (answer.status === 401) {
        // The key that signed our token may be out of use, which nobody but the feed tells
        tokens.forget();
        answer = await ask(path + query);
      }
      if (answer.status !== 200)
        throw new Unavailable(`store-auth answered ${answer.status} to the request for its events`);
      return pageOf(answer.text);
    },
  };
};
