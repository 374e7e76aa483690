import type { Sql } from '@platform/data';
import { LruCache } from '@platform/runtime';
import type { Jid } from './engine.types';

const REMEMBERED = 5_000;

/** Whose a hidden id is, as a device remembers it. */
export interface Known {
  readonly pn: Jid;
  /** When it was told, epoch seconds: somebody else may know better since. */
  readonly since: number;
}

/**
 * $4: when it was told. What names no time that has been is of now: it may not keep a message away. By the clock of the database, because another process
 * may know of something that was told before or since.
 */
const LEARN = `
  WITH told AS (
    SELECT CASE WHEN $4::float8 BETWEEN 0 AND now THEN $4 ELSE now END AS since FROM (SELECT floor(extract(epoch FROM now()))::float8) AS c (now)),
  left_behind AS (
    DELETE FROM chat_identity WHERE instance_id = $1 AND pn = $3 AND lid <> $2 AND lid LIKE '%@lid' AND $2::text LIKE '%@lid'),
  news AS (
    INSERT INTO chat_identity AS c (instance_id, lid, pn, updated_at) SELECT $1, $2, $3, to_timestamp(since) FROM told
    ON CONFLICT (instance_id, lid) DO UPDATE SET pn = excluded.pn, updated_at = excluded.updated_at WHERE c.pn <> excluded.pn RETURNING 1)
  SELECT since, EXISTS (SELECT FROM news) AS "isNews" FROM told`;

/** Which number hides behind a LID (design 3.2), or behind a business-scoped id. Known pairs are remembered, up to a limit. */
export class IdentityStore {
  private readonly known = new LruCache<Jid, Known>({ limit: REMEMBERED });
  /** Those that WhatsApp has told this process: only read, a pair may stand beside one that it overtook before anybody looked for that. */
  private readonly told = new LruCache<Jid, Jid>({ limit: REMEMBERED });

  constructor(
    private readonly instanceId: string,
    private readonly database: Sql,
  ) {}

  async numberOf(lid: Jid): Promise<Known | undefined> {
    const remembered = this.known.get(lid);
    if (remembered) return remembered;
    const sql = `SELECT pn, floor(extract(epoch FROM updated_at))::float8 AS since FROM chat_identity WHERE instance_id = $1 AND lid = $2`;
    const [row] = await this.database.prepared<Known>('chat_identity_of', sql, [this.instanceId, lid]);
    if (row) this.known.set(lid, row);
    return row;
  }

  /** Whether the number is known to be somebody's who hides it by a LID. */
  async isTaken(pn: Jid): Promise<boolean> {
    const sql = `SELECT 1 FROM chat_identity WHERE instance_id = $1 AND pn = $2 AND lid LIKE '%@lid' LIMIT 1`;
    return (await this.database.prepared('chat_identity_taken', sql, [this.instanceId, pn])).length > 0;
  }

  /** True when this is news, which was told at `at`. A number has one LID: who has it now takes it from the LID of before. */
  async learn(lid: Jid, pn: Jid, at = Number.NaN): Promise<boolean> {
    if (this.told.get(lid) === pn) return false;
    const values = [this.instanceId, lid, pn, at];
    const [{ since, isNews }] = (await this.database.prepared('chat_identity_learn', LEARN, values)) as [
      { since: number; isNews: boolean },
    ];
    this.known.deleteWhere((known) => known.pn === pn);
    this.known.set(lid, { pn, since });
    this.told.deleteWhere((number) => number === pn);
    this.told.set(lid, pn);
    return isNews;
  }
}
