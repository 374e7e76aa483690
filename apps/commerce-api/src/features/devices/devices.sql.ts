import { listingOf, type Database, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { By } from '../../by';
import { refusals } from '../../refusals';
import type { ChatCopies } from '../chat/copies/public';
import { DevicesQuery } from './devices.dto';

/** What is kept here of a device; its state is the gateway's. */
export interface DeviceRow {
  readonly id: string;
  readonly instance_id: string;
  readonly name: string;
  readonly number: string | null;
  readonly chat_team_id: string | null;
  readonly bot_agent_id: string | null;
}

const COLUMNS = 'd.id, d.instance_id, d.name, d.number, d.chat_team_id, d.bot_agent_id';

export const deviceListing = listingOf(DevicesQuery, {
  from: 'device d',
  tenant: 'd.store_id',
  select: COLUMNS,
  sort: { name: 'd.name', created_at: 'd.created_at' },
  usualSort: 'created_at',
  tie: 'd.id',
  where: {},
  read: (row: DeviceRow) => row,
});

const BY_ID = `SELECT ${COLUMNS} FROM device d WHERE d.store_id = $1 AND d.id = $2`;
const byId = (sql: Sql, storeId: string, id: string, lock = ''): Promise<DeviceRow[]> =>
  sql.prepared(`device by id ${lock}`, `${BY_ID} ${lock}`, [storeId, id]);

/** Throws `NotFound`; `lock` keeps it as it is until the transaction ends. */
export const deviceRow = async (sql: Sql, storeId: string, id: string, lock = false): Promise<DeviceRow> => {
  const [row] = await byId(sql, storeId, id, lock ? 'FOR UPDATE' : '');
  if (row) return row;
  throw new NotFound('Device not found');
};

/** The device that a field names. Throws `NotFound` for one that the store has not. */
export const findDevice = async (sql: Sql, storeId: string, id: string): Promise<DeviceRow> => {
  const [row] = await byId(sql, storeId, id);
  if (row) return row;
  throw refusals.notHere('device_id', 'is not a device of this store');
};

const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('device ' || $1, 0))`;
const MADE = 'SELECT 1 FROM device WHERE store_id = $1 AND id = $2';

/** Whether there is a device of this id; until the end of the transaction nobody else makes one. */
export const isMade = async (tx: Sql, storeId: string, id: string): Promise<boolean> => {
  await tx.query(TURN, [id]);
  return (await tx.query(MADE, [storeId, id])).length > 0;
};

/** An id that is taken by another store would give it that store's messages. */
const CLAIM = `INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('device', $3, $1::text, $2::text)`;
const INSERT = `
  INSERT INTO device (store_id, id, instance_id, name, number, chat_team_id, bot_agent_id, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`;

export const insertDevice = async (tx: Sql, { storeId, at }: By, row: DeviceRow): Promise<void> => {
  const { id, instance_id, name, number, chat_team_id, bot_agent_id } = row;
  await tx.query(CLAIM, [storeId, id, instance_id]);
  await tx.query(INSERT, [storeId, id, instance_id, name, number, chat_team_id, bot_agent_id, at]);
};

const UPDATE = `UPDATE device SET name = $3, chat_team_id = $4, bot_agent_id = $5, updated_at = $6 WHERE store_id = $1 AND id = $2`;
export const updateDevice = (tx: Sql, { storeId, at }: By, row: DeviceRow): Promise<unknown> =>
  tx.query(UPDATE, [storeId, row.id, row.name, row.chat_team_id, row.bot_agent_id, at]);

const NUMBERED = `
  UPDATE device d SET number = i.number, updated_at = $4 FROM unnest($2::text[], $3::text[]) AS i (instance_id, number)
  WHERE d.store_id = $1 AND d.instance_id = i.instance_id AND d.number IS DISTINCT FROM i.number RETURNING d.instance_id`;
export const setNumbers = async (
  tx: Sql,
  { storeId, at }: By,
  numbers: readonly (readonly [instance: string, number: string])[],
): Promise<string[]> => {
  const columns = [numbers.map(([instance]) => instance), numbers.map(([, number]) => number)];
  return (await tx.query<{ instance_id: string }>(NUMBERED, [storeId, ...columns, at])).map((row) => row.instance_id);
};

const FREE = `DELETE FROM global_key WHERE kind = 'device' AND value = $1 AND store_id = $2`;
/** Whether it was there still. */
export const deleteDevice = async (tx: Sql, storeId: string, { id, instance_id }: DeviceRow): Promise<boolean> => {
  const gone = await tx.query('DELETE FROM device WHERE store_id = $1 AND id = $2 RETURNING id', [storeId, id]);
  if (gone.length > 0) await tx.query(FREE, [instance_id, storeId]);
  return gone.length > 0;
};

export const OF_TEAMS = `SELECT chat_team_id AS team_id, id, name FROM device
  WHERE store_id = $1 AND chat_team_id = ANY ($2::text[]) ORDER BY name, id`;

/** A device, and the team whose own its new chats are. */
export interface TeamDevice {
  readonly team_id: string;
  readonly id: string;
  readonly name: string;
}
/** Devices whose new chats are the own of one of these teams. */
export const devicesOfTeams = (sql: Sql, storeId: string, teamIds: readonly string[]): Promise<TeamDevice[]> =>
  sql.prepared('devices of teams', OF_TEAMS, [storeId, teamIds]);

/** Whether customers of the store may write. */
export const hasDevices = async (sql: Sql, storeId: string): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM device WHERE store_id = $1 LIMIT 1', [storeId])).length > 0;

const LOCKED = `SELECT id FROM device WHERE store_id = $1 AND (id = ANY ($2::uuid[]) OR chat_team_id = $3) ORDER BY id FOR UPDATE`;
const GIVE = `
  UPDATE device SET chat_team_id = CASE WHEN id = ANY ($2::uuid[]) THEN $3 END, updated_at = $4
  WHERE store_id = $1 AND (coalesce(chat_team_id = $3, false) <> (id = ANY ($2::uuid[]))) RETURNING instance_id`;

/** New chats of these devices, and of no others, are the team's from now on. Throws `NotFound` for the first that is not of the store. */
export const giveDevices = async (
  tx: Sql,
  copies: ChatCopies,
  { storeId, at }: By,
  { teamId, deviceIds }: { readonly teamId: string; readonly deviceIds: readonly string[] },
): Promise<void> => {
  const values = [storeId, deviceIds.filter(isUuid), teamId];
  const known = new Set((await tx.query<{ id: string }>(LOCKED, values)).map(({ id }) => id));
  const unknown = deviceIds.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`device_ids[${unknown}]`, 'is not a device of this store');
  const moved = await tx.query<{ instance_id: string }>(GIVE, [...values, at]);
  await copies.touched(
    tx,
    storeId,
    'devices',
    moved.map((row) => row.instance_id),
  );
};

const BY_BOT = `SELECT id, name, bot_agent_id AS agent FROM device WHERE store_id = $1 AND bot_agent_id IS NOT NULL ORDER BY lower(name), id`;

/** The numbers whose chats an AI agent answers, and which. */
export const answeredDevices = (
  sql: Pick<Database, 'prepared'>,
  storeId: string,
): Promise<{ readonly id: string; readonly name: string; readonly agent: string }[]> =>
  sql.prepared('devices by bot', BY_BOT, [storeId]);

const RELEASE = `UPDATE device SET bot_agent_id = NULL, updated_at = $3 WHERE store_id = $1 AND bot_agent_id = $2 RETURNING instance_id`;

/** In the caller's transaction: the AI agent answers no device of the store any more. */
export const releaseAgent = async (
  tx: Sql,
  copies: ChatCopies,
  { storeId, at }: By,
  agentId: string,
): Promise<void> => {
  const freed = await tx.query<{ instance_id: string }>(RELEASE, [storeId, agentId, at]);
  await copies.touched(
    tx,
    storeId,
    'devices',
    freed.map((row) => row.instance_id),
  );
};
