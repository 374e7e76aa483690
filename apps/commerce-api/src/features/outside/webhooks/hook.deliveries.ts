import { createHmac } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import type { Database, Sql, Transaction } from '@platform/data';
import { Rejected } from '@platform/errors';
import { safeSend, SendFailed, type SafeAddressOptions } from '@platform/http';
import type { JobContext } from '@platform/jobs';
import { uuidv7, type Clock, type Logger } from '@platform/runtime';
import type { CommerceJobs, Queue } from '../../../jobs';
import { nowOf } from '../../../moment';
import { notify } from '../../../notify';
import { haveSent, LAGS, PAUSES, type WaitingHook } from './hook.lanes';
import { opened } from '../opened.secret';
import { secretPurpose } from './webhooks.service';

const STOPPED_AFTER = 50;
const SEND_MS = 10_000;
/** Who takes longer has their places among those that have failed. */
const SLOW_MS = 2000;
/** Longer than a send takes: who has not said more by then is dead. */
const LEASE_MS = 30_000;
/** How many of a store come before those of the next. */
const PORTION = 20;
const ROUND = 500;

/** The right to send for a hook: $1 store, $2 hook, $3 lease, $4 now. */
const LEASE = `
  UPDATE webhook_endpoint h SET lease = $3, leased_until = ${nowOf('$4')} + interval '${LEASE_MS} milliseconds'
  WHERE store_id = $1 AND id = $2 AND status = 'active' AND (leased_until IS NULL OR leased_until <= ${nowOf('$4')})
  RETURNING url, secret_enc, ${LAGS} AS lags`;
const HEAD = `
  SELECT event_id, kind, body, attempts, next_at FROM webhook_delivery
  WHERE store_id = $1 AND hook_id = $2 AND state = 'waiting' ORDER BY at, event_id LIMIT 1`;

/**
 * An acknowledged one is never sent again, whoever sends by now; what it said, often of people, is kept only as long as it waits. $4 state,
 * $5 attempts, $6 minutes until the next try, $7 now.
 */
const SETTLE = `
  UPDATE webhook_delivery SET state = $4, attempts = $5, next_at = ${nowOf('$7')} + make_interval(mins => $6), done_at = CASE WHEN $4 <> 'waiting' THEN $7::timestamptz END,
    body = CASE WHEN $4 = 'waiting' THEN body ELSE '' END
  WHERE store_id = $1 AND hook_id = $2 AND event_id = $3 AND state = 'waiting'`;

/** A test that fails counts as none. $3 lease, $4 whether it was taken, $5 status, $6 error, $7 now, $8 whether it took long, $9 whether it was a test. */
const RESULT = `
  UPDATE webhook_endpoint h SET leased_until = CASE WHEN lease = $3 THEN NULL ELSE leased_until END,
    failures = CASE WHEN $4 THEN 0 WHEN $9 THEN failures ELSE failures + 1 END, last_at = $7, last_status = $5, last_error = $6, updated_at = $7, slow = $8,
    status = CASE WHEN NOT $4 AND NOT $9 AND failures + 1 >= ${STOPPED_AFTER} THEN 'stopped' ELSE status END
  WHERE store_id = $1 AND id = $2 RETURNING status, ${LAGS} AS lags`;
/** What was to wait for its next try has it now: $3 now. */
const HASTEN = `
  UPDATE webhook_delivery SET next_at = $3
  WHERE store_id = $1 AND hook_id = $2 AND state = 'waiting' AND next_at > $3`;
const RELEASE = 'UPDATE webhook_endpoint SET leased_until = NULL WHERE store_id = $1 AND id = $2 AND lease = $3';
const GIVE_UP = `
  UPDATE webhook_delivery SET state = 'given_up', done_at = $3, body = ''
  WHERE store_id = $1 AND hook_id = $2 AND state = 'waiting'`;

/** Hooks of all stores that have something to send and nobody who does: $1 now. */
export const DUE_HOOKS = `
  SELECT due.store_id AS "storeId", due.id, due.lags FROM store s CROSS JOIN LATERAL (
    SELECT h.store_id, h.id, ${LAGS} AS lags, head.next_at FROM webhook_endpoint h CROSS JOIN LATERAL (
      SELECT d.next_at FROM webhook_delivery d WHERE d.store_id = h.store_id AND d.hook_id = h.id AND d.state = 'waiting'
      ORDER BY d.at, d.event_id LIMIT 1) head
    WHERE h.store_id = s.store_id AND h.status = 'active' AND head.next_at <= $1
      AND (h.leased_until IS NULL OR h.leased_until <= $1)
    ORDER BY head.next_at LIMIT ${PORTION}) due
  ORDER BY due.next_at LIMIT ${ROUND}`;

interface Leased {
  readonly url: string;
  readonly secret_enc: string;
  readonly lags: boolean;
}

interface Head {
  readonly event_id: string;
  readonly kind: string;
  readonly body: string;
  readonly attempts: number;
  readonly next_at: Date;
}

/** What is sent for a hook, under which lease. */
interface Sending extends Leased, Head {
  readonly lease: string;
}

interface Outcome {
  readonly status: number | null;
  /** Null: it was taken. */
  readonly error: string | null;
}

const UNREADABLE: Outcome = { status: null, error: 'The secret cannot be read: remove the webhook and add it anew' };

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
  readonly box: SecretBox;
  readonly addresses: SafeAddressOptions;
}

type Hook = CommerceJobs['webhook.deliver'];

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'It redirects, which is not followed' : `It answered ${status}`;
};

/** What a receiver checks: hex HMAC-SHA256 of `<timestamp>.<body>`. */
export const signatureOfNews = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Sends what waits for hooks: of each hook one after the other, by whoever holds its lease. A process that dies between a send and its note
 * leaves the news to the next, which sends it under the same `X-Event-Id`.
 */
export class HookDeliveries {
  constructor(private readonly parts: Parts) {}

  /** Does `webhook.deliver`: one send. */
  async deliver({ storeId, id }: Hook, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
    const { database, clock } = this.parts;
    const [lease, now] = [uuidv7(), clock.now()];
    const [leased] = await database.query<Leased>(LEASE, [storeId, id, lease, now]);
    if (!leased) return;
    // In a statement of its own: whoever waited for the lease is not to see what was waiting before
    const head = await this.headOf(database, { storeId, id });
    if (!head || this.isLate(now)) return this.release({ storeId, id, lags: leased.lags }, lease);
    const sending = { ...leased, ...head, lease };
    const outcome = await this.send({ storeId, id }, sending, signal);
    const slow = clock.now().getTime() - now.getTime() > SLOW_MS;
    await database.tx((tx) => this.note(tx, { storeId, id }, sending, { ...outcome, slow }));
  }

  /** Does `webhook.due`, every minute: those whose next try has come, or whose sender has died. */
  async due(): Promise<void> {
    const { database, clock, queue } = this.parts;
    const due = await database.query<WaitingHook>(DUE_HOOKS, [clock.now()]);
    for (const hook of due) await haveSent(queue, database, hook);
  }

  /** Whoever stood still since may have been overtaken, and what it would send now, too; nor may a send outlast the lease. */
  private isLate(leasedAt: Date): boolean {
    return this.parts.clock.now().getTime() - leasedAt.getTime() > LEASE_MS - SEND_MS;
  }

  private async release(hook: WaitingHook, lease: string): Promise<void> {
    await this.parts.database.tx(async (tx) => {
      await tx.query(RELEASE, [hook.storeId, hook.id, lease]);
      await this.goOn(tx, hook);
    });
  }

  /** What is to be sent next, when it is due. */
  private async headOf(sql: Sql, { storeId, id }: Hook): Promise<Head | undefined> {
    const [head] = await sql.query<Head>(HEAD, [storeId, id]);
    return head && head.next_at <= this.parts.clock.now() ? head : undefined;
  }

  private async send({ storeId, id }: Hook, head: Sending, signal: AbortSignal): Promise<Outcome> {
    const { box, clock, logger, addresses } = this.parts;
    const { url, body, event_id: eventId } = head;
    const secret = opened(box, head.secret_enc, secretPurpose(storeId, id));
    if (secret === undefined) {
      logger.warn('the secret of a webhook cannot be read', { storeId, webhook: id });
      return UNREADABLE;
    }
    const timestamp = String(clock.now().getTime());
    const signature = signatureOfNews(secret, timestamp, body);
    const signed = { 'x-event-id': eventId, 'x-timestamp': timestamp, 'x-signature': signature };
    const headers = { 'content-type': 'application/json', 'user-agent': 'commerce-api webhooks', ...signed };
    try {
      const status = await safeSend(url, { ...addresses, body, headers, timeoutMs: SEND_MS, signal });
      return { status, error: errorOf(status) };
    } catch (failure) {
      if (signal.aborted || !(failure instanceof Rejected || failure instanceof SendFailed)) throw failure;
      return { status: null, error: failure.message };
    }
  }

  private async note(
    tx: Transaction,
    hook: Hook,
    { lease, event_id: eventId, kind, attempts, url }: Sending,
    { status, error, slow }: Outcome & { readonly slow: boolean },
  ): Promise<void> {
    const { storeId, id } = hook;
    const now = this.parts.clock.now();
    const pause = PAUSES[attempts];
    const failed = pause === undefined ? 'given_up' : 'waiting';
    const [taken, isTest] = [error === null, kind === 'test'];
    const [row] = await tx.query<{ status: string; lags: boolean }>(RESULT, [
      storeId,
      id,
      lease,
      taken,
      status,
      error,
      now,
      slow,
      isTest,
    ]);
    if (!row) return;
    await tx.query(SETTLE, [storeId, id, eventId, taken ? 'delivered' : failed, attempts + 1, pause ?? 0, now]);
    // Whoever takes a test takes what it has failed to take before
    if (taken && isTest) await tx.query(HASTEN, [storeId, id, now]);
    if (row.status === 'active') return this.goOn(tx, { ...hook, lags: row.lags });
    await tx.query(GIVE_UP, [storeId, id, now]);
    const params = { host: new URL(url).host };
    // Each time that it is stopped
    const notice = { storeId, id: `hook:${id}:${eventId}`, params, url: '/settings/webhooks' };
    await notify(tx, { ...notice, event: 'webhook.stopped' });
  }

  /** After the lease is given back, so that what was written meanwhile is seen here or by whoever waited for it. */
  private async goOn(tx: Transaction, hook: WaitingHook): Promise<void> {
    if (await this.headOf(tx, hook)) await haveSent(this.parts.queue, tx, hook);
  }
}
