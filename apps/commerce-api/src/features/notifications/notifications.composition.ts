import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import type { ChatMessages } from '../../clients/chat.messages';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import { lowStockDigest } from './digest/low-stock.digest';
import { noticesOfEvents } from './notices/event.notices';
import { Notices } from './notices/notices';
import { notesPages } from './notices/notes.pages';
import { notificationsEndpoints } from './notices/notifications.endpoints';

interface Parts extends Omit<AreaParts, 'cursors'> {
  readonly mailer: Mailer;
  readonly messages: ChatMessages | undefined;
}

/** What nobody has read by then was not important. */
const NOTES = { table: 'notification', column: 'created_at', keepMs: 90 * 86_400_000 };
const HOURLY = [{ pattern: '5 * * * *' }];

/** What the members of a store are told. */
export const composeNotifications = (
  { PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, queue, live, mailer, messages }: Parts,
): Area => {
  const notices = new Notices({ database, queue, clock, logger, live, mailer, outside: { messages, publicUrl } });
  const hear = noticesOfEvents(database);
  const digest = lowStockDigest(database, clock);
  return {
    endpoints: notificationsEndpoints(database, clock),
    pages: [notesPages(database, clock)],
    components: [new Housekeeping(database, { clock, logger, expired: [NOTES] })],
    abilities: [],
    jobs: {
      'event.notices': { effect: 'inside', run: hear },
      'notification.send': { effect: 'inside', run: (notice) => notices.tell(notice) },
      'notification.mail': { effect: 'outside', run: (sending) => notices.mail(sending) },
      'notification.chat': { effect: 'outside', run: (sending) => notices.chat(sending) },
      'digest.low-stock': { effect: 'inside', run: (_none, { signal }) => digest(signal), cron: HOURLY },
    },
  };
};
