import type { Database } from '@platform/data';
import { openOutbox, type Outbox } from '@platform/outbox';
import type { Logger, Sends } from '@platform/runtime';
import type { ChatClient } from '../../clients/chat.client';
import { pushDelivery } from './push.delivery';
import { PUSH_KINDS, type PushPayload } from './push.rows';

interface Parts {
  readonly database: Database;
  readonly logger: Logger;
  readonly sends: Sends;
  readonly chat: ChatClient;
}

/** The way to chat-backend for what no HTTP caller waits for: in order per conversation, at least once. */
export const composePush = ({ database, logger, sends, chat }: Parts): Outbox =>
  openOutbox<PushPayload>({
    ...{ database, logger, sends, name: 'push', kinds: PUSH_KINDS },
    deliver: pushDelivery(chat, logger),
    share: 8,
  });
