import { Text } from '@platform/validation';
import type { Typed } from '../../../web/sessions/drafts';
import { NewMessage, RoomsQuery } from './rooms.dto';

/** Which room is open, and which of its messages. */
export class RoomPageQuery extends RoomsQuery {
  @Text({ optional: true, format: 'uuid' }) room?: string;
  @Text({ optional: true, max: 500, description: 'Older messages' }) cursor?: string;
}

export class Said extends NewMessage {
  @Text({ format: 'uuid' }) room!: string;
}

/** One box alone comes as a text. */
export const roomTyped = (typed: Typed): Typed => ({ ...typed, user_ids: [typed.user_ids ?? []].flat() as string[] });
