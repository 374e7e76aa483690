import type { Database } from '@platform/data';
import { Text } from '@platform/validation';
import type { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { NewWebhook } from './webhooks.dto';
import { webhooksOf } from './webhooks.sql';
import type { WebhooksService } from './webhooks.service';
import { webhookTexts } from './webhooks.texts';
import { WebhooksView } from './webhooks.view';

interface Parts {
  readonly database: Database;
  readonly hooks: WebhooksService;
  readonly by: ReturnType<typeof byOf>;
}

class HookNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/settings/webhooks';
const labels = (t: Reader) => {
  const { url, events } = webhookTexts(t);
  return { url, events, 'events[]': events };
};
const conflicts = { too_many_webhooks: { text: (t: Reader) => webhookTexts(t).tooMany } };

/** Programs that hear what happens in a shop. A secret is shown when it is made, on the answer itself. */
export const webhooksPages = ({ database, hooks, by }: Parts): Pages => {
  const all = page({
    ...{ get: TO, ability: 'settings.read', back: '/settings/shop', isSecret: true, labels, conflicts },
    title: ({ t }) => t.nav.places.webhooks,
    load: async ({ viewer: { caller } }) => ({ hooks: await webhooksOf(database, caller.storeId) }),
    view: WebhooksView,
  });
  const posted = actions({
    ...{ post: TO, ability: 'settings.write', of: all },
    on: {
      create: action({
        body: NewWebhook,
        // It asks the internet for the address
        before: ({ body }) => hooks.check(body),
        run: ({ viewer, body, tx }) => hooks.add(tx, by(viewer), body),
        shows: (made) => ({ made }),
        done: (_, { t }) => ({ to: TO, flash: webhookTexts(t).made }),
      }),
      renew: action({
        body: HookNamed,
        run: ({ viewer, body, tx }) => hooks.renewIn(tx, by(viewer), body.id),
        shows: (made) => ({ made }),
        done: (_, { t }) => ({ to: TO, flash: webhookTexts(t).renewed }),
      }),
      try: action({
        body: HookNamed,
        run: ({ viewer, body, tx }) => hooks.tryIn(tx, by(viewer), body.id),
        done: (tried, { t }) => ({ to: TO, flash: webhookTexts(t).tried[tried] }),
      }),
      remove: action({
        body: HookNamed,
        run: ({ viewer, body, tx }) => hooks.removeIn(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to: TO, flash: webhookTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
