import { createHash } from 'node:crypto';
import { idOf } from '../shop/public';
import type { Rows } from './rows';
import { DAY_MS, later, type Scene } from './scene';

/** A domain that nobody has pointed here, and a pixel that only browsers tell: the demo shop sends nothing outside. */
export const addOutside = (rows: Rows, { storeId, now }: Scene): void => {
  const since = later(now, -5 * DAY_MS);
  const times = { created_at: since, updated_at: since };
  const token = createHash('sha256').update(`domain of ${storeId}`).digest('hex').slice(0, 32);
  rows.add('domain_binding', {
    ...{ store_id: storeId, id: idOf(storeId, 'domain', 'nusa-sepatu.co.id'), host: 'nusa-sepatu.co.id' },
    ...{
      status: 'failed',
      failure: 'not_verified',
      txt_token: `verify-${token}`,
      txt_found: true,
      target_found: false,
    },
    ...{ missing_since: since, checked_at: later(now, -2 * DAY_MS), ...times },
  });
  rows.add('pixel', {
    ...{ store_id: storeId, id: idOf(storeId, 'pixel', 'meta'), kind: 'meta', pixel_ref: '600770000000002' },
    ...{ events: ['page_view', 'add_to_cart', 'purchase'], ...times },
  });
};
