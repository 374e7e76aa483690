import { listingOf, type Sql, type Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { StaffMessage } from '../../../live/public';
import { refusals } from '../../../refusals';
import { MessagesQuery, RoomsQuery, type NewRoom, type Room } from './rooms.dto';

const MOST_ROOMS = 200;

export const roomRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_ROOMS} rooms`, { code: 'too_many_rooms' }),
} as const;

class OwnRooms extends RoomsQuery {
  user!: string;
}

type RoomRow = Omit<Room, 'created_at'> & { readonly created_at: Date };
const roomOf = ({ created_at, ...room }: RoomRow): Room => ({ ...room, created_at: created_at.toISOString() });

const ROOM = `r.id, r.name, r.created_at, (
  SELECT coalesce(json_agg(json_build_object('user_id', m.user_id, 'name', p.name) ORDER BY m.user_id), '[]')
  FROM staff_room_member m LEFT JOIN person p ON p.user_id = m.user_id
  WHERE m.store_id = r.store_id AND m.room_id = r.id) AS members`;

/** The rooms that somebody is in. */
export const roomListing = listingOf(OwnRooms, {
  from: 'staff_room_member o JOIN staff_room r ON r.store_id = o.store_id AND r.id = o.room_id',
  tenant: 'o.store_id',
  select: ROOM,
  sort: { name: 'r.name' },
  usualSort: 'name',
  tie: 'r.id',
  where: { user: 'o.user_id = ?' },
  read: roomOf,
});

/** As they are until the transaction ends: who leaves meanwhile leaves the room too. */
const ACTIVE = `SELECT m.user_id AS id FROM membership m
  WHERE m.store_id = $1 AND m.status = 'active' AND m.user_id = ANY ($2::uuid[])
  ORDER BY m.user_id FOR KEY SHARE`;

/** Throws `InvalidInput` for what is no id, `NotFound` for who does not work here. */
const demandMembers = async (tx: Sql, storeId: string, ids: readonly string[]): Promise<void> => {
  const wrong = ids.findIndex((id) => !isUuid(id));
  const field = `user_ids[${wrong}]`;
  if (wrong >= 0) throw new InvalidInput([{ field, tag: 'uuid', message: `${field} must be a valid UUID` }]);
  const known = new Set((await tx.query<{ id: string }>(ACTIVE, [storeId, ids])).map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`user_ids[${unknown}]`, 'is not an active member of this store');
};

/** One at a time, so that the limit holds. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('rooms ' || $1, 0))`;
const OPEN = `
  WITH made AS (
    INSERT INTO staff_room (store_id, id, name, created_by, created_at, updated_at)
    SELECT $1::varchar, $2::uuid, $3, $4::uuid, $6, $6
    WHERE (SELECT count(*) FROM staff_room o WHERE o.store_id = $1) < ${MOST_ROOMS} RETURNING store_id, id
  )
  INSERT INTO staff_room_member (store_id, room_id, user_id)
  SELECT made.store_id, made.id, u.id FROM made CROSS JOIN unnest($5::uuid[]) AS u (id) RETURNING room_id`;

const BY_ID = `SELECT ${ROOM} FROM staff_room r WHERE r.store_id = $1 AND r.id = $2`;

/** For who is in it. Throws `NotFound`. */
export const roomById = async (sql: Sql, storeId: string, id: string): Promise<Room> => {
  const [row] = await sql.query<RoomRow>(BY_ID, [storeId, id]);
  if (!row) throw new NotFound('Room not found');
  return roomOf(row);
};

/** Throws `InvalidInput`, `NotFound`, `too_many_rooms`. */
export const openRoom = async (tx: Sql, { storeId, actor, at }: By, { name, user_ids }: NewRoom): Promise<Room> => {
  await demandMembers(tx, storeId, user_ids);
  await tx.query(TURN, [storeId]);
  const members = [...new Set([actor, ...user_ids].map((id) => id.toLowerCase()))];
  const id = uuidv7();
  if ((await tx.query(OPEN, [storeId, id, name, actor, members, at])).length === 0) throw roomRefusals.tooMany();
  return roomById(tx, storeId, id);
};

const HEARERS = `
  SELECT h.user_id AS id FROM staff_room_member o
    JOIN staff_room_member h ON h.store_id = o.store_id AND h.room_id = o.room_id
    JOIN membership m ON m.store_id = h.store_id AND m.user_id = h.user_id AND m.status = 'active'
  WHERE o.store_id = $1 AND o.user_id = $2 AND o.room_id = $3`;

/** Who works here and is in a room, the asker among them. Throws `NotFound` for who is not in it, as for a room that does not exist. */
export const hearersOf = async (
  sql: Sql,
  { storeId, actor }: Pick<By, 'storeId' | 'actor'>,
  room: string,
): Promise<string[]> => {
  const rows = await sql.prepared<{ id: string }>('room hearers', HEARERS, [storeId, actor, room]);
  if (rows.length === 0) throw new NotFound('Room not found');
  return rows.map(({ id }) => id);
};

class MessagesOfRoom extends MessagesQuery {
  room!: string;
}

type MessageRow = Omit<StaffMessage, 'created_at'> & { readonly created_at: Date };
const messageOf = ({ created_at, ...row }: MessageRow): StaffMessage => ({
  ...row,
  created_at: created_at.toISOString(),
});

/** The newest first. */
export const messageListing = listingOf(MessagesOfRoom, {
  from: 'staff_message m LEFT JOIN person p ON p.user_id = m.user_id',
  tenant: 'm.store_id',
  select: 'm.id, m.user_id, p.name, m.text, m.media_id, m.created_at',
  sort: { created_at: 'm.created_at' },
  usualSort: '-created_at',
  tie: 'm.id',
  where: { room: 'm.room_id = ?' },
  read: messageOf,
});

const POST = `
  WITH made AS (
    INSERT INTO staff_message (store_id, id, room_id, user_id, text, media_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *
  )
  SELECT m.id, m.user_id, p.name, m.text, m.media_id, m.created_at FROM made m LEFT JOIN person p ON p.user_id = m.user_id`;

export const postMessage = async (
  tx: Transaction,
  { storeId, actor, at }: By,
  { room, text, media_id }: { readonly room: string; readonly text: string; readonly media_id?: string | undefined },
): Promise<StaffMessage> => {
  const [row] = await tx.query<MessageRow>(POST, [storeId, uuidv7(), room, actor, text, media_id ?? null, at]);
  return messageOf(row as MessageRow);
};
