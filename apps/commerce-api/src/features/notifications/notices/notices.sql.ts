import { listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Flag } from '@platform/validation';
import type { Note } from '../../../live/public';
import type { NoticeEvent } from '../../../notice.types';
import { PageQuery } from '../../../paging';
import type { Member } from '../preferences/public';

export class NotificationsQuery extends PageQuery {
  @Flag({ optional: true }) unread?: boolean;
}

/** A member, and what they may be told of now. */
export interface Reader extends Member {
  readonly events: readonly NoticeEvent[];
}

/** Of one member. */
class OwnNotifications extends NotificationsQuery {
  user!: string;
  events!: readonly NoticeEvent[];
}

export type NoteRow = Omit<Note, 'read_at' | 'created_at'> & {
  readonly read_at: Date | null;
  readonly created_at: Date;
};

export const NOTE = 'n.id, n.event, n.title, n.body, n.url, n.read_at, n.created_at';
export const noteOf = ({ read_at, created_at, ...row }: NoteRow): Note => ({
  ...row,
  read_at: read_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
});

/** What somebody was told when they might do more is hidden while they may not; what they were told by name is not. */
const isFor = (events: string): string => `(n.named OR n.event = ANY (${events}::text[]))`;

export const noteListing = listingOf(OwnNotifications, {
  from: 'notification n',
  tenant: 'n.store_id',
  select: NOTE,
  only: 'n.in_app',
  sort: { created_at: 'n.created_at' },
  usualSort: '-created_at',
  tie: 'n.id',
  where: { user: 'n.user_id = ?', events: isFor, unread: (value) => `(n.read_at IS NULL) = ${value}` },
  read: noteOf,
});

export const UNREAD = `SELECT count(*)::int AS unread FROM notification n
  WHERE n.store_id = $1 AND n.user_id = $2 AND n.in_app AND n.read_at IS NULL AND ${isFor('$3')}`;

/** Counted, never kept: it cannot be wrong. */
export const unreadOf = async (sql: Sql, { storeId, userId, events }: Reader): Promise<number> => {
  const [row] = await sql.prepared<{ unread: number }>('notifications unread', UNREAD, [storeId, userId, events]);
  return row?.unread ?? 0;
};

const READ = `UPDATE notification n SET read_at = coalesce(n.read_at, $4)
  WHERE n.store_id = $1 AND n.user_id = $2 AND n.id = $3 AND n.in_app AND ${isFor('$5')} RETURNING ${NOTE}`;

/** Throws `NotFound`, also for somebody else's. */
export const readOne = async (sql: Sql, { storeId, userId, events }: Reader, id: string, at: Date): Promise<Note> => {
  const [row] = await sql.query<NoteRow>(READ, [storeId, userId, id, at, events]);
  if (row) return noteOf(row);
  throw new NotFound('Notification not found');
};

const READ_ALL = `UPDATE notification n SET read_at = $3
  WHERE n.store_id = $1 AND n.user_id = $2 AND n.in_app AND n.read_at IS NULL AND ${isFor('$4')}`;

export const readAll = async (sql: Sql, { storeId, userId, events }: Reader, at: Date): Promise<void> => {
  await sql.query(READ_ALL, [storeId, userId, at, events]);
};
