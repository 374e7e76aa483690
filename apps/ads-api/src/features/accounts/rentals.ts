import type { Database, Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';

/** `rental_expires_at` of a request; without an offset it is UTC. Throws `InvalidInput` for one that is over already. */
export const rentalEnd = (text: string | undefined, clock: Clock): Date | undefined => {
  if (text === undefined) return undefined;
  const hasZone = !text.includes('T') || /(Z|[+-]\d\d:\d\d)$/.test(text);
  const end = new Date(hasZone ? text : `${text}Z`);
  const field = 'rental_expires_at';
  if (!(end > clock.now()))
    throw new InvalidInput([{ field, tag: 'future', message: `${field} must be in the future` }]);
  return end;
};

/** In the transaction that ends a refund: the rental is over (design 2.5). */
export const endRental = async (tx: Sql, applicationId: string, accountId: string): Promise<void> => {
  await tx.prepared(
    'accounts.end-rental',
    `UPDATE ad_accounts SET rental_status = 'expired' WHERE application_id = $1 AND account_id = $2 AND deleted_at IS NULL`,
    [applicationId, accountId],
  );
};

const AT_ONCE = 1_000;
const EXPIRE = `
  UPDATE ad_accounts SET rental_status = 'expired' WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ad_accounts WHERE rental_status = 'active' AND rental_expires_at <= $1 AND deleted_at IS NULL
    ORDER BY rental_expires_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING account_id`;

/** Marks the rentals that are over; nothing is refunded by itself (design 1, row 23). */
export const expireRentals = async (database: Database, clock: Clock, logger: Logger): Promise<void> => {
  for (let count = AT_ONCE; count === AT_ONCE;) {
    const expired = await database.query(EXPIRE, [clock.now()]);
    count = expired.length;
    if (count > 0) logger.info('rentals are over', { count });
  }
};
