import type { AreaParts } from '../../../area';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, form, page } from '../../../web/page';
import { seenBy } from '../sight/public';
import { CouponEdit, CouponsQuery, NewCoupon, UsagesQuery } from './coupons.dto';
import { archiveCoupon, changeCoupon, couponById, couponListing, createCoupon, usageListing } from './coupons.sql';
import { couponTexts } from './coupons.texts';
import { CouponList, CouponsView, CouponView } from './coupons.view';

type Parts = Pick<AreaParts, 'database' | 'clock' | 'cursors'>;

const labels = (t: Reader) => {
  const say = couponTexts(t);
  return {
    ...{ code: say.code, kind: say.kind, value: say.value, buy_qty: say.buy, get_qty: say.get },
    ...{ min_subtotal: say.minSubtotal, usage_limit: say.usageLimit, per_contact_limit: say.perContact },
    status: say.status,
  };
};
const conflicts = {
  code_taken: { field: 'code', text: (t: Reader) => t.form.rules.unique({ label: couponTexts(t).code }) },
};

const list = ({ database }: Parts) =>
  page({
    get: '/coupons',
    ability: 'coupon.write',
    query: CouponsQuery,
    title: ({ t }) => t.nav.places.coupons,
    load: ({ viewer, query }) => couponListing.page(database, viewer.caller.storeId, query),
    view: CouponsView,
    fragments: { list: CouponList },
    ...{ labels, conflicts },
  });

const one = ({ database, cursors }: Parts) =>
  page({
    get: '/coupons/{id}',
    ability: 'coupon.write',
    back: '/coupons',
    title: ({ data }) => data.coupon.code,
    load: async ({ viewer: { caller }, params }) => {
      const coupon = await couponById(database, caller.storeId, params.id ?? '');
      const query = seenBy(caller, Object.assign(new UsagesQuery(), { coupon_id: coupon.id }));
      const { rows: usages } = await usageListing.feed(database, caller.storeId, query, cursors);
      return { coupon, usages };
    },
    view: CouponView,
    ...{ labels, conflicts },
  });

/** What the API's coupons are to people. */
export const couponsPages = (parts: Parts): Pages => {
  const { clock } = parts;
  const [all, single] = [list(parts), one(parts)];
  const to = (id: string) => `/coupons/${id}`;
  const created = form({
    ...{ post: '/coupons', ability: 'coupon.write', of: all },
    body: NewCoupon,
    run: ({ viewer, body, tx }) => createCoupon(tx, { caller: viewer.caller, clock }, body),
    done: ({ id, code }, { t }) => ({ to: to(id), flash: couponTexts(t).created({ code }) }),
  });
  const changed = actions({
    ...{ post: '/coupons/{id}', ability: 'coupon.write', of: single },
    on: {
      save: action({
        body: CouponEdit,
        run: ({ viewer, params, body: { seen, ...change }, tx }) =>
          changeCoupon(tx, { caller: viewer.caller, clock }, params.id ?? '', change, seen),
        done: ({ id, code }, { t }) => ({ to: to(id), flash: couponTexts(t).saved({ code }) }),
      }),
      archive: action({
        run: ({ viewer, params, tx }) => archiveCoupon(tx, { caller: viewer.caller, clock }, params.id ?? ''),
        done: (_, { t }) => ({ to: '/coupons', flash: couponTexts(t).archived }),
      }),
    },
  });
  return (kit) => [all, created, single, changed].flatMap((pages) => pages(kit));
};
