import type { ChatCopies } from './features/chat/copies/public';
import type { Pushes } from './features/identity/access/public';
import type { composeMedia } from './features/media/media.composition';

/** Areas that others stand on: the files of the shop, and what chat-backend has copies of. */
export interface Beside {
  readonly media: ReturnType<typeof composeMedia>;
  readonly copies: ChatCopies;
  readonly pushes: Pushes;
}
