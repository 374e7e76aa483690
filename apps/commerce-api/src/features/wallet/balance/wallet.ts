import type { Sql } from '@platform/data';
import { balancesOf } from '../../ledger/postings/public';
import type { Wallet } from './balance.dto';

const STORE = `SELECT s.currency, s.kyc_status, w.pin_hash IS NOT NULL AS pin_set,
    CASE WHEN w.hold_until > $2 THEN w.hold_until END AS hold_until
  FROM store s LEFT JOIN wallet w ON w.store_id = s.store_id WHERE s.store_id = $1`;

interface Row extends Pick<Wallet, 'currency' | 'kyc_status' | 'pin_set'> {
  readonly hold_until: Date | null;
}

/** What a store has, and what it needs to withdraw it. */
export const walletOf = async (sql: Sql, storeId: string, at: Date): Promise<Wallet> => {
  const [{ hold_until, currency, ...row }] = (await sql.query<Row>(STORE, [storeId, at])) as [Row];
  const balances = await balancesOf(sql, storeId, currency);
  const { wallet_available: available, wallet_pending: pending, wallet_locked: locked } = balances;
  return { available, pending, locked, currency, ...row, withdraw_hold_until: hold_until?.toISOString() ?? null };
};
