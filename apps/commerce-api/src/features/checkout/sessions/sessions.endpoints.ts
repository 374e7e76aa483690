import { area, dataOf, listOf, Reply, type Endpoint, type Shaped } from '@platform/http';
import { ofSlug, rowEndpoint } from '../../../endpoint';
import { couponRefusals } from '../../sales/coupons/public';
import { methodRefusals } from '../../paying/methods/public';
import { orderRefusals } from '../../sales/orders/public';
import { RateOption, rateRefusals } from '../../shipping/rates/public';
import { stockRefusals } from '../../stock/levels/public';
import { placedSession, type PayPages } from './pay-link';
import { placeSession, type PlacingParts } from './place-session';
import { sessionRefusals, sessionToken, type SessionKey } from './session';
import {
  CartView,
  NewSession,
  PlacedSession,
  SessionBuyer,
  SessionCoupon,
  SessionItems,
  SessionPlacing,
  SessionShipping,
  SessionStatus,
  StartedCart,
} from './sessions.dto';
import type { Sessions } from './sessions.service';

const A_MINUTE = { perSeconds: 60, by: 'address' } as const;
/** The token is in the path: neither a cache nor the next page may learn it. */
const PRIVATE = { headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } };
const namedIn = ({ store_slug, link_code }: NewSession): string => ofSlug(store_slug ?? link_code);
const hidden = async <Value extends object>(value: Promise<Value>) => new Reply(await value, PRIVATE);

const endpoint = rowEndpoint.withDefaults({
  params: { token: sessionToken },
  rate: { requests: 60, ...A_MINUTE },
  // The buyers of one store leave the others their turn, as its staff does
  tenantOf: ({ params }) => (params.token as SessionKey | undefined)?.storeId,
  refuses: [sessionRefusals.unknown],
});
const CART: Shaped<CartView> = dataOf(CartView);
const CHANGING = [sessionRefusals.placed, sessionRefusals.expired] as const;

const cart = (sessions: Sessions): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Start cart from store or link',
    guard: 'none',
    status: 201,
    rate: { requests: 20, ...A_MINUTE },
    tenantOf: ({ body }) => namedIn(body as NewSession),
    body: NewSession,
    reply: dataOf(StartedCart, 'Cart created'),
    handle: ({ body }) => hidden(sessions.start(body)),
  }),
  endpoint({
    get: '/{token}',
    summary: 'Cart with totals and methods',
    guard: 'link',
    reply: CART,
    handle: ({ params }) => hidden(sessions.show(params.token)),
  }),
  endpoint({
    put: '/{token}/items',
    summary: 'Set cart lines',
    guard: 'link',
    body: SessionItems,
    reply: CART,
    refuses: CHANGING,
    handle: ({ params, body }) => hidden(sessions.setItems(params.token, body.items)),
  }),
  endpoint({
    put: '/{token}/address',
    summary: 'Set buyer contact and address',
    guard: 'link',
    body: SessionBuyer,
    reply: CART,
    refuses: CHANGING,
    handle: ({ params, body }) => hidden(sessions.setBuyer(params.token, body)),
  }),
  endpoint({
    get: '/{token}/shipping-rates',
    summary: 'Shipping options for the cart',
    guard: 'link',
    reply: listOf(RateOption),
    refuses: CHANGING,
    handle: ({ params, address }) => hidden(sessions.rates(params.token, address)),
  }),
  endpoint({
    put: '/{token}/shipping',
    summary: 'Choose shipping option',
    guard: 'link',
    body: SessionShipping,
    reply: CART,
    refuses: [...CHANGING, rateRefusals.quoteExpired],
    handle: ({ params, body }) => hidden(sessions.setShipping(params.token, body)),
  }),
  endpoint({
    post: '/{token}/coupon',
    summary: 'Apply coupon',
    guard: 'link',
    body: SessionCoupon,
    reply: CART,
    refuses: [...CHANGING, couponRefusals.unavailable],
    handle: ({ params, body }) => hidden(sessions.setCoupon(params.token, body.code)),
  }),
  endpoint({
    delete: '/{token}/coupon',
    summary: 'Remove coupon',
    guard: 'link',
    reply: CART,
    refuses: CHANGING,
    handle: ({ params }) => hidden(sessions.setCoupon(params.token, undefined)),
  }),
  endpoint({
    get: '/{token}/status',
    summary: 'Poll order payment status',
    guard: 'link',
    reply: dataOf(SessionStatus),
    handle: ({ params }) => hidden(sessions.status(params.token)),
  }),
];

const placing = (parts: PlacingParts, pages: PayPages): Endpoint =>
  endpoint({
    post: '/{token}/place',
    summary: 'Place order, reserve stock, get URL',
    guard: 'link',
    status: 201,
    idempotency: 'optional',
    body: SessionPlacing,
    reply: dataOf(PlacedSession, 'Order created'),
    refuses: [
      ...[sessionRefusals.expired, sessionRefusals.storeClosed, stockRefusals.outOfStock],
      ...[couponRefusals.unavailable, orderRefusals.totalChanged, orderRefusals.noWarehouse, rateRefusals.quoteExpired],
      methodRefusals.noProvider,
    ],
    handle: ({ params, body, address, once }) =>
      once(async (tx) => {
        const order = await placeSession(tx, parts, { key: params.token, ip: address, body });
        return new Reply(placedSession(pages, order), PRIVATE);
      }),
  });

export const sessionsEndpoints = (sessions: Sessions, parts: PlacingParts, pages: PayPages): Endpoint[] =>
  area({ prefix: '/api/checkout/session', tag: 'E-commerce' }, [...cart(sessions), placing(parts, pages)]);
