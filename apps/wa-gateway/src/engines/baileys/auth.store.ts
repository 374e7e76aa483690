import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { AuthenticationCreds, SignalDataSet, SignalDataTypeMap } from 'baileys';
import type { Library } from './baileys.library';
import { openingReadsOn } from './opening.reads';

type KeyType = keyof SignalDataTypeMap;

const CREDS = 'creds';

const READ = `SELECT id, value FROM auth_key WHERE instance_id = $1 AND type = $2 AND id = ANY ($3) AND archived_at IS NULL`;

/** One statement, all or nothing. Sorted by everybody, so that two writers never wait for each other in a circle. */
const WRITE = `
WITH change AS (
  SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS c (type, id, value) ORDER BY type COLLATE "C", id COLLATE "C"
), gone AS (
  DELETE FROM auth_key k USING change c WHERE k.instance_id = $1 AND k.type = c.type AND k.id = c.id AND c.value IS NULL
)
INSERT INTO auth_key (instance_id, type, id, value) SELECT $1, type, id, value FROM change WHERE value IS NOT NULL
ON CONFLICT (instance_id, type, id) DO UPDATE SET value = excluded.value, archived_at = NULL`;

/** The account of one device and its Signal keys, sealed, in the database. A failing database is an error, never "no keys". */
export class AuthStore {
  constructor(
    private readonly instanceId: string,
    private readonly database: Sql,
    private readonly box: SecretBox,
    private readonly library: Pick<Library, 'BufferJSON' | 'initAuthCreds' | 'proto'>,
  ) {}

  /** Fresh ones only when the query succeeded and found none; an account that never finished its pairing is none (design 3.1). */
  async creds(): Promise<AuthenticationCreds> {
    const sealed = await openingReadsOn(this.database).sealedCreds(this.instanceId);
    const creds = sealed === undefined ? undefined : this.opened<AuthenticationCreds>(CREDS, CREDS, sealed);
    return creds?.account ? creds : this.library.initAuthCreds();
  }

  /** Only of a linked account: a pairing that breaks off leaves nothing behind. */
  async saveCreds(creds: AuthenticationCreds): Promise<void> {
    if (creds.account) await this.write([[CREDS, CREDS, creds]]);
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    const found = await this.read<SignalDataTypeMap[T]>(type, ids);
    if (type === 'app-state-sync-key')
      for (const [id, value] of Object.entries(found))
        found[id] = this.library.proto.Message.AppStateSyncKeyData.fromObject(value as object) as never;
    return found;
  }

  set(data: SignalDataSet): Promise<void> {
    const changes = Object.entries(data).flatMap(([type, entries]) =>
      Object.entries(entries).map(([id, value]): Change => [type, id, value]),
    );
    return this.write(changes);
  }

  /** After a logout: nobody reads them any more, and nobody has lost them either. */
  async archive(): Promise<void> {
    const sql = 'UPDATE auth_key SET archived_at = now() WHERE instance_id = $1 AND archived_at IS NULL';
    await this.database.query(sql, [this.instanceId]);
  }

  /** Before a new account: what an older one left must not mix with it. */
  async clear(): Promise<void> {
    await this.database.query('DELETE FROM auth_key WHERE instance_id = $1', [this.instanceId]);
  }

  private async read<T>(type: string, ids: readonly string[]): Promise<{ [id: string]: T }> {
    if (ids.length === 0) return {};
    const rows = await this.database.prepared<{ id: string; value: string }>('auth_key_read', READ, [
      this.instanceId,
      type,
      ids,
    ]);
    return Object.fromEntries(rows.map(({ id, value }) => [id, this.opened<T>(type, id, value)]));
  }

  private opened<T>(type: string, id: string, sealed: string): T {
    return JSON.parse(this.box.open(sealed, this.purpose(type, id)), this.library.BufferJSON.reviver) as T;
  }

  private async write(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { replacer } = this.library.BufferJSON;
    const sealed = ([type, id, value]: Change): string | null =>
      value == null ? null : this.box.seal(JSON.stringify(value, replacer), this.purpose(type, id));
    await this.database.prepared('auth_key_write', WRITE, [
      this.instanceId,
      changes.map(([type]) => type),
      changes.map(([, id]) => id),
      changes.map(sealed),
    ]);
  }

  private purpose(type: string, id: string): string {
    return `auth_key ${this.instanceId} ${type} ${id}`;
  }
}

type Change = readonly [type: string, id: string, value: unknown];
