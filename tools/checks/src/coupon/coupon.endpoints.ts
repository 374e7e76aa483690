import type { Database, Transaction } from '@platform/data';
import { area, dataOf, done, endpointsOf, pageOf, uuid, type Endpoint } from '@platform/http';
import { Coupon, CouponChange, CouponsQuery, NewCoupon, type Caller } from './coupon.dto';
import { auditOf, COUPON_FILE, refusals, usedOnceMore } from './coupon.rules';
import { changeCoupon, couponById, couponListing, createCoupon, deleteCoupon } from './coupon.sql';

const shared = { unknownKeys: 'refuse', params: { id: uuid } } as const;
const endpoint = endpointsOf<Record<'coupon.read' | 'coupon.write', Caller>, Transaction>().withDefaults(shared);

export const couponEndpoints = (database: Database): Endpoint[] =>
  area({ prefix: '/api/coupon', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'List coupons',
      guard: 'coupon.read',
      query: CouponsQuery,
      reply: pageOf(Coupon),
      handle: ({ caller, query }) => couponListing.page(database, caller.storeId, query),
    }),
    endpoint({
      get: '/export',
      summary: 'Coupons as a CSV file',
      guard: 'coupon.read',
      query: CouponsQuery,
      reply: COUPON_FILE,
      handle: ({ caller, query, signal }) => couponListing.stream(database, caller.storeId, query, { signal }),
    }),
    endpoint({
      post: '',
      summary: 'Create a coupon',
      guard: 'coupon.write',
      status: 201,
      body: NewCoupon,
      reply: dataOf(Coupon, 'Coupon created'),
      refuses: [refusals.codeTaken],
      handle: (input) => database.tx((tx) => createCoupon(tx, auditOf(input), input.body)),
    }),
    endpoint({
      get: '/{id}',
      summary: 'One coupon',
      guard: 'coupon.read',
      reply: dataOf(Coupon),
      handle: ({ caller, params }) => couponById(database, caller.storeId, params.id),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Change a coupon',
      guard: 'coupon.write',
      body: CouponChange,
      reply: dataOf(Coupon, 'Coupon updated'),
      handle: (input) => database.tx((tx) => changeCoupon(tx, auditOf(input), input.params.id, () => input.body)),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete a coupon',
      guard: 'coupon.write',
      reply: done('Coupon deleted'),
      handle: (input) => database.tx((tx) => deleteCoupon(tx, auditOf(input), input.params.id)),
    }),
    endpoint({
      post: '/{id}/redeem',
      summary: 'Redeem a coupon, once a key',
      guard: 'coupon.write',
      idempotency: 'required',
      reply: dataOf(Coupon, 'Coupon redeemed'),
      refuses: [refusals.paused, refusals.usedUp],
      handle: (input) => input.once((tx) => changeCoupon(tx, auditOf(input), input.params.id, usedOnceMore)),
    }),
  ]);
