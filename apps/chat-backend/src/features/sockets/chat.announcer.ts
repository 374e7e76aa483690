import { chatRooms, type ChatEvents, type DeliveryStatus } from '@platform/contracts';
import type { Emitter } from '@platform/realtime';

/** The fields of a list record that say who must hear of it. */
interface ListRecord {
  readonly chatId: string;
  readonly team: string;
  readonly version: number;
}

interface InboxRecord {
  readonly seq: number;
}

const QUIET_MS = 250;

const storeOf = (chatId: string): string => chatId.slice(0, chatId.indexOf('.'));

/**
 * Tells agents' clients what was committed. Rows and counters travel in the event, so that no client has to ask again.
 * A chat's list row is told at once and then at most every 250 ms, its latest version last.
 */
export class ChatAnnouncer {
  private readonly quiet = new Map<string, ListRecord | undefined>();

  constructor(private readonly sockets: Emitter<ChatEvents>) {}

  newMessage(inbox: object, list: object): void {
    const { chatId } = list as ListRecord;
    this.sockets.emit(chatRooms.chat(storeOf(chatId), chatId), 'newMessage', {
      chatId,
      seq: (inbox as InboxRecord).seq,
      inbox,
      chat_list: list,
    });
    this.listChanged(list);
  }

  listChanged(list: object): void {
    const record = list as ListRecord;
    if (this.quiet.has(record.chatId)) {
      const waiting = this.quiet.get(record.chatId);
      if (!waiting || waiting.version <= record.version) this.quiet.set(record.chatId, record);
      return;
    }
    this.quiet.set(record.chatId, undefined);
    this.tell(record);
    setTimeout(() => {
      const latest = this.quiet.get(record.chatId);
      this.quiet.delete(record.chatId);
      if (latest) this.listChanged(latest);
    }, QUIET_MS).unref();
  }

  history(chatId: string, history: readonly object[]): void {
    this.sockets.emit(chatRooms.chat(storeOf(chatId), chatId), 'historyChat', { chatId, history });
  }

  status(status: {
    chatId: string;
    pesan_id: string;
    seq: number;
    status_ack: DeliveryStatus;
    timestamp: number | null;
  }): void {
    this.sockets.emit(chatRooms.chat(storeOf(status.chatId), status.chatId), 'statusMessage', status);
  }

  private tell(record: ListRecord): void {
    this.sockets.emit(chatRooms.team(storeOf(record.chatId), record.team), 'updateChatlist', {
      op: 'upsert',
      chat_list: record,
      version: record.version,
    });
  }
}
