import { Choice, Flag, List, Nested, Text } from '@platform/validation';
import { ChatRef } from '../inbox/public';
import { ChatHistoryStruct, ChatListStruct, CustomerStruct, HandleGudangStruct } from '../records/public';

const NOTE = { optional: true, max: 1000 } as const;
const ACTING = { optional: true, max: 64, description: 'who acts, for callers without a token' } as const;

export class HandleChat extends ChatRef {
  @Text({ optional: true, max: 64, description: 'who takes the chat; required without a token' }) user_id?: string;
  @Flag({ optional: true, description: 'takes it over from a colleague: supervisors' }) force?: boolean;
}

export class OpenChat extends ChatRef {
  @Text(NOTE) catatan?: string;
  @Text(ACTING) user_id?: string;
}

export class PendingChat extends OpenChat {
  @Text({ optional: true, format: 'minute', description: 'in the time zone of the store, within 90 days' })
  pending_until?: string;
}

export class FinishChat extends OpenChat {
  @Choice(['selesai', 'spam', 'duplikat', 'lainnya'], { optional: true }) alasan?:
    'selesai' | 'spam' | 'duplikat' | 'lainnya';
  @Flag({ optional: true, description: "sends the store's satisfaction question" }) kirim_csat?: boolean;
}

export class MoveChat extends ChatRef {
  @Text({ max: 36, example: '4' }) to_team!: string;
  @Text({ optional: true, max: 64, description: 'who handles it there' }) user_id?: string;
  @Text({ optional: true, max: 64, description: 'warehouse that takes care of the order' }) gudang_id?: string;
  @Text(NOTE) catatan?: string;
}

/** What every lifecycle call answers (design 2.4). */
export class LifecycleReply {
  @Text({ example: 'success handle chat' }) message!: string;
  @Nested(() => ChatListStruct) data!: ChatListStruct;
  @List(() => ChatHistoryStruct, { description: 'the events of this call; none when nothing changed' })
  history!: ChatHistoryStruct[];
  @Nested(() => HandleGudangStruct, { nullable: true }) handle_gudang!: HandleGudangStruct | null;
  @Nested(() => CustomerStruct) customer!: CustomerStruct;
}
