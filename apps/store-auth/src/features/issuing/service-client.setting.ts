import { serviceRoles, type ServiceRole } from '@platform/contracts';
import type { Setting } from '@platform/runtime';
import { Choice, List, parse, Text, Texts } from '@platform/validation';

/** What a service may do at `/internal/*`: design section 6. */
export const scopes = ['identity', 'introspect', 'events'] as const;
export type Scope = (typeof scopes)[number];

class ServiceClientDto {
  @Text({ max: 64, pattern: /^[a-z][a-z0-9-]*$/ }) id!: string;
  /** Two while a secret is being rotated. */
  @Texts({ min: 1, max: 2 }) secrets_sha256!: string[];
  @Choice(serviceRoles) role!: ServiceRole;
  @Texts({ min: 1, max: 20, maxLength: 64 }) audiences!: string[];
  @Texts({ optional: true, max: 20 }) scopes?: string[];
}

class ServiceClientListDto {
  @List(() => ServiceClientDto, { max: 50 }) clients!: ServiceClientDto[];
}

/** One service that may ask for tokens. */
export interface ServiceClient {
  readonly id: string;
  readonly secretHashes: readonly string[];
  readonly role: ServiceRole;
  readonly audiences: readonly string[];
  readonly scopes: readonly Scope[];
}

const scopesOf = (names: readonly string[]): Scope[] | undefined => {
  if (names.includes('all')) return [...scopes];
  const known = scopes.filter((scope) => names.includes(scope));
  return known.length === names.length ? known : undefined;
};

const clientOf = ({ id, secrets_sha256, role, audiences, scopes: names = [] }: ServiceClientDto) => {
  const granted = scopesOf(names);
  const hashed = secrets_sha256.every((secret) => /^[0-9a-f]{64}$/.test(secret));
  return granted && hashed ? [{ id, secretHashes: secrets_sha256, role, audiences, scopes: granted }] : [];
};

const readClients = (text: string): readonly ServiceClient[] | undefined => {
  try {
    const { value } = parse(ServiceClientListDto, { clients: JSON.parse(text) as unknown }, { unknownKeys: 'refuse' });
    const clients = value?.clients.flatMap(clientOf) ?? [];
    const distinct = new Set(clients.map(({ id }) => id)).size;
    return value && clients.length === value.clients.length && distinct === clients.length ? clients : undefined;
  } catch {
    return undefined;
  }
};

/** SERVICE_CLIENTS: the services that may ask for tokens, with the SHA-256 of their secrets, never the secrets. */
export const serviceClientList: Setting<readonly ServiceClient[]> = {
  expects:
    'a JSON list of {"id","secrets_sha256":[1-2 hex digests],"role":"service"|"bot","audiences":[..],"scopes":["all"] or some of identity, introspect, events}',
  secret: true,
  fallback: [],
  read: readClients,
};
