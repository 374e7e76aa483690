import type { MediaLinks } from '../media/public';
import type { NotificationAnnouncer } from '../notifications/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { Ingested, StoredMessage } from './ingest.repository';

/** Tells of a stored message: the caller by the answer, the agents by their sockets. Links to files are signed for both. */
export class InboundAnnouncer {
  constructor(
    private readonly media: MediaLinks,
    private readonly announcer: Pick<ChatAnnouncer, 'newMessage' | 'history'>,
    private readonly notifications: Pick<NotificationAnnouncer, 'notified'>,
  ) {}

  /** `data` of the answer as JSON text (contract: newChatInbox, chat_list, chat_order, handle_gudang, customer, history). */
  answer({ inbox, list, others }: StoredMessage): string {
    return this.media.sign(`{"newChatInbox":${inbox},"chat_list":${list},${others.slice(1)}`);
  }

  /** Sockets take objects, so the two records that they are told are read; nothing else of the answer is. */
  announce({ chatId, inbox, list, event, notified }: Ingested): void {
    this.announcer.newMessage(JSON.parse(this.media.sign(inbox)) as object, JSON.parse(list) as object);
    if (event) this.announcer.history(chatId, [event]);
    this.notifications.notified(notified);
  }
}
