import { jobQueue } from '../../../jobs';
import type { Commerce } from '../../../commerce.fixture';
import type { Ask } from '../../../asked.fixture';
import type { MadeWebhook, Webhook } from './webhooks.dto';

export const PATH = '/settings/webhooks';

export const addHook = async (ask: Ask, url: string, events: readonly string[]): Promise<MadeWebhook> =>
  (await ask<MadeWebhook>('POST', PATH, { url, events })).body.data;

export const hooksOf = async (ask: Ask): Promise<Webhook[]> => (await ask<Webhook[]>('GET', PATH)).body.data;

/** Has everything sent whose time has come. */
export const lookForDue = async ({ database }: Pick<Commerce, 'database'>): Promise<void> => {
  await jobQueue().enqueue(database, 'webhook.due', {});
};

interface Delivery {
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
}

export const deliveriesOf = ({ database }: Pick<Commerce, 'database'>, hookId: string): Promise<Delivery[]> =>
  database.query(`SELECT kind, state, attempts FROM webhook_delivery WHERE hook_id = $1 ORDER BY at, event_id`, [
    hookId,
  ]);
