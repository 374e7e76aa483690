import { listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { EventsQuery, type ProviderEvent } from './events.dto';

const COLUMNS =
  'e.id, e.received_at, e.provider, e.dedupe_key, e.signature_ok, e.outcome, e.duration_ms, e.attempts, e.error';

type Row = Omit<ProviderEvent, 'at'> & { readonly received_at: Date };

const read = ({ received_at, ...rest }: Row): ProviderEvent => ({ at: received_at.toISOString(), ...rest });

/** Of one store; those that name none are nobody's. */
export const eventListing = listingOf(EventsQuery, {
  from: 'webhook_event e',
  tenant: 'e.store_id',
  select: COLUMNS,
  sort: { at: 'e.received_at' },
  usualSort: '-at',
  tie: 'e.id',
  where: { provider: 'e.provider = ?', outcome: 'e.outcome = ?', signature_ok: 'e.signature_ok = ?' },
  read,
});

/** Throws `NotFound`, also for one of another store. */
export const eventById = async (sql: Sql, storeId: string, id: string): Promise<ProviderEvent> => {
  const statement = `SELECT ${COLUMNS} FROM webhook_event e WHERE e.store_id = $1 AND e.id = $2`;
  const [row] = await sql.query<Row>(statement, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Event not found');
};
