import { createHash } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import type { ServiceClient } from './service-client.setting';

const SUBJECT = 'svc:';
/** A decoy: compared when no such client exists, so that both answers take the same time. */
const NOBODY = '0'.repeat(64);

/** This service, in the tokens it signs for its own calls; has no secret, so nobody can log in as it. */
export const OWN_CLIENT: ServiceClient = {
  id: 'store-auth',
  secretHashes: [],
  role: 'service',
  audiences: ['commerce-api'],
  scopes: [],
};

export const subjectOf = ({ id }: ServiceClient): string => SUBJECT + id;

/** The configured services. */
export class ServiceClients {
  private readonly byId: ReadonlyMap<string, ServiceClient>;

  constructor(clients: readonly ServiceClient[]) {
    this.byId = new Map([...clients, OWN_CLIENT].map((client) => [client.id, client]));
  }

  /** Every audience that any service may ask for. */
  get audiences(): string[] {
    return [...new Set([...this.byId.values()].flatMap(({ audiences }) => audiences))];
  }

  /** The client with this id, when the secret is one of its secrets. */
  authenticate(id: string, secret: string): ServiceClient | undefined {
    const client = this.byId.get(id);
    const given = createHash('sha256').update(secret).digest('hex');
    const matches = (client?.secretHashes ?? [NOBODY]).filter((stored) => equalSecrets(stored, given));
    return matches.length > 0 ? client : undefined;
  }

  /** The client that a token's `sub` names; undefined once it was removed from the configuration. */
  bySubject(subject: string): ServiceClient | undefined {
    return subject.startsWith(SUBJECT) ? this.byId.get(subject.slice(SUBJECT.length)) : undefined;
  }
}
