import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import type { SafeAddressOptions } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { demandPublic } from './hook.address';
import { hookEvents, type MadeWebhook, type NewWebhook } from './webhooks.dto';

const MOST = 20;

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
const DELETE = 'DELETE FROM webhook_endpoint WHERE store_id = $1 AND id = $2 RETURNING url, events';

export interface WebhookParts {
  readonly database: Database;
  readonly box: SecretBox;
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
    const [id, secret] = [uuidv7(), `whsec_${randomBytes(32).toString('base64url')}`];
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

  /** What waits for it is told nobody. */
  remove(by: Writer, id: string): Promise<void> {
    return this.parts.database.tx((tx) => this.removeIn(tx, by, id));
  }

  async removeIn(tx: Transaction, by: Writer, id: string): Promise<void> {
    const [row] = await tx.query<{ url: string; events: string[] }>(DELETE, [by.storeId, id]);
    if (!row) throw new NotFound('Webhook not found');
    const before = { host: new URL(row.url).host, events: row.events };
    await audited(tx, by, { action: 'settings.write', type: 'webhook', id, before });
  }
}

const unknownEvent = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'oneof', message: `${field} must be one of ${hookEvents.join(', ')}` }]);

const refuseTooMany = async (tx: Transaction, storeId: string): Promise<void> => {
  await tx.query(LOCK, [storeId]);
  const [row] = await tx.query<{ hooks: number }>(COUNT, [storeId]);
  if ((row?.hooks ?? 0) >= MOST) throw webhookRefusals.tooMany();
};
