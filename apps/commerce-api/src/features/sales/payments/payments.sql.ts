import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { before, since } from '../../../moment';
import { ofSeenOrder, type Seen } from '../sight/public';
import { PaymentsQuery, type Payment, type PaymentEvent, type PaymentRow } from './payments.dto';

const ROW = `p.id, p.order_id, p.invoice_id, p.provider, p.invoice_number, p.provider_ref, p.channel, p.amount, p.fee, p.currency, p.status, p.url,
  p.expires_at, p.paid_at, p.review_reason, p.created_at`;

type Instants = 'expires_at' | 'paid_at' | 'created_at';
type Stored<T extends PaymentRow> = Omit<T, Instants> & {
  readonly expires_at: Date | null;
  readonly paid_at: Date | null;
  readonly created_at: Date;
};

const read = <T extends PaymentRow>(row: Stored<T>): T => {
  const times = {
    expires_at: row.expires_at?.toISOString() ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
  return {
    ...row,
    amount: bigintNumber.from(row.amount),
    fee: bigintNumber.from(row.fee),
    ...times,
  } as unknown as T;
};

class PaymentsSeen extends PaymentsQuery implements Seen {
  seen!: readonly string[] | undefined;
}

export const paymentListing = listingOf(PaymentsSeen, {
  from: 'payment p',
  tenant: 'p.store_id',
  select: ROW,
  sort: { created_at: 'p.created_at' },
  usualSort: '-created_at',
  tie: 'p.id',
  where: {
    // Index `payment_not_paid` holds all states but the one that most of them are in
    status: { sql: 'p.status = ?', weighed: true },
    provider: 'p.provider = ?',
    order_id: 'p.order_id = ?',
    seen: (numbers) => ofSeenOrder('p.order_id', numbers),
    from: since('p.created_at'),
    to: before('p.created_at'),
  },
  read: read<PaymentRow>,
});

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The payments of the order `o`, the first first, as the answers name them: for the statement that reads an order. */
export const PAYMENTS_OF_ORDER = `
  (SELECT coalesce(json_agg(json_build_object('id', p.id, 'order_id', p.order_id, 'invoice_id', p.invoice_id, 'provider', p.provider,
      'invoice_number', p.invoice_number, 'provider_ref', p.provider_ref, 'channel', p.channel, 'amount', p.amount, 'fee', p.fee,
      'currency', p.currency, 'status', p.status, 'url', p.url, 'expires_at', ${iso('p.expires_at')},
      'paid_at', ${iso('p.paid_at')}, 'review_reason', p.review_reason, 'created_at', ${iso('p.created_at')})
      ORDER BY p.attempt), '[]')
    FROM payment p WHERE p.store_id = $1 AND p.order_id = o.id)`;

const PAYMENT = `SELECT ${ROW},
    (SELECT coalesce(json_agg(json_build_object('at', ${iso('e.at')}, 'type', e.type, 'text', e.text, 'actor', e.actor) ORDER BY e.id), '[]')
      FROM payment_event e WHERE e.store_id = $1 AND e.payment_id = p.id) AS events
  FROM payment p WHERE p.store_id = $1 AND p.id = $2`;

/** Throws `NotFound`, also for a payment of another store. */
export const paymentById = async (sql: Sql, storeId: string, id: string): Promise<Payment> => {
  const [row] = await sql.query<Stored<Payment> & { readonly events: PaymentEvent[] }>(PAYMENT, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Payment not found');
};
