import { secretBox } from '@platform/auth';
import { Housekeeping } from '@platform/data';
import type { Task } from '@platform/jobs';
import type { Area, AreaParts } from '../../area';
import type { ChatMessages } from '../../clients/chat.messages';
import type { Mailer } from '../../clients/mail.client';
import { PushHosts } from '../../clients/push.hosts';
import { webPushServices } from '../../clients/push.services';
import { vapidOf } from '../../clients/push.settings';
import type { LoginsClient } from '../../clients/store-auth.logins';
import type { Config } from '../../config';
import type { BrowserPush } from '../../notice.types';
import { lowStockDigest } from './digest/low-stock.digest';
import { noticesOfEvents } from './notices/event.notices';
import { Notices } from './notices/notices';
import { notesPages } from './notices/notes.pages';
import { notificationsEndpoints } from './notices/notifications.endpoints';
import { openSubscriptions, PushSends } from './pushes/public';

interface Parts extends Omit<AreaParts, 'cursors'> {
  readonly mailer: Mailer;
  readonly messages: ChatMessages | undefined;
  readonly logins: LoginsClient;
}

/** What nobody has read by then was not important. */
const NOTES = { table: 'notification', column: 'created_at', keepMs: 90 * 86_400_000 };
/** Nobody was reached in it for so long. */
const BROWSERS = { table: 'push_subscription', column: 'seen_at', keepMs: 90 * 86_400_000 };
/** So long chat-backend may tell one again. */
const NEWS = { table: 'push_event', column: 'at', keepMs: 8 * 86_400_000 };
const HOURLY = [{ pattern: '5 * * * *' }];

/** Without a key there is nobody to tell: what waits from before is let go. */
const pushing = (
  config: Config,
  { database: sql, clock, logger }: Pick<AreaParts, 'database' | 'clock' | 'logger'>,
): Task<BrowserPush> => {
  const vapid = vapidOf(config);
  if (!vapid) return () => Promise.resolve();
  const services = webPushServices(vapid, { allow: config.PUSH_ALLOW_HOSTS });
  const box = secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const sends = new PushSends({ sql, clock, logger, box, services, hosts: new PushHosts() });
  return (push, job) => sends.send(push, job);
};

/** What the members of a store are told. */
export const composeNotifications = (
  config: Config,
  { database, clock, logger, queue, live, mailer, messages, logins }: Parts,
): Area => {
  const { PUBLIC_URL: publicUrl } = config;
  const notices = new Notices({ database, queue, clock, logger, live, mailer, outside: { messages, publicUrl } });
  const browsers = openSubscriptions(config, { clock, logins, sql: database });
  const hear = noticesOfEvents(database);
  const digest = lowStockDigest(database, clock);
  return {
    endpoints: notificationsEndpoints(database, clock, browsers),
    pages: [notesPages(database, clock)],
    components: [new Housekeeping(database, { clock, logger, expired: [NOTES, BROWSERS, NEWS] })],
    abilities: [],
    jobs: {
      'event.notices': { effect: 'inside', run: hear },
      'notification.send': { effect: 'inside', run: (notice) => notices.tell(notice) },
      'notification.mail': { effect: 'outside', run: (sending) => notices.mail(sending) },
      'notification.chat': { effect: 'outside', run: (sending) => notices.chat(sending) },
      'push.send': { effect: 'outside', run: pushing(config, { database, clock, logger }) },
      'digest.low-stock': { effect: 'inside', run: (_none, { signal }) => digest(signal), cron: HOURLY },
    },
  };
};
