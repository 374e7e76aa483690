import { listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { PixelKind } from '../../../clients/pixel.port';
import { PixelEventsQuery, type Pixel, type PixelEventRow } from './pixels.dto';

export interface PixelRow {
  readonly id: string;
  readonly kind: PixelKind;
  readonly pixel_ref: string;
  readonly token_enc: string | null;
  readonly events: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What a store has, and of how many one purchase is told. */
export const MOST_PIXELS = 20;
export const COLUMNS = 'p.id, p.kind, p.pixel_ref, p.token_enc, p.events, p.created_at, p.updated_at';
export const PIXELS = `SELECT ${COLUMNS} FROM pixel p WHERE p.store_id = $1 ORDER BY p.created_at, p.id`;

/** Sealed or not, the token stays here. */
export const shownPixel = ({ token_enc, created_at, updated_at, ...row }: PixelRow): Pixel => ({
  ...row,
  token_set: token_enc !== null,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** What people change of one, beside its token. */
export const editableOf = ({ kind, pixel_ref, events }: Pick<Pixel, 'kind' | 'pixel_ref' | 'events'>) => ({
  ...{ kind, pixel_ref, events },
});

export const pixelsOf = async (sql: Sql, storeId: string): Promise<Pixel[]> =>
  (await sql.query<PixelRow>(PIXELS, [storeId])).map(shownPixel);

/** Throws `NotFound`, also for one of another store. */
export const pixelById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<PixelRow> => {
  const one = `SELECT ${COLUMNS} FROM pixel p WHERE p.store_id = $1 AND p.id = $2 ${lock}`;
  const [row] = await sql.query<PixelRow>(one, [storeId, id]);
  if (!row) throw new NotFound('Pixel not found');
  return row;
};

type Stored = Omit<PixelEventRow, 'created_at' | 'done_at'> & {
  readonly created_at: Date;
  readonly done_at: Date | null;
};

class EventsOfPixel extends PixelEventsQuery {
  pixel_id!: string;
}

export const pixelEventListing = listingOf(EventsOfPixel, {
  from: 'pixel_event e',
  tenant: 'e.store_id',
  select: 'e.id, e.name, e.event_id, e.status, e.attempts, e.answer, e.created_at, e.done_at',
  sort: { created_at: 'e.created_at' },
  usualSort: '-created_at',
  tie: 'e.id',
  where: { pixel_id: 'e.pixel_id = ?', status: 'e.status = ?' },
  read: ({ created_at, done_at, ...row }: Stored): PixelEventRow => ({
    ...row,
    created_at: created_at.toISOString(),
    done_at: done_at?.toISOString() ?? null,
  }),
});
