import { equalSecrets, ipAllowlist, type AddressList } from '@platform/auth';
import { Unauthenticated, Unavailable } from '@platform/errors';
import { publicGuard, type Guard, type RequestView } from '@platform/http';
import { refusals } from './refusals';

export interface PerimeterSettings {
  /** Compared with `x-api-key`, when set. */
  readonly apiKey: string | undefined;
  readonly allowedIps: readonly string[];
  readonly production: boolean;
  /** The process is about to stop: what still comes over open connections is refused (design 3.8). */
  readonly isDraining: () => boolean;
}

const demandAddress = (request: RequestView, addresses: AddressList): void => {
  if (addresses.size > 0 && !addresses.has(request.address)) throw new Unauthenticated({ reason: 'missing' });
};

const demandKey = ({ headers }: RequestView, apiKey: string | undefined): void => {
  const key = headers['x-api-key'];
  if (apiKey && !(typeof key === 'string' && equalSecrets(key, apiKey)))
    throw new Unauthenticated({ reason: key === undefined ? 'missing' : 'invalid' });
};

/**
 * A GET that changes something is no business of link previews: Express answers HEAD with the GET handler, browsers fetch
 * links ahead of a click (design 1 row 14).
 */
const refuseAccidents = ({ method, headers }: RequestView): void => {
  if (method === 'HEAD') throw refusals.headRefused();
  const purpose = `${String(headers.purpose ?? '')} ${String(headers['sec-purpose'] ?? '')}`;
  if (purpose.includes('prefetch')) throw refusals.prefetchRefused();
};

/** Open by contract; the optional key and address list are the second line behind the network policy (design 6). */
export const createGuards = ({ apiKey, allowedIps, production, isDraining }: PerimeterSettings) => {
  const addresses = ipAllowlist(allowedIps, { setting: 'GATEWAY_ALLOWED_IPS', production });
  const awake = (): undefined => {
    if (isDraining()) throw new Unavailable('draining', { code: 'UNAVAILABLE' });
    return undefined;
  };
  const follow = (request: RequestView): undefined => {
    awake();
    demandAddress(request, addresses);
  };
  const enter = (request: RequestView): undefined => {
    follow(request);
    demandKey(request, apiKey);
  };
  const perimeter: Guard<undefined> = { label: 'perimeter', authenticate: enter };
  /** By a link that holds what nobody can guess: receivers of callbacks and browsers have it, and no key. */
  const linked: Guard<undefined> = { label: 'perimeter', authenticate: follow };
  const deliberate: Guard<undefined> = {
    label: 'perimeter',
    refuses: [refusals.headRefused, refusals.prefetchRefused],
    authenticate: (request) => {
      refuseAccidents(request);
      return enter(request);
    },
  };
  /** Reached from outside the perimeter: the handler verifies the signature over the body, which a guard does not see. */
  const signed: Guard<undefined> = { label: 'signed', scheme: 'signature', authenticate: awake };
  return { perimeter, linked, deliberate, signed, public: publicGuard };
};
