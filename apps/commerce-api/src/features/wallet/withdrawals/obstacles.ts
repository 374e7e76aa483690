import type { Sql } from '@platform/data';
import { mostAt } from '../accounts/public';
import type { PayoutTarget } from '../accounts/public';
import { balancesOf } from '../../ledger/postings/public';
import type { Obstacle } from './withdrawals.dto';

/** What of a store decides whether money may leave. */
export interface Standing {
  readonly currency: string;
  readonly kyc_status: string | null;
  readonly pin_hash: string | null;
  readonly pin_locked_until: Date | null;
  readonly hold_until: Date | null;
  /** Of today on the store's clock, without what came back. */
  readonly withdrawn_today: string;
}

const STANDING = `
  SELECT s.currency, s.kyc_status, w.pin_hash, w.pin_locked_until, w.hold_until,
    (SELECT coalesce(sum(d.amount), 0) FROM withdrawal d WHERE d.store_id = s.store_id
      AND d.status NOT IN ('cancelled', 'rejected', 'failed')
      AND d.created_at >= date_trunc('day', $2::timestamptz AT TIME ZONE s.timezone) AT TIME ZONE s.timezone) AS withdrawn_today
  FROM store s LEFT JOIN wallet w ON w.store_id = s.store_id WHERE s.store_id = $1`;

export const standingOf = async (sql: Sql, storeId: string, at: Date): Promise<Standing> => {
  const [standing] = (await sql.query<Standing>(STANDING, [storeId, at])) as [Standing];
  return standing;
};

const isPast = (moment: Date | null, at: Date): boolean => moment === null || moment <= at;

/** What keeps this account from being paid. */
export const obstaclesOfAccount = (
  { verified_at, usable_from, bank_code }: PayoutTarget,
  amount: number,
  at: Date,
): Obstacle[] => [
  ...(verified_at === null ? (['account_unverified'] as const) : []),
  ...(verified_at !== null && !isPast(usable_from, at) ? (['account_too_new'] as const) : []),
  ...(amount > mostAt(bank_code) ? (['amount_too_large'] as const) : []),
];

/** What keeps this store from withdrawing at all. */
export const obstaclesOfStore = (standing: Standing, at: Date): Obstacle[] => [
  ...(standing.kyc_status === 'approved' ? [] : (['kyc_required'] as const)),
  ...(standing.pin_hash === null ? (['pin_not_set'] as const) : []),
  ...(isPast(standing.pin_locked_until, at) ? [] : (['pin_locked'] as const)),
  ...(isPast(standing.hold_until, at) ? [] : (['withdraw_hold'] as const)),
];

export const isCovered = async (sql: Sql, storeId: string, currency: string, sum: number): Promise<boolean> =>
  (await balancesOf(sql, storeId, currency)).wallet_available >= sum;
