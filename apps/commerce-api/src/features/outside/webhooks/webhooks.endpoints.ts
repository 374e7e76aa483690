import type { Database } from '@platform/data';
import { area, dataOf, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { MadeWebhook, NewWebhook, WebhooksAnswer } from './webhooks.dto';
import { webhookRefusals, type WebhooksService } from './webhooks.service';
import { webhooksOf } from './webhooks.sql';

interface Parts {
  readonly database: Database;
  readonly hooks: WebhooksService;
  readonly by: ReturnType<typeof byOf>;
}

const SIGNED = [
  'Every event is a POST of JSON `{id, event, created_at, data}` with `X-Event-Id` (the same at every try), `X-Timestamp` (ms since',
  '1970) and `X-Signature`: hex HMAC-SHA256 of `<timestamp>.<body>` under the secret. Any 2xx takes it; anything else is tried again',
  'ten times in about 14 hours, and what comes after waits for it. Redirects are not followed. 50 failures in a row stop it. The event `test`, without data, is sent once to whoever tries it on its page.',
].join(' ');

export const webhooksEndpoints = ({ database, hooks, by }: Parts): Endpoint[] =>
  area({ prefix: '/api/settings/webhooks', tag: 'Settings and reports' }, [
    endpoint({
      get: '',
      summary: 'Outgoing webhooks and last result',
      guard: 'settings.read',
      reply: WebhooksAnswer,
      refuses: [],
      handle: async ({ caller }) => ({ data: await webhooksOf(database, caller.storeId) }),
    }),
    endpoint({
      post: '',
      summary: 'Add outgoing webhook',
      description: SIGNED,
      guard: 'settings.write',
      status: 201,
      body: NewWebhook,
      reply: dataOf(MadeWebhook, 'Webhook created'),
      refuses: [webhookRefusals.tooMany],
      handle: (input) => hooks.create(by(input), input.body),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Remove outgoing webhook',
      guard: 'settings.write',
      reply: done('Webhook deleted'),
      refuses: ['notFound'],
      handle: (input) => hooks.remove(by(input), input.params.id),
    }),
  ]);
