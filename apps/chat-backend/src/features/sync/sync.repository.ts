import type { Sql } from '@platform/data';
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

/** A device belongs to one store: another's push does not take it. */
const FREE_DEVICES = `
  SELECT i.store_id, i.instance FROM json_to_recordset($1::json) AS i (store_id text, instance text)
  WHERE NOT EXISTS (SELECT 1 FROM device_route r WHERE r.instance = i.instance AND r.store_id <> i.store_id)`;
const ROUTE_DEVICES = `
  INSERT INTO device_route (instance, store_id) SELECT i.instance, i.store_id FROM json_to_recordset($1::json) AS i (store_id text, instance text)
  ON CONFLICT (instance) DO NOTHING`;
const UNROUTE_DEVICES = `
  DELETE FROM device_route r USING json_to_recordset($1::json) AS i (store_id text, instance text) WHERE r.instance = i.instance AND r.store_id = i.store_id`;

/** The chat of a warehouse record: by id, else the newest of the number. None when the chat has another open record. */
const CHATS = `
  SELECT i.store_id, i.id, c.id AS conversation_id
  FROM json_to_recordset($1::json) AS i (store_id text, id text, conversation_id uuid, nohp text, status text)
  CROSS JOIN LATERAL (
    SELECT c.id FROM conversations c WHERE c.store_id = i.store_id AND c.id = i.conversation_id
    UNION ALL (SELECT c.id FROM conversations c WHERE i.conversation_id IS NULL AND c.store_id = i.store_id AND c.nohp = i.nohp
      AND c.instance IN (SELECT d.instance FROM devices d WHERE d.store_id = i.store_id) ORDER BY c.last_at DESC LIMIT 1)) c
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
    await this.sql.query(removeStatement(syncTables[kind]), [JSON.stringify(rows)]);
    if (kind === 'devices') await this.sql.query(UNROUTE_DEVICES, [JSON.stringify(rows)]);
  }

  async freeDevices(rows: readonly SyncRow[]): Promise<{ store_id: string; instance: string }[]> {
    return this.sql.query(FREE_DEVICES, [JSON.stringify(rows)]);
  }

  async chatsOf(rows: readonly SyncRow[]): Promise<{ store_id: string; id: string; conversation_id: string }[]> {
    return this.sql.query(CHATS, [JSON.stringify(rows)]);
  }
}
