import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { before, nowOf, since } from '../../../moment';
import { boughtBySeen, type Seen } from '../../sales/sight/public';
import { AbandonedQuery, type AbandonedCart } from './abandoned.dto';

type Times = 'created_at' | 'abandoned_at' | 'reminded_at';
type Stored = Omit<AbandonedCart, Times | 'total'> & {
  readonly total: string;
  readonly created_at: Date;
  readonly abandoned_at: Date;
  readonly reminded_at: Date | null;
};

const read = ({ total, created_at, abandoned_at, reminded_at, ...row }: Stored): AbandonedCart => ({
  ...row,
  total: bigintNumber.from(total),
  created_at: created_at.toISOString(),
  abandoned_at: abandoned_at.toISOString(),
  reminded_at: reminded_at?.toISOString() ?? null,
});

class AbandonedSeen extends AbandonedQuery implements Seen {
  seen!: readonly string[] | undefined;
}

export const abandonedListing = listingOf(AbandonedSeen, {
  from: 'checkout_session s',
  tenant: 's.store_id',
  only: `s.state = 'abandoned'`,
  select: `s.id, s.buyer, s.lines, s.total, s.created_at, s.abandoned_at, s.reminded_at,
    (SELECT t.currency FROM store t WHERE t.store_id = s.store_id) AS currency,
    (SELECT json_build_object('id', l.id, 'name', l.name) FROM checkout_link l
      WHERE l.store_id = s.store_id AND l.id = s.link_id) AS link`,
  sort: { abandoned_at: 's.abandoned_at', total: 's.total' },
  usualSort: '-abandoned_at',
  tie: 's.id',
  where: {
    from: since('s.abandoned_at'),
    to: before('s.abandoned_at'),
    reminded: '(s.reminded_at IS NOT NULL) = ?',
    seen: (numbers) => boughtBySeen('s.buyer', numbers),
  },
  read,
});

/** Few enough that nobody who changes a cart waits long. */
const STEP = 500;

const NOW = nowOf('$1');
/** A cart that is being written to is passed over: it is not abandoned. One that was a moment ago has moved, and is looked at next time. */
export const ABANDON = `
  UPDATE checkout_session SET state = 'abandoned', abandoned_at = ${NOW}, updated_at = ${NOW}
  WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM checkout_session WHERE state = 'open' AND abandon_at IS NOT NULL AND abandon_at <= ${NOW}
    ORDER BY abandon_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** The job: carts of all stores that nobody has changed for as long as their store waits. */
export const abandonIdle = async (sql: Sql, at: Date, signal?: AbortSignal): Promise<void> => {
  for (let found = STEP; found === STEP && !signal?.aborted;)
    found = (await sql.query<{ id: string }>(ABANDON, [at])).length;
};
