import { listingOf, type Database, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { refusals } from '../../../refusals';
import { devicesOfTeams, hasDevices } from '../../devices/public';
import { ChatTeamsQuery, type ChatTeamChange, type ChatTeamRow, type NewChatTeam } from './chat-teams.dto';

const MOST_TEAMS = 100;
const COLUMNS = 't.id, t.name, t.kind, t.private, t.distribution, t.hours';

export const chatTeamRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_TEAMS} chat teams`, { code: 'too_many_teams' }),
  lastForCustomers: (): Failure =>
    new Conflict('The last team that serves customers stays as long as the store has devices', {
      code: 'last_cs_team',
    }),
} as const;

export const chatTeamListing = listingOf(ChatTeamsQuery, {
  from: 'chat_team t',
  tenant: 't.store_id',
  select: COLUMNS,
  sort: { name: 't.name', created_at: 't.created_at' },
  usualSort: 'name',
  tie: 't.id',
  where: {},
  read: (row: ChatTeamRow) => row,
});

const BY_ID = `SELECT ${COLUMNS} FROM chat_team t WHERE t.store_id = $1 AND t.id = $2`;

/** Throws `NotFound`; `lock` keeps it as it is until the transaction ends. */
export const chatTeam = async (sql: Sql, storeId: string, id: string, lock = false): Promise<ChatTeamRow> => {
  const locked = lock ? 'FOR UPDATE' : '';
  const [row] = await sql.prepared<ChatTeamRow>(`chat-teams.by-id ${locked}`, `${BY_ID} ${locked}`, [storeId, id]);
  if (row) return row;
  throw new NotFound('Chat team not found');
};

const INSERT = `
  INSERT INTO chat_team (store_id, id, name, kind, private, distribution, hours, created_at, updated_at)
  SELECT $1::varchar, $2, $3, $4, $5, $6, $7, $8, $8
  WHERE (SELECT count(*) FROM chat_team o WHERE o.store_id = $1) < ${MOST_TEAMS} RETURNING id`;

/** For whoever has the turn of the store. Throws `too_many_teams`. */
export const insertTeam = async (tx: Sql, { storeId, at }: By, body: NewChatTeam): Promise<ChatTeamRow> => {
  const { name, kind = 'cs', private: closed = true, distribution = 'manual', hours = null } = body;
  const team: ChatTeamRow = { id: uuidv7(), name, kind, private: closed, distribution, hours };
  const values = [storeId, team.id, name, kind, closed, distribution, hours && JSON.stringify(hours), at];
  if ((await tx.query(INSERT, values)).length === 0) throw chatTeamRefusals.tooMany();
  return team;
};

const UPDATE = `
  UPDATE chat_team SET name = $3, kind = $4, private = $5, distribution = $6, hours = $7, updated_at = $8
  WHERE store_id = $1 AND id = $2`;

/** What is not given stays. */
export const updateTeam = async (
  tx: Sql,
  { storeId, at }: By,
  before: ChatTeamRow,
  change: ChatTeamChange,
): Promise<ChatTeamRow> => {
  const after = { ...before, ...change } as ChatTeamRow;
  const { id, name, kind, private: closed, distribution, hours } = after;
  await tx.query(UPDATE, [storeId, id, name, kind, closed, distribution, hours && JSON.stringify(hours), at]);
  return after;
};

const OTHER = `SELECT 1 FROM chat_team WHERE store_id = $1 AND kind = 'cs' AND id <> $2 LIMIT 1`;

/** For whoever has the turn of the store and is about to make it a team that takes no chats. Throws `last_cs_team`. */
export const demandOther = async (tx: Sql, storeId: string, { id, kind }: ChatTeamRow): Promise<void> => {
  if (kind !== 'cs' || (await tx.query(OTHER, [storeId, id])).length > 0) return;
  if (await hasDevices(tx, storeId)) throw chatTeamRefusals.lastForCustomers();
};

/** Locked until the end, so that a team that somebody is given is not deleted meanwhile. Throws `NotFound` for the first that is none. */
export const knownTeams = async (
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  nameOf: (at: number) => string,
): Promise<void> => {
  if (ids.length === 0) return;
  const find = 'SELECT id FROM chat_team WHERE store_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE';
  const known = new Set((await tx.query<{ id: string }>(find, [storeId, ids])).map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw refusals.notHere(nameOf(unknown), 'is not a chat team of this store');
};

/** In one order, as whoever else needs several memberships. Resolves to whose seats have changed. */
const SEAT_THEM = `
  UPDATE membership m SET updated_at = greatest($4, m.updated_at + interval '1 millisecond'),
    chat_team_ids = CASE WHEN m.user_id = ANY ($3::uuid[]) THEN m.chat_team_ids || $2::text ELSE array_remove(m.chat_team_ids, $2::text) END
  WHERE m.store_id = $1 AND ($2 = ANY (m.chat_team_ids)) <> (m.user_id = ANY ($3::uuid[])) RETURNING m.user_id`;

/** These members sit in the team from now on, and no others; for whoever has the turn of the store. */
export const seat = async (tx: Sql, by: By, teamId: string, users: readonly string[]): Promise<string[]> =>
  (await tx.query<{ user_id: string }>(SEAT_THEM, [by.storeId, teamId, users, by.at])).map(({ user_id }) => user_id);

const WITHOUT = `UPDATE invitation SET chat_team_ids = array_remove(chat_team_ids, $2::text) WHERE store_id = $1 AND $2 = ANY (chat_team_ids)`;

/** Its devices are nobody's then, and whoever was invited into it is not any more. */
export const deleteTeam = async (tx: Sql, storeId: string, id: string): Promise<void> => {
  await tx.query(WITHOUT, [storeId, id]);
  await tx.query('DELETE FROM chat_team WHERE store_id = $1 AND id = $2', [storeId, id]);
};

export const SEATED = `
  SELECT t.id AS team_id, m.user_id, p.name
  FROM unnest($2::text[]) AS t(id) JOIN membership m ON m.store_id = $1 AND t.id = ANY (m.chat_team_ids)
    LEFT JOIN person p ON p.user_id = m.user_id
  ORDER BY p.name, m.user_id`;

interface Seated {
  readonly team_id: string;
  readonly user_id: string;
  readonly name: string | null;
}

/** Who sits in a team, and whose new chats are its own. */
export interface Seats {
  readonly members: readonly Omit<Seated, 'team_id'>[];
  readonly devices: readonly { readonly id: string; readonly name: string }[];
}

/** Of each of these teams, in their order: two statements, however many they are. */
export const seatsOfTeams = async (sql: Sql, storeId: string, ids: readonly string[]): Promise<Seats[]> => {
  const [members, devices] = await Promise.all([
    sql.prepared<Seated>('chat-teams.seated', SEATED, [storeId, ids]),
    devicesOfTeams(sql, storeId, ids),
  ]);
  const ofTeam = <Row extends { readonly team_id: string }>(rows: readonly Row[], team: string): Row[] =>
    rows.filter(({ team_id: id }) => id === team);
  return ids.map((id) => ({
    members: ofTeam(members, id).map(({ user_id, name }) => ({ user_id, name })),
    devices: ofTeam(devices, id).map((device) => ({ id: device.id, name: device.name })),
  }));
};

const SEATS = `SELECT m.chat_team_ids AS teams FROM membership m WHERE m.store_id = $1 AND m.user_id = $2 AND m.status = 'active'`;

/** Where a member sits now. */
export const seatsOf = async (sql: Pick<Database, 'prepared'>, storeId: string, userId: string): Promise<string[]> => {
  const [row] = await sql.prepared<{ teams: string[] }>('chat-teams.seats', SEATS, [storeId, userId]);
  return row?.teams ?? [];
};

const SEATLESS = `SELECT m.user_id AS id FROM membership m WHERE m.store_id = $1 AND m.status = 'active' AND m.chat_team_ids = '{}'`;

/** Who works in a store, and in none of its teams. */
export const seatless = async (sql: Sql, storeId: string): Promise<ReadonlySet<string>> =>
  new Set((await sql.query<{ id: string }>(SEATLESS, [storeId])).map(({ id }) => id));

const DISABLED = `SELECT m.user_id AS id FROM membership m WHERE m.store_id = $1 AND m.status = 'disabled' AND m.chat_team_ids <> '{}'`;

/** Who sits in a team of a store, and may not work there now. */
export const seatedDisabled = async (sql: Pick<Database, 'query'>, storeId: string): Promise<ReadonlySet<string>> =>
  new Set((await sql.query<{ id: string }>(DISABLED, [storeId])).map(({ id }) => id));

const NAMES = 'SELECT id, name, kind FROM chat_team WHERE store_id = $1 ORDER BY lower(name), id LIMIT 100';

/** To choose one of. */
export const teamNames = (
  sql: Pick<Database, 'prepared'>,
  storeId: string,
): Promise<{ readonly id: string; readonly name: string; readonly kind: ChatTeamRow['kind'] }[]> =>
  sql.prepared('chat-teams.names', NAMES, [storeId]);
