import type { Area, AreaParts } from '../../area';
import type { ChatSyncClient } from '../../clients/chat.sync';
import { customerCopies } from '../contacts/copies/public';
import { ChatCopies } from './copies/public';

interface ChatParts extends Pick<AreaParts, 'database' | 'clock' | 'logger' | 'queue'> {
  readonly chat: ChatSyncClient | undefined;
}

/** What chat-backend is told of this service's rows; each kind of row is read by the area that owns it. */
export const composeChat = ({ database, ...parts }: ChatParts): Area & { readonly copies: ChatCopies } => {
  const copies = new ChatCopies({ ...parts, sql: database }, { customers: customerCopies });
  return {
    copies,
    endpoints: [],
    components: [],
    abilities: [],
    // A repeat changes nothing there
    jobs: { 'chat.sync': { effect: 'inside', run: (store, { signal }) => copies.push(store, signal) } },
  };
};
