import { onlyPage, succeeds } from '../../../examples';

const body = {
  code: 'LEBARAN',
  kind: 'percent',
  value: 10,
  max_discount: 50_000,
  usage_limit: 100,
  per_contact_limit: 1,
};
const coupon = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000201', auto: false, buy_qty: 0, get_qty: 0, min_subtotal: 0 },
  ...{
    starts_at: null,
    ends_at: '2026-03-31T17:00:00.000Z',
    used_count: 0,
    scope: { product_ids: [], category_ids: [] },
  },
  ...body,
  status: 'active',
};
const items = [{ variant_id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530', qty: 2 }];

export const couponExamples = {
  list: succeeds('all of a store', [coupon], { meta: onlyPage(1) }),
  create: succeeds('until the end of March', coupon, {
    status: 201,
    message: 'Coupon created',
    request: { ...body, ends_at: '2026-04-01T00:00:00+07:00' },
  }),
  show: succeeds('with its uses', coupon),
  change: succeeds(
    'paused',
    { ...coupon, status: 'paused' },
    { message: 'Coupon updated', request: { status: 'paused' } },
  ),
  archive: succeeds('one that is not wanted any more', null, { message: 'Coupon archived' }),
  validate: succeeds(
    'two pairs of shoes',
    { valid: true, discount: 50_000, reason: null },
    { request: { code: 'LEBARAN', items, contact_phone: '6281234567890' } },
  ),
  usages: succeeds(
    'the only order so far',
    [
      {
        ...{ order_id: '0199f7a0-0000-7000-8000-000000000202', order_number: 'INV-260301-7K3QX9' },
        ...{ phone: '6281234567890', amount: 50_000, state: 'held', at: '2026-03-01T08:00:00.000Z' },
      },
    ],
    { meta: { next_cursor: null } },
  ),
} as const;
