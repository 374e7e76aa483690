import type { Database } from '@platform/data';
import type { Task } from '@platform/jobs';
import type { ChatAnnouncer } from '../sockets/public';
import type { AdoptPayload } from './adopt.payload';
import type { SyncRepository } from './sync.repository';

export interface AdoptDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: SyncRepository;
  readonly announcer: Pick<ChatAnnouncer, 'adopted'>;
}

/** Takes in what a push of teams has left of a team that is gone, a few chats at a time: whoever writes one of them waits. */
export const adoptJob =
  ({ database, repository, announcer }: AdoptDependencies): Task<AdoptPayload> =>
  async ({ storeId }, { signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const chats = await database.tx((tx) => repository.in(tx).adoptChats([storeId]));
      for (const chat of chats) announcer.adopted(chat);
      // Fewer than a portion: some may have been moved meanwhile
      if (chats.length === 0) return;
    }
  };
