import type { ServiceTokens } from '@platform/auth';
import { Rejected } from '@platform/errors';
import { path, peer, type HttpClient } from '@platform/http';

export interface Contact {
  readonly storeId: string;
  readonly phone: string;
  readonly name: string | null;
  readonly optedOut: boolean;
}

/** What this service tells commerce-api. */
export interface CommerceClient {
  /** Makes or updates the contact with this number. Rejects when that is worth another try; false: it will never take it. */
  pushContact(contact: Contact): Promise<boolean>;
}

const TIMEOUT_MS = 10_000;
/** Refusals that no other try can turn. A full plan, a suspended store, too early, too many, a token that ran out and a store that is not there yet are none. */
const FINAL = [400, 405, 409, 410, 413, 415, 422];

/** commerce-api over HTTP: `POST /api/contact` with a service token, an upsert by phone (commerce-api design 3). */
export const httpCommerceClient = (http: HttpClient, tokens: ServiceTokens): CommerceClient => {
  const commerce = peer('commerce-api', http, {
    timeoutMs: TIMEOUT_MS,
    token: (storeId) => tokens.for('commerce-api', storeId),
    refusals: Object.fromEntries(FINAL.map((status) => [status, Rejected])),
  });
  return {
    pushContact: async ({ storeId, phone, name, optedOut }) => {
      const json = { phone, ...(name ? { name } : {}), source: 'chat', opted_out: optedOut };
      try {
        await commerce.ask({ method: 'POST', path: path('/api/contact'), storeId, json });
        return true;
      } catch (failure) {
        if (failure instanceof Rejected) return false;
        throw failure;
      }
    },
  };
};
