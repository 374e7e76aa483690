import type { ServiceTokens } from '@platform/auth';
import { Rejected } from '@platform/errors';
import { path, peer, type HttpClient, type PeerCall } from '@platform/http';

export interface Contact {
  readonly storeId: string;
  readonly phone: string;
  readonly name: string | null;
  /** Undefined: the customer has said nothing. */
  readonly optedOut?: boolean;
  /** When they said so. */
  readonly saidAt?: string;
}

/** What happened here that commerce-api goes on with; each is told once for its `id` (its design 5.6). */
export type CommerceEvent =
  | {
      readonly id: string;
      readonly kind: 'ticket_resolved';
      readonly ticketId: string;
      readonly nohp: string;
      readonly orderId: string | null;
    }
  | {
      readonly id: string;
      readonly kind: 'link_opened';
      readonly code: string;
      readonly nohp: string;
      readonly chatId: string;
    }
  | {
      /** A customer has written, or something was done with the chat, and these members are to know. */
      readonly id: string;
      readonly kind: 'members_told';
      readonly about?: 'assigned' | 'moved' | 'help';
      /** The team that it was given to, or that is asked. */
      readonly asked?: string;
      readonly nohp: string;
      readonly chatId: string;
      readonly instance: string;
      readonly team: string;
      readonly title: string;
      readonly text: string;
      readonly users: readonly string[];
    };

/** What this service tells commerce-api. */
export interface CommerceClient {
  /** Rejects when that is worth another try; false: it will never take it. An event that it knows changes nothing there. */
  tellEvent(storeId: string, event: CommerceEvent): Promise<boolean>;
  /** Makes or updates the contact with this number. Rejects when that is worth another try; false: it will never take it. */
  pushContact(contact: Contact): Promise<boolean>;
}

const TIMEOUT_MS = 10_000;
/** Refusals that no other try can turn. A full plan, a suspended store, too early, too many, a token that ran out and a store that is not there yet are none. */
const FINAL = [400, 405, 409, 410, 413, 415, 422];

/**
 * commerce-api over HTTP with a service token: `POST /api/contact`, an upsert by phone, and `POST /internal/chat-events` (commerce-api design
 * 2.3, 5.6).
 */
export const httpCommerceClient = (http: HttpClient, tokens: ServiceTokens): CommerceClient => {
  const commerce = peer('commerce-api', http, {
    timeoutMs: TIMEOUT_MS,
    token: (storeId) => tokens.for('commerce-api', storeId),
    refusals: Object.fromEntries(FINAL.map((status) => [status, Rejected])),
  });
  const isTaken = async (storeId: string, to: PeerCall['path'], json: object): Promise<boolean> => {
    try {
      await commerce.ask({ method: 'POST', path: to, storeId, json });
      return true;
    } catch (failure) {
      if (failure instanceof Rejected) return false;
      throw failure;
    }
  };
  return {
    pushContact: ({ storeId, phone, name, optedOut, saidAt }) =>
      isTaken(storeId, path('/api/contact'), {
        ...{ phone, ...(name ? { name } : {}) },
        ...{ source: 'chat', opted_out: optedOut, said_at: saidAt },
      }),
    tellEvent: (storeId, event) =>
      isTaken(storeId, path('/internal/chat-events'), { store_id: storeId, events: [event] }),
  };
};
