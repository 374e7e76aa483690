import { createHash } from 'node:crypto';
import type { Secrets } from './secrets';

/** Who may ask store-auth for service tokens, for whom and with which rights: store-auth design, section 6. */
const GRANTS = {
  'commerce-api': { role: 'service', audiences: ['store-auth', 'chat-backend', 'bot-engine'], scopes: ['all'] },
  'chat-backend': {
    role: 'service',
    audiences: ['store-auth', 'bot-engine', 'commerce-api'],
    scopes: ['introspect', 'events'],
  },
  'bot-engine': {
    role: 'bot',
    audiences: ['store-auth', 'chat-backend', 'commerce-api'],
    scopes: ['introspect', 'events'],
  },
  'ads-client': { role: 'service', audiences: ['commerce-api'], scopes: [] },
} as const;

export type ServiceClient = keyof typeof GRANTS;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** SERVICE_CLIENTS of store-auth: digests, never the secrets. */
export const serviceClients = (secrets: Secrets): string =>
  JSON.stringify(
    Object.entries(GRANTS).map(([id, grant]) => ({
      id,
      secrets_sha256: [sha256(secrets[`client ${id as ServiceClient}`])],
      ...grant,
    })),
  );

/** What such a client is configured with. */
export const clientCredentials = (id: ServiceClient, secrets: Secrets) => ({
  SERVICE_CLIENT_ID: id,
  SERVICE_CLIENT_SECRET: secrets[`client ${id}`],
});
