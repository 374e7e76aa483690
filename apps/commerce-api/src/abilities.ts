import type { Claims, Role } from '@platform/contracts';
import type { catalogueAbilities } from './features/catalogue/catalogue.abilities';
import type { stockAbilities } from './features/stock/stock.abilities';

/** What a caller may do: `area.verb` (design section 6). Every area has its own. */
export type Ability = (typeof catalogueAbilities | typeof stockAbilities)[number];

/** Somebody with a token, acting in one store. */
export interface Caller {
  readonly storeId: string;
  /** User id, or `svc:<client>`. */
  readonly actor: string;
  readonly role: Role;
  readonly isService: boolean;
}

/** A user with a login, not a service or an API token: may do what concerns the login itself. */
export interface SignedIn {
  readonly token: string;
  readonly claims: Claims;
}

/** "Abilities of services are a constant in code" (design section 6). chat-backend and ads-client have none. */
const OF_SERVICES: Readonly<Record<string, readonly Ability[]>> = {
  'svc:bot-engine': ['product.read'],
  'svc:store-auth': ['product.read'],
};

export const isService = ({ role }: Claims): boolean => role === 'service' || role === 'bot';

/** Every member of a store may read its products; roles with fewer abilities come with the team module. */
export const mayDo = (claims: Claims, ability: Ability): boolean =>
  !isService(claims) || (OF_SERVICES[claims.sub] ?? []).includes(ability);
