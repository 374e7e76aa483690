import { Choice, Nested, Text } from '@platform/validation';
import { ChatRef } from '../inbox/inbox.dto';
import { ChatInboxStruct, ChatListStruct } from '../records/record.dto';
import { chatStatuses } from '../records/record.sql';

/** What every send has beside its content. */
export class SendBase extends ChatRef {
  @Text({
    optional: true,
    max: 128,
    description: 'id chosen by the caller: the same id again answers the stored message and sends nothing',
  })
  pesan_id?: string;
  @Text({ optional: true, max: 128, description: 'a pesan_id of the same chat' }) quoteMsg?: string;
  @Choice(chatStatuses, { optional: true, description: 'send only while the chat is in this state' })
  if_status?: string;
  @Text({ optional: true, max: 64, description: 'who sends, for callers without a token' }) user_id?: string;
}

export class SendMessage extends SendBase {
  @Text({ max: 4096, example: 'Ada kak, stok 7' }) pesan!: string;
}

export class SendReply {
  @Text({ example: 'success send message' }) message!: string;
  @Nested(() => ChatInboxStruct) data!: ChatInboxStruct;
  @Nested(() => ChatListStruct) chat_list!: ChatListStruct;
}
