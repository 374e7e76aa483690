import type { Area, AreaParts } from '../../area';
import type { ChatSyncClient } from '../../clients/chat.sync';
import { ChatCopies, type CopiedKind, type CopiedRows } from './copies/public';

interface ChatParts extends Pick<AreaParts, 'database' | 'clock' | 'logger' | 'queue'> {
  readonly chat: ChatSyncClient | undefined;
  /** Each kind of row is read by the area that owns it. */
  readonly kinds: Partial<Readonly<Record<CopiedKind, CopiedRows>>>;
}

/** What chat-backend is told of this service's rows. */
export const composeChat = ({ database, kinds, ...parts }: ChatParts): Area & { readonly copies: ChatCopies } => {
  const copies = new ChatCopies({ ...parts, sql: database }, kinds);
  return {
    copies,
    endpoints: [],
    components: [],
    abilities: [],
    // A repeat changes nothing there
    jobs: { 'chat.sync': { effect: 'inside', run: (store, { signal }) => copies.push(store, signal) } },
  };
};
