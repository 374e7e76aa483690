import type { Sql } from '@platform/data';
import { forgetRecipients } from '../broadcasts/public';
import { historyRecord, listRecord } from '../records/public';
import { anyDevice, homeTeam } from '../tenancy/public';
import { putStatement, removeStatement, syncTables, type SyncKind } from './sync.tables';

/** One pushed row as its table takes it, behind what is common to all. */
export interface SyncRow {
  readonly store_id: string;
  readonly [column: string]: unknown;
}

export interface Version {
  readonly store_id: string;
  readonly id: string;
  readonly version: number;
}

/** Yields the rows whose version is newer than any seen before; the lock on the version orders calls about one row. */
const CLAIM = `
  INSERT INTO sync_versions AS v (store_id, kind, id, version)
  SELECT i.store_id, $2, i.id, i.version FROM json_to_recordset($1::json) AS i (store_id text, id text, version bigint) ORDER BY i.store_id, i.id
  ON CONFLICT (store_id, kind, id) DO UPDATE SET version = excluded.version WHERE v.version < excluded.version
  RETURNING v.store_id, v.id`;

/**
 * Customers who have said STOP and of whom was pushed that they have not: commerce-api made them anew, or never heard of it.
 * $1 rows
 */
const STOPPED = `
  SELECT k.store_id, k.nohp FROM customers k
  JOIN json_to_recordset($1::json) AS i (store_id text, nohp text, opt_out boolean) ON k.store_id = i.store_id AND k.nohp = i.nohp
  WHERE k.opt_out_by_customer AND i.opt_out IS NOT TRUE`;

/** A device belongs to one store: another's push does not take it. */
const FREE_DEVICES = `
  SELECT i.store_id, i.instance FROM json_to_recordset($1::json) AS i (store_id text, instance text)
  WHERE NOT EXISTS (SELECT 1 FROM device_route r WHERE r.instance = i.instance AND r.store_id <> i.store_id)`;
const ROUTE_DEVICES = `
  INSERT INTO device_route (instance, store_id) SELECT i.instance, i.store_id FROM json_to_recordset($1::json) AS i (store_id text, instance text)
  ON CONFLICT (instance) DO NOTHING`;
const UNROUTE_DEVICES = `
  DELETE FROM device_route r USING json_to_recordset($1::json) AS i (store_id text, instance text) WHERE r.instance = i.instance AND r.store_id = i.store_id`;

/**
 * Chats of teams that are gone go where new chats of their device go; those at work wait there again, as after chat_move, and
 * their history says so. Also takes in what was put into a team at the moment it went, at the next push of teams. So many at a
 * time, because whoever writes to one of them waits, with all that are in its batch. Locks chats in the order of ingest. A store
 * without a team for them keeps them where they are. Each team's are looked up (OFFSET keeps them from being joined): the
 * join read the chats of all stores. Yields them for the clients. $1 stores  $2 how many
 */
const ADOPT = `
  WITH RECURSIVE used AS (
    SELECT i.store_id, (SELECT min(c.team_id) FROM conversations c WHERE c.store_id = i.store_id) AS team FROM unnest($1::text[]) AS i(store_id)
    UNION ALL SELECT u.store_id, (SELECT min(c.team_id) FROM conversations c WHERE c.store_id = u.store_id AND c.team_id > u.team) FROM used u WHERE u.team IS NOT NULL),
  gone AS MATERIALIZED (
    SELECT u.* FROM used u WHERE u.team IS NOT NULL AND NOT EXISTS (SELECT 1 FROM teams t WHERE t.store_id = u.store_id AND t.id = u.team)),
  few AS MATERIALIZED (
    SELECT c.store_id, c.id, c.team_id, h.home FROM gone g
    CROSS JOIN LATERAL (SELECT * FROM conversations c WHERE c.store_id = g.store_id AND c.team_id = g.team OFFSET 0) c
    CROSS JOIN LATERAL (SELECT ${homeTeam(
      'c.store_id',
      '(SELECT d.default_team_id FROM devices d WHERE d.store_id = c.store_id AND d.instance = c.instance)',
    )} AS home) h
    WHERE h.home IS NOT NULL LIMIT $2::int),
  lost AS MATERIALIZED (
    SELECT c.store_id, c.id, c.status, c.team_id, c.assignee_id, s.home
    FROM few s JOIN conversations c ON c.store_id = s.store_id AND c.id = s.id AND c.team_id = s.team_id
    ORDER BY c.store_id, c.instance, c.nohp FOR UPDATE OF c),
  moved AS (
    UPDATE conversations c SET team_id = l.home, status = CASE WHEN c.status = 3 THEN 3 ELSE 0 END, assignee_id = CASE WHEN c.status = 3 THEN c.assignee_id END,
      pending_until = NULL, version = c.version + 1, updated_at = now()
    FROM lost l WHERE c.store_id = l.store_id AND c.id = l.id RETURNING c.*),
  noted AS (
    INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type, team_from, team_to, user_from)
    SELECT m.store_id, m.id, uuidv7(), m.episode, 'move', l.status, m.status, 'system', l.team_id, m.team_id, l.assignee_id
    FROM moved m JOIN lost l ON l.store_id = m.store_id AND l.id = m.id WHERE l.status <> 3 RETURNING *)
  SELECT ${listRecord('c', 'k', 's')} AS list, l.team_id AS "from",
    (SELECT ${historyRecord('h', 's')} FROM noted h WHERE h.store_id = c.store_id AND h.conversation_id = c.id) AS event
  FROM moved c JOIN lost l ON l.store_id = c.store_id AND l.id = c.id
  JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id JOIN stores s ON s.store_id = c.store_id`;

/** As many chats of a team that is gone are moved in one transaction. */
const ADOPTED_AT_ONCE = 500;

/** A chat whose team is gone. */
export interface AdoptedChat {
  /** ChatListStruct as it is now. */
  readonly list: object;
  /** The team that it had. */
  readonly from: string;
  /** ChatHistoryStruct of the move; null for one that was finished. */
  readonly event: object | null;
}

/** The chat of a warehouse record: by id, else the newest of the number. None when the chat has another open record. */
const CHATS = `
  SELECT i.store_id, i.id, c.id AS conversation_id
  FROM json_to_recordset($1::json) AS i (store_id text, id text, conversation_id uuid, nohp text, status text)
  CROSS JOIN LATERAL (
    SELECT c.id FROM conversations c WHERE c.store_id = i.store_id AND c.id = i.conversation_id
    UNION ALL (SELECT c.id FROM conversations c WHERE i.conversation_id IS NULL AND c.store_id = i.store_id AND c.nohp = i.nohp
      AND c.instance = ${anyDevice('i.store_id')} ORDER BY c.last_at DESC LIMIT 1)) c
  WHERE i.status IN ('selesai', 'batal') OR NOT EXISTS (
    SELECT 1 FROM handle_gudang g WHERE g.store_id = i.store_id AND g.conversation_id = c.id AND g.id <> i.id AND g.status IN ('pending', 'diproses'))`;

/** Statements of `POST /internal/sync`; used inside its transaction. */
export class SyncRepository {
  constructor(private readonly sql: Sql) {}

  /** The same repository inside a transaction, or on other connections. */
  in(sql: Sql): SyncRepository {
    return new SyncRepository(sql);
  }

  async claim(kind: SyncKind, versions: readonly Version[]): Promise<{ store_id: string; id: string }[]> {
    return this.sql.query(CLAIM, [JSON.stringify(versions), kind]);
  }

  async put(kind: SyncKind, rows: readonly SyncRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.sql.query(putStatement(syncTables[kind]), [JSON.stringify(rows)]);
    if (kind === 'devices') await this.sql.query(ROUTE_DEVICES, [JSON.stringify(rows)]);
  }

  async remove(kind: SyncKind, rows: readonly SyncRow[]): Promise<void> {
    if (rows.length === 0) return;
    if (kind === 'customers') await forgetRecipients(this.sql, rows);
    await this.sql.query(removeStatement(syncTables[kind]), [JSON.stringify(rows)]);
    if (kind === 'devices') await this.sql.query(UNROUTE_DEVICES, [JSON.stringify(rows)]);
  }

  /** After teams came or went. While it moves any there may be more. */
  async adoptChats(stores: readonly string[]): Promise<AdoptedChat[]> {
    return this.sql.query<AdoptedChat>(ADOPT, [stores, ADOPTED_AT_ONCE]);
  }

  /** Of customers that were put: those whose own word is not known where they came from. */
  async stopped(rows: readonly SyncRow[]): Promise<{ store_id: string; nohp: string }[]> {
    return this.sql.query(STOPPED, [JSON.stringify(rows)]);
  }

  async freeDevices(rows: readonly SyncRow[]): Promise<{ store_id: string; instance: string }[]> {
    return this.sql.query(FREE_DEVICES, [JSON.stringify(rows)]);
  }

  async chatsOf(rows: readonly SyncRow[]): Promise<{ store_id: string; id: string; conversation_id: string }[]> {
    return this.sql.query(CHATS, [JSON.stringify(rows)]);
  }
}
