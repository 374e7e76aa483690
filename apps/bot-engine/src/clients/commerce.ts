import { signInternalCall, type ServiceTokens } from '@platform/auth';
import { peer, type HttpClient, type PeerOptions } from '@platform/http';
import { systemClock, type Clock } from '@platform/runtime';
import { NotAvailable, type CommerceClient } from './commerce.client';
import { CommerceLine } from './commerce.line';
import { orderCalls } from './commerce.orders';
import { COMMERCE_REFUSALS } from './commerce.refusals';
import { shopCalls } from './commerce.shop';

const NAME = 'commerce-api';
const SERVICE = 'bot-engine';
/** A whole share of hanging calls of one store does not open it for the others. */
const BREAKER = { failures: 20 };

const common: PeerOptions = {
  timeoutMs: 5_000,
  breaker: BREAKER,
  absence: { retryAfterSeconds: 5 },
  refusals: COMMERCE_REFUSALS,
  fieldErrors: true,
};

/** A signature is good once: no instant is given out twice in this process. */
const instants = (clock: Clock): Clock => {
  let last = 0;
  return {
    now: () => {
      last = Math.max(clock.now().getTime(), last + 1);
      return new Date(last);
    },
  };
};

const nowhere = (why: string) => () => Promise.reject(new NotAvailable(why));

/** Without an address the bot knows no products, orders or parcels. */
export const noCommerce = (): CommerceClient => {
  const call = nowhere('COMMERCE_URL is not set');
  const shop = { store: call, products: call, productsOf: call, stock: call, destinations: call, rates: call };
  return { ...shop, waybill: call, dryRun: call, createCheckout: call, orderStatus: call };
};

export interface CommerceParts {
  readonly http: HttpClient;
  readonly tokens: ServiceTokens;
  /** Of ENGINE_BOT_SECRET; undefined: nothing can be ordered. During a rotation the first of its list signs. */
  readonly secret: string | undefined;
  readonly clock?: Clock;
}

/**
 * commerce-api over HTTP (design 2.8). For a store by our service token without one and `X-Store-Id`; orders by the HMAC of
 * internal calls, every try signed afresh.
 */
export const httpCommerce = ({ http, tokens, secret, clock = systemClock }: CommerceParts): CommerceClient => {
  const shop = new CommerceLine(peer(NAME, http, { ...common, token: () => tokens.for(NAME) }));
  const [key] = (secret ?? '').split(',').map((each) => each.trim());
  if (!key) {
    const call = nowhere('ENGINE_BOT_SECRET is not set');
    return { ...shopCalls(shop), dryRun: call, createCheckout: call, orderStatus: call };
  }
  const signing = { service: SERVICE, secret: key, clock: instants(clock) };
  const orders = new CommerceLine(peer(NAME, http, { ...common, sign: (call) => signInternalCall(signing, call) }));
  return { ...shopCalls(shop), ...orderCalls(orders) };
};
