import { AUTH_EVENTS_CHANNEL, type AuthEvent, type AuthEventPage } from '@platform/contracts';
import type { Cache, Database, Transaction } from '@platform/data';
import type { Clock } from '@platform/runtime';

/** No token of a login lives longer than one hour (design 3.1); what was revoked before concerns none. */
const FEED_HOURS = 2;
const PAGE = 500;

/** Events for verifiers: rows of `events`, and the same JSON on the cache channel. */
export class EventFeed {
  constructor(
    private readonly database: Database,
    private readonly cache: Cache,
    private readonly clock: Clock,
  ) {}

  /**
   * Joins the caller's transaction; announced on the channel after its commit. The lock lasts until then, so ids commit in
   * order: a poller must not skip a row that commits late.
   */
  async publish(tx: Transaction, events: readonly AuthEvent[]): Promise<void> {
    if (events.length === 0) return;
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('store-auth events', 0))`);
    await tx.prepared(
      'event-publish',
      `INSERT INTO events (type, payload, created_at) SELECT e->>'type', e, $2 FROM jsonb_array_elements($1::jsonb) e`,
      [JSON.stringify(events), this.clock.now()],
    );
    tx.afterCommit(async () => {
      for (const event of events) await this.cache.publish(AUTH_EVENTS_CHANNEL, JSON.stringify(event));
    });
  }

  /** Events after `cursor`, or without one those that may concern a valid token; at most 500, with the cursor of the next page. */
  async since(cursor: string | undefined): Promise<AuthEventPage> {
    const rows =
      cursor === undefined
        ? await this.database.query<{ id: string; payload: AuthEvent }>(
            'SELECT id, payload FROM events WHERE created_at > $1 ORDER BY id LIMIT $2',
            [new Date(this.clock.now().getTime() - FEED_HOURS * 3600 * 1000), PAGE],
          )
        : await this.database.prepared<{ id: string; payload: AuthEvent }>(
            'events-since',
            'SELECT id, payload FROM events WHERE id > $1::bigint ORDER BY id LIMIT $2',
            [cursor, PAGE],
          );
    return { items: rows.map(({ payload }) => payload), cursor: rows.at(-1)?.id ?? cursor ?? (await this.end()) };
  }

  private async end(): Promise<string> {
    const [row] = await this.database.query<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM events');
    return row?.id ?? '0';
  }
}
