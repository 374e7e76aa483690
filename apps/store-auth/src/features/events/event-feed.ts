import { AUTH_EVENTS_CHANNEL, type AuthEvent, type AuthEventPage } from '@platform/contracts';
import { sqlState, type Cache, type Database, type Transaction } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock } from '@platform/runtime';

/** No token of a login lives longer than one hour (design 3.1); what was revoked before concerns none. */
const FEED_HOURS = 2;
const PAGE = 500;

/** In one statement, so that nobody holds the lock for another round trip. Who is stuck with it must not take everybody's connections along. */
const TURN = `
  SELECT set_config('lock_timeout', '2s', true), pg_advisory_xact_lock(hashtextextended('store-auth events', 0))`;

/**
 * Behind the event before, by whichever clock that was written: of two changes of a member verifiers keep the one with the later time, and
 * another process may be ahead. $2 now
 */
const PUBLISH = `
  INSERT INTO events (type, payload, created_at)
  SELECT e->>'type', CASE WHEN e ? 'at' THEN jsonb_set(e, '{at}', to_jsonb(greatest((e->>'at')::bigint, last.ms + 1))) ELSE e END,
    greatest($2::timestamptz, last.at + interval '1 millisecond')
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS given (e, n) LEFT JOIN (
    SELECT created_at AS at, floor(extract(epoch FROM created_at) * 1000)::bigint AS ms FROM events ORDER BY id DESC LIMIT 1) last ON true
  ORDER BY n RETURNING payload`;

interface Row {
  readonly id: string;
  readonly payload: AuthEvent;
}

const pageOf = (rows: readonly Row[], cursor: string): AuthEventPage => ({
  items: rows.map(({ payload }) => payload),
  cursor,
});

/** Events for verifiers: rows of `events`, and the same JSON on the cache channel. */
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly cache: Cache,
    private readonly clock: Clock,
  ) {}

  /**
   * Joins the caller's transaction; announced on the channel after its commit. The lock lasts until then, so ids commit in
   * order: a poller must not skip a row that commits late. Throws `Unavailable` when that takes more than two seconds.
   */
  async publish(tx: Transaction, events: readonly AuthEvent[]): Promise<void> {
    if (events.length === 0) return;
    await tx.prepared('event-turn', TURN, []).catch((cause: unknown) => {
      if (sqlState(cause) !== '55P03') throw cause;
      throw new Unavailable('The feed of events is held by another process', { cause, retryAfterSeconds: 1 });
    });
    const values = [JSON.stringify(events), this.clock.now()];
    const written = await tx.prepared<Pick<Row, 'payload'>>('event-publish', PUBLISH, values);
    tx.afterCommit(async () => {
      for (const { payload: event } of written) await this.cache.publish(AUTH_EVENTS_CHANNEL, JSON.stringify(event));
    });
  }

  /**
   * Events after `cursor`, or without one those that may concern a valid token; at most 500, with the cursor of the next page. A
   * cursor beyond the end is from before a failover that lost rows: whoever has it would hear nothing until ids have caught up.
   */
  async since(cursor: string | undefined): Promise<AuthEventPage> {
    if (cursor === undefined) return this.begin();
    const rows = await this.after(cursor);
    const last = rows.at(-1)?.id;
    if (last !== undefined) return pageOf(rows, last);
    return BigInt(cursor) <= BigInt(await this.end()) ? pageOf(rows, cursor) : this.begin();
  }

  /** Where there are none, the end is the one from before they were looked for: what has come meanwhile lies behind it. */
  private async begin(): Promise<AuthEventPage> {
    const end = await this.end();
    const rows = await this.recent();
    return pageOf(rows, rows.at(-1)?.id ?? end);
  }

  private recent(): Promise<Row[]> {
    const from = new Date(this.clock.now().getTime() - FEED_HOURS * 3600 * 1000);
    return this.database.query('SELECT id, payload FROM events WHERE created_at > $1 ORDER BY id LIMIT $2', [
      from,
      PAGE,
    ]);
  }

  private after(cursor: string): Promise<Row[]> {
    const statement = 'SELECT id, payload FROM events WHERE id > $1::bigint ORDER BY id LIMIT $2';
    return this.database.prepared('events-since', statement, [cursor, PAGE]);
  }

  private async end(): Promise<string> {
    const statement = 'SELECT coalesce(max(id), 0) AS id FROM events';
    const [row] = await this.database.prepared<{ id: string }>('events-end', statement, []);
    return row?.id ?? '0';
  }
}
