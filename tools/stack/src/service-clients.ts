import { createHash } from 'node:crypto';
// The services that may ask store-auth for tokens, with audiences and scopes: store-auth design, section 6
import GRANTS from './service-grants.json';
import type { Secrets } from './secrets';

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

/** The settings of such a client. */
export const clientCredentials = (id: ServiceClient, secrets: Secrets) => ({
  SERVICE_CLIENT_ID: id,
  SERVICE_CLIENT_SECRET: secrets[`client ${id}`],
});
