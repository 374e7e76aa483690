import { chatRooms, type ChatEvents, type DeliveryStatus } from '@platform/contracts';
import type { Realtime } from '@platform/realtime';
import type { Coalescer } from './coalescer';

/** The fields of a list record that say who must hear of it. */
interface ListRecord {
  readonly chatId: string;
  readonly team: string;
  readonly version: number;
  readonly status_escalate?: string;
}

/** Who was asked for help with a chat of another team. */
export interface Asked {
  readonly toTeam: string | null;
  readonly toUser: string | null;
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

  constructor(
    private readonly sockets: Pick<Realtime<ChatEvents>, 'emit' | 'evict'>,
    /** Unread chats per team; told at most once a second. */
    private readonly teams: Pick<Coalescer, 'add'>,
    /** Who is asked for help with an escalated chat at this moment. Never rejects. */
    private readonly askedFor: (chatId: string) => Promise<Asked | undefined>,
  ) {}

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

  /** The chat is another team's now: the old one drops the row, and those who may not follow hear no more of its messages. */
  movedAway(list: object, from: string): void {
    const record = list as ListRecord;
    this.remove(record, [chatRooms.team(storeOf(record.chatId), from)]);
    this.teams.add(storeOf(record.chatId), from);
  }

  /** An escalated chat also shows in the list of those who were asked. */
  asked(list: object, asked: Asked): void {
    const record = list as ListRecord;
    this.upsert(this.askedRooms(record, asked), record);
  }

  /** `now` names who is asked instead. */
  askedNoMore(list: object, asked: Asked, now?: Asked): void {
    const record = list as ListRecord;
    const still = now ? this.askedRooms(record, now) : [];
    this.remove(
      record,
      this.askedRooms(record, asked).filter((room) => !still.includes(room)),
    );
  }

  deviceChanged(storeId: string, device: object): void {
    this.sockets.emit(chatRooms.store(storeId), 'deviceStatus', device);
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

  private askedRooms({ chatId }: ListRecord, { toTeam, toUser }: Asked): string[] {
    const store = storeOf(chatId);
    return [
      ...(toTeam === null ? [] : [chatRooms.team(store, toTeam)]),
      ...(toUser === null ? [] : [chatRooms.user(store, toUser)]),
    ];
  }

  /** Names the chat only: what it holds is no longer theirs. Who is in the chat's team keeps it. */
  private remove({ chatId, team, version }: ListRecord, rooms: readonly string[]): void {
    const store = storeOf(chatId);
    const keep = [chatRooms.team(store, team)];
    for (const room of rooms.filter((one) => !keep.includes(one))) {
      this.sockets.emit(room, 'updateChatlist', { op: 'remove', chat_list: { chatId, team, version }, version }, keep);
      this.sockets.evict(room, [chatRooms.chat(store, chatId)], keep);
    }
  }

  private tell(record: ListRecord): void {
    const team = chatRooms.team(storeOf(record.chatId), record.team);
    this.teams.add(storeOf(record.chatId), record.team);
    this.upsert(team, record);
    if (record.status_escalate !== 'requested') return;
    // The record itself does not say who is asked; a client drops what comes late by its version
    void this.askedFor(record.chatId).then((asked) => {
      if (asked) this.upsert(this.askedRooms(record, asked), record, [team]);
    });
  }

  private upsert(rooms: string | readonly string[], record: ListRecord, except: readonly string[] = []): void {
    const { version } = record;
    this.sockets.emit(rooms, 'updateChatlist', { op: 'upsert', chat_list: record, version }, except);
  }
}
