import { deliveryStatuses, type DeliveryStatus } from '@platform/contracts';
import { Choice, Flag, Int, Json, List, Nested, Text, Texts } from '@platform/validation';
import { NotificationCounts } from '../notifications/public';
import { ChatHistoryStruct, ChatInboxStruct, ChatListStruct } from '../records/public';

const CHAT_ID = { example: 'S1.0192f3a0-0000-7000-8000-000000000000' } as const;

export class NewMessage {
  @Text(CHAT_ID) chatId!: string;
  @Int({ description: 'of the message in its chat, counted from 1 without gaps' }) seq!: number;
  @Nested(() => ChatInboxStruct) inbox!: ChatInboxStruct;
  @Nested(() => ChatListStruct) chat_list!: ChatListStruct;
}

export class StatusMessage {
  @Text(CHAT_ID) chatId!: string;
  @Text() pesan_id!: string;
  @Int() seq!: number;
  @Choice(deliveryStatuses) status_ack!: DeliveryStatus;
  @Int({ nullable: true, description: 'epoch seconds' }) timestamp!: number | null;
}

export class ChatListed {
  @Choice(['upsert']) op!: 'upsert';
  @Nested(() => ChatListStruct) chat_list!: ChatListStruct;
  @Int({ description: 'drop the event unless this is newer than what is shown' }) version!: number;
}

/** Names the chat only: what it holds is no longer theirs. */
export class ChatName {
  @Text(CHAT_ID) chatId!: string;
  @Text() team!: string;
  @Int() version!: number;
}

export class ChatUnlisted {
  @Choice(['remove']) op!: 'remove';
  @Nested(() => ChatName) chat_list!: ChatName;
  @Int({ description: 'drop the event unless this is newer than what is shown' }) version!: number;
}

export class TeamUnread {
  @Text() team!: string;
  @Int({ description: 'unread chats, capped at 1000' }) unread_chat!: number;
}

export class HistoryAdded {
  @Text(CHAT_ID) chatId!: string;
  @List(() => ChatHistoryStruct) history!: ChatHistoryStruct[];
}

export class ChatNamed {
  @Text(CHAT_ID) chatId!: string;
}

export class Done {
  @Flag({ example: true }) result!: boolean;
}

export class NoSuchChat {
  @Flag({ example: false }) result!: boolean;
  @Text({ example: 'chat tidak ditemukan' }) message!: string;
  @Choice(['chat_not_found']) code!: 'chat_not_found';
}

export class RequestFailed {
  @Text({ example: 'request failed' }) error!: string;
}

export class SyncRequest {
  @Json({ optional: true, description: 'chatId: the last seq the client has; at most 200' }) chats?: object;
  @Json({ optional: true, description: 'chatId: the version of the list row it shows; at most 200' }) versions?: object;
}

export class Missed {
  @Json({
    description:
      'chatId: { inbox, last_seq } with the messages (ChatInboxStruct) behind the last known seq, or { reset: true } when there are too many of them, or it is none of the first 200 chats: read chat_inbox anew',
  })
  chats!: object;
  @List(() => ChatListStruct, { description: 'list rows whose version differs' }) changed!: ChatListStruct[];
  @Texts({ description: 'chats that the caller may not see any more' }) gone!: string[];
  @Nested(() => NotificationCounts) totalNotif!: NotificationCounts;
}
