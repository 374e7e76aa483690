import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import type { SafeAddressOptions } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { Queue } from '../../../jobs';
import { demandPublic } from './hook.address';
import { haveSent, LAGS, PAUSES, type WaitingHook } from './hook.lanes';
import { hookEvents, type MadeWebhook, type NewWebhook } from './webhooks.dto';

const MOST = 20;
/** Between two tests of a hook. */
const TEST_PAUSE_MS = 10_000;

export const webhookRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST} webhooks`, { code: 'too_many_webhooks' }),
} as const;

/** To what a sealed secret is bound. */
export const secretPurpose = (storeId: string, id: string): string => `webhook_endpoint ${storeId} ${id}`;

/** One at a time, so that the limit holds. $1 store. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`;
const COUNT = 'SELECT count(*)::int AS hooks FROM webhook_endpoint WHERE store_id = $1';
const INSERT = `
  INSERT INTO webhook_endpoint (store_id, id, url, events, secret_enc, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)`;
const RENEW = `UPDATE webhook_endpoint SET secret_enc = $3, updated_at = $4 WHERE store_id = $1 AND id = $2 RETURNING id`;
/** A stopped one goes on. $1 store, $2 hook, $3 now. */
const WAKE = `
  UPDATE webhook_endpoint h SET status = 'active', failures = CASE WHEN h.status = 'stopped' THEN 0 ELSE h.failures END, updated_at = $3
  WHERE store_id = $1 AND id = $2 RETURNING store_id AS "storeId", id, ${LAGS} AS lags`;
/** A test that waits still, or was done a moment ago. $3 since when. */
const LAST_TEST = `
  SELECT true AS waits FROM webhook_delivery
  WHERE store_id = $1 AND hook_id = $2 AND state = 'waiting' AND at = 'epoch' AND kind = 'test'
  UNION ALL SELECT false FROM webhook_delivery WHERE store_id = $1 AND hook_id = $2 AND done_at > $3 AND kind = 'test'
  LIMIT 1`;
/** Before all news, which may wait for hours where a receiver fails; tried once. $3 event, $4 now, $5 body. */
const TRY = `
  INSERT INTO webhook_delivery (store_id, hook_id, event_id, kind, at, body, attempts, next_at, created_at)
  VALUES ($1, $2, $3, 'test', 'epoch', $5, ${PAUSES.length}, $4, $4)`;
const DELETE = 'DELETE FROM webhook_endpoint WHERE store_id = $1 AND id = $2 RETURNING url, events';

/** What became of a wish for a test: one waits already, or was sent too short a time ago. */
export type Tried = 'sent' | 'waits' | 'soon';

export interface WebhookParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly queue: Queue;
  readonly addresses: SafeAddressOptions;
}

/** Who hears of what happens in a store. The secret of each is shown once and kept sealed. */
export class WebhooksService {
  constructor(private readonly parts: WebhookParts) {}

  /** Throws what `check` and `add` throw. */
  async create(by: Writer, body: NewWebhook): Promise<MadeWebhook> {
    await this.check(body);
    return this.parts.database.tx((tx) => this.add(tx, by, body));
  }

  /** Before there is a transaction. Throws `InvalidInput` for an event that nobody is told of, or an address that may not be sent to. */
  async check({ url, events }: NewWebhook): Promise<void> {
    const wrong = events.findIndex((event) => !(hookEvents as readonly string[]).includes(event));
    if (wrong >= 0) throw unknownEvent(`events[${wrong}]`);
    await demandPublic(url, this.parts.addresses);
  }

  /** What was checked. Throws `Conflict` beyond 20. */
  async add(tx: Transaction, by: Writer, { url, events }: NewWebhook): Promise<MadeWebhook> {
    const [id, secret] = [uuidv7(), madeSecret()];
    const wanted = [...new Set(events)];
    await refuseTooMany(tx, by.storeId);
    const sealed = this.parts.box.seal(secret, secretPurpose(by.storeId, id));
    await tx.query(INSERT, [by.storeId, id, url, wanted, sealed, by.at]);
    // Its query may hold a password of theirs
    const after = { host: new URL(url).host, events: wanted };
    await audited(tx, by, { action: 'settings.write', type: 'webhook', id, after });
    const fresh = { status: 'active', failures: 0, waiting: 0, last: null } as const;
    return { id, url, events: wanted, ...fresh, created_at: by.at.toISOString(), secret };
  }

  /** What is sent from now on is signed with another secret. Throws `NotFound`. */
  async renewIn(tx: Transaction, by: Writer, id: string): Promise<Pick<MadeWebhook, 'secret'>> {
    const secret = madeSecret();
    const sealed = this.parts.box.seal(secret, secretPurpose(by.storeId, id));
    const [row] = await tx.query(RENEW, [by.storeId, id, sealed, by.at]);
    if (!row) throw unknownHook();
    await audited(tx, by, { action: 'settings.write', type: 'webhook', id, after: { secret: 'renewed' } });
    return { secret };
  }

  /** Has it sent news that mean nothing, before what waits for it; a stopped one goes on. Throws `NotFound`. */
  async tryIn(tx: Transaction, by: Writer, id: string): Promise<Tried> {
    // Whoever asks at the same time waits here
    const [hook] = await tx.query<WaitingHook>(WAKE, [by.storeId, id, by.at]);
    if (!hook) throw unknownHook();
    const since = new Date(by.at.getTime() - TEST_PAUSE_MS);
    const [last] = await tx.query<{ waits: boolean }>(LAST_TEST, [by.storeId, id, since]);
    if (last) return last.waits ? 'waits' : 'soon';
    const eventId = uuidv7();
    const body = JSON.stringify({ id: eventId, event: 'test', created_at: by.at.toISOString(), data: {} });
    await tx.query(TRY, [by.storeId, id, eventId, by.at, body]);
    await audited(tx, by, { action: 'settings.write', type: 'webhook', id, after: { test: 'sent' } });
    await haveSent(this.parts.queue, tx, hook);
    return 'sent';
  }

  /** What waits for it is told nobody. */
  remove(by: Writer, id: string): Promise<void> {
    return this.parts.database.tx((tx) => this.removeIn(tx, by, id));
  }

  async removeIn(tx: Transaction, by: Writer, id: string): Promise<void> {
    const [row] = await tx.query<{ url: string; events: string[] }>(DELETE, [by.storeId, id]);
    if (!row) throw unknownHook();
    const before = { host: new URL(row.url).host, events: row.events };
    await audited(tx, by, { action: 'settings.write', type: 'webhook', id, before });
  }
}

const madeSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

const unknownHook = (): Failure => new NotFound('Webhook not found');

const unknownEvent = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'oneof', message: `${field} must be one of ${hookEvents.join(', ')}` }]);

const refuseTooMany = async (tx: Transaction, storeId: string): Promise<void> => {
  await tx.query(LOCK, [storeId]);
  const [row] = await tx.query<{ hooks: number }>(COUNT, [storeId]);
  if ((row?.hooks ?? 0) >= MOST) throw webhookRefusals.tooMany();
};
