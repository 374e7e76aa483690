import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { ChatDesk } from '../../clients/chat.desk';
import type { ChatLive } from '../../clients/chat.live';
import type { WaGateway } from '../../clients/wa.gateway';
import { conversationsEndpoints, ConversationsService } from './conversations/public';
import { InboxDesk, inboxPages } from './desk/public';
import { inboxAbilities } from './inbox.abilities';
import type { MediaLibrary } from '../media/uploads/public';
import type { Subscriptions } from '../notifications/pushes/public';
import { MessageContents, type MessageFiles } from './messages/public';
import { waEndpoints, WaGroups, WaService } from './wa/public';
import { widgetEndpoints } from './widget/public';

interface InboxNeeds extends AreaParts {
  readonly chat: ChatDesk;
  readonly sockets: ChatLive;
  /** Undefined: of groups no more is known than chat-backend tells. */
  readonly gateway: WaGateway | undefined;
  /** Where browsers find the files of chats. */
  readonly chatFiles: string | undefined;
  readonly files: MessageFiles & Pick<MediaLibrary, 'keepOnce'>;
  readonly browsers: Subscriptions;
}

/** Conversations and single messages, faces over chat-backend; how the chat of the website looks is kept here. */
export const composeInbox = (needs: InboxNeeds): Area => {
  const { database, clock, chat, sockets, gateway, files, chatFiles, browsers } = needs;
  const contents = new MessageContents(files);
  const conversations = new ConversationsService({ database, chat, contents });
  const groups = new WaGroups({ database, chat, gateway });
  const wa = new WaService({ database, chat, contents });
  const by = byOf(clock);
  return {
    endpoints: [
      ...conversationsEndpoints({ conversations, by }),
      ...widgetEndpoints(database, by),
      ...waEndpoints({ wa, groups, by }),
    ],
    pages: [
      inboxPages({
        ...{ database, conversations, files, by, live: sockets, browsers },
        desk: new InboxDesk({ database, chat, chatFiles }),
      }),
    ],
    components: [],
    abilities: inboxAbilities,
  };
};
