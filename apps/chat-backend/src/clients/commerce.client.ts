import type { ServiceTokens } from '@platform/auth';
import type { HttpClient } from '@platform/http';

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
/** Refusals that can become better: too early, too many, or a token that ran out on the way. */
const AGAIN = new Set([401, 408, 425, 429]);

/** commerce-api over HTTP: `POST /api/contact` with a service token, an upsert by phone (commerce-api design 3). */
export const httpCommerceClient = (http: HttpClient, tokens: ServiceTokens): CommerceClient => ({
  pushContact: async ({ storeId, phone, name, optedOut }) => {
    const { status } = await http.call({
      method: 'POST',
      path: '/api/contact',
      json: { phone, name: name ?? phone, source: 'chat', opted_out: optedOut },
      headers: { authorization: `Bearer ${await tokens.for('commerce-api', storeId)}`, 'x-store-id': storeId },
      timeoutMs: TIMEOUT_MS,
    });
    if (status >= 500 || AGAIN.has(status)) throw new Error(`commerce-api answered ${status} to a contact`);
    return status < 300;
  },
});
