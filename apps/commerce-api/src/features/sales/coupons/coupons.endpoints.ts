import { area, cursorPage, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { cartLines } from '../carts/public';
import { tryCoupon } from './coupon-check';
import { seenBy } from '../sight/public';
import { couponRefusals } from './coupon.rules';
import {
  Coupon,
  CouponChange,
  CouponsQuery,
  CouponTest,
  CouponUsage,
  CouponVerdict,
  NewCoupon,
  UsagesQuery,
} from './coupons.dto';
import { archiveCoupon, changeCoupon, couponById, couponListing, createCoupon, usageListing } from './coupons.sql';

type Parts = Pick<AreaParts, 'database' | 'clock' | 'cursors'>;

const reads = ({ database, cursors }: Parts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List coupons',
    guard: 'member',
    query: CouponsQuery,
    reply: pageOf(Coupon),
    refuses: [],
    handle: ({ caller, query }) => couponListing.page(database, caller.storeId, query),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Coupon with rules and usage',
    guard: 'member',
    reply: dataOf(Coupon),
    refuses: ['notFound'],
    handle: ({ caller, params }) => couponById(database, caller.storeId, params.id),
  }),
  endpoint({
    get: '/{id}/usages',
    summary: 'Orders that used the coupon',
    guard: 'member',
    query: UsagesQuery,
    reply: cursorPage(CouponUsage),
    refuses: ['notFound'],
    handle: async ({ caller, params, query }) => {
      const { id: coupon_id } = await couponById(database, caller.storeId, params.id);
      return usageListing.feed(database, caller.storeId, seenBy(caller, { ...query, coupon_id }), cursors);
    },
  }),
];

const writes = ({ database, clock }: Parts): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Create coupon',
    guard: 'coupon.write',
    status: 201,
    body: NewCoupon,
    reply: dataOf(Coupon, 'Coupon created'),
    refuses: ['notFound', couponRefusals.codeTaken],
    handle: ({ caller, body }) => database.tx((tx) => createCoupon(tx, { caller, clock }, body)),
  }),
  endpoint({
    post: '/validate',
    summary: 'Test coupon against a cart',
    guard: 'coupon.write',
    body: CouponTest,
    reply: dataOf(CouponVerdict),
    refuses: ['notFound'],
    handle: async (input) => {
      const { code, items, contact_phone } = input.body;
      const lines = await cartLines(database, input.caller.storeId, items);
      return tryCoupon(database, byOf(clock)(input), code, lines, contact_phone);
    },
  }),
  endpoint({
    put: '/{id}',
    summary: 'Update or pause coupon',
    guard: 'coupon.write',
    body: CouponChange,
    reply: dataOf(Coupon, 'Coupon updated'),
    refuses: ['notFound'],
    handle: ({ caller, params, body }) => database.tx((tx) => changeCoupon(tx, { caller, clock }, params.id, body)),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Archive coupon',
    guard: 'coupon.write',
    reply: done('Coupon archived'),
    refuses: ['notFound'],
    handle: ({ caller, params }) => database.tx((tx) => archiveCoupon(tx, { caller, clock }, params.id)),
  }),
];

export const couponsEndpoints = (parts: Parts): Endpoint[] =>
  area({ prefix: '/api/coupon', tag: 'E-commerce' }, [...reads(parts), ...writes(parts)]);
