import { jwtGuard, keysNotLoaded, type TokenVerifier } from '@platform/auth';
import { Forbidden, InvalidInput, Unauthenticated, type Failure } from '@platform/errors';
import type { Guard, RequestView } from '@platform/http';

/** The only service that may call `/internal/*`. */
const CALLER = 'svc:commerce-api';

/** commerce-api, in the name of one of its stores. */
export interface InternalCaller {
  readonly kind: 'internal';
  readonly storeId: string;
  /** The user in whose name it calls; only for the record. */
  readonly actorId: string | undefined;
}

const ID = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

const refusedHeader = (name: string, problem: string): Failure =>
  new InvalidInput([{ field: name, tag: 'header', message: `${name} ${problem}` }]);

const headerOf = ({ headers }: RequestView, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  if (value === undefined || (typeof value === 'string' && ID.test(value))) return value;
  throw refusedHeader(name, 'is no id of at most 64 characters');
};

const otherStore = (): Failure => new Forbidden('The token belongs to another store');

/** Design 2.10: the claim, or `X-Store-Id` when it is empty. */
const storeOf = (own: string, request: RequestView): string => {
  const asked = headerOf(request, 'X-Store-Id');
  if (own && asked && own !== asked) throw otherStore();
  const storeId = own || asked;
  if (!storeId) throw refusedHeader('X-Store-Id', 'is a required header for a token without a store');
  return storeId;
};

/** The guard of `/internal/*`: a service token of commerce-api, whatever ALLOWED_IPS opens elsewhere. */
export const internalGuard = (verifier: TokenVerifier): Guard<InternalCaller> => {
  const principal = jwtGuard({ verifier });
  return {
    label: 'service',
    scheme: 'bearer',
    refuses: [keysNotLoaded, otherStore, 'invalid'],
    authenticate: async (request) => {
      const who = await principal(request);
      if (who.kind !== 'token' || who.claims.role !== 'service' || who.claims.sub !== CALLER)
        throw new Unauthenticated({ reason: 'invalid' });
      const storeId = storeOf(who.claims.store_id, request);
      return { kind: 'internal', storeId, actorId: headerOf(request, 'X-Actor-Id') };
    },
  };
};
