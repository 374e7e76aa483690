import { LONGEST_ADDRESS } from '@platform/contracts';
import { Int, Nested, Text } from '@platform/validation';
import { ChatInboxStruct } from '../records/public';

/** How every call names a chat; `chatId` wins and must belong to the same number and device. */
export class ChatRef {
  @Text({ max: LONGEST_ADDRESS, description: "the customer's number", example: '6281234567890' }) nohp!: string;
  @Text({ max: 64, description: 'the device', example: 'dev1' }) instance!: string;
  @Text({ max: 36, example: '3' }) team!: string;
  @Text({ optional: true, max: 80 }) chatId?: string;
  @Text({ optional: true, max: 80 }) customerId?: string;
}

/** `limit` and `offset` are numeric texts in the contract; absent, empty and "0" mean the default. */
export class InboxQuery extends ChatRef {
  @Text({
    optional: true,
    format: 'numeric',
    description: 'number of messages, 50 unless given, at most 200',
    example: '50',
  })
  limit?: string;
  @Text({
    optional: true,
    format: 'numeric',
    description: 'messages to pass over, counted from the newest',
    example: '0',
  })
  offset?: string;
  @Text({
    ...{ optional: true, max: 100, trim: true, visible: true },
    description: 'only messages with these words in this order, of the next 5,000 behind the offset',
  })
  search?: string;
}

export class PositionQuery {
  @Text({ max: 128 }) pesan_id!: string;
  @Text({ max: LONGEST_ADDRESS }) nohp!: string;
  @Text({ max: 64 }) instance!: string;
}

export class PositionReply {
  @Int({ description: 'newer messages in the chat' }) offset!: number;
  @Text({ description: 'YYYY-MM-DD HH:MM in the time zone of the store' }) waktu!: string;
}

export class InboxDetailQuery {
  @Text({ max: 120 }) chatInboxId!: string;
}

export class InboxDetailReply {
  @Nested(() => ChatInboxStruct) data!: ChatInboxStruct;
}

export class MessageReply {
  @Text({ example: 'success mark as read' }) message!: string;
}
