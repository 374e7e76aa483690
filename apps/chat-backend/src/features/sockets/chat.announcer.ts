import { chatRooms } from '@platform/contracts';
import type { Realtime } from '@platform/realtime';
import type { Coalescer } from '@platform/runtime';
import type { ChatHistoryStruct, ChatInboxStruct, ChatListStruct, DeviceStruct } from '../records/public';
import type { ChatEvents } from './socket.api';
import type { StatusMessage } from './socket.dto';
import type { ChangedTeam } from './team.counters';

/** Who was asked for help with a chat of another team. */
export interface Asked {
  readonly toTeam: string | null;
  readonly toUser: string | null;
}

const QUIET_MS = 250;

const storeOf = (chatId: string): string => chatId.slice(0, chatId.indexOf('.'));

/**
 * Tells agents' clients what was committed. Rows and counters travel in the event, so that no client has to ask again.
 * A chat's list row is told at once and then at most every 250 ms, its latest version last.
 */
export class ChatAnnouncer {
  private readonly quiet = new Map<string, ChatListStruct | undefined>();

  constructor(
    private readonly sockets: Pick<Realtime<ChatEvents>, 'emit' | 'evict' | 'recheck'>,
    /** Unread chats per team; told at most once a second. */
    private readonly teams: Pick<Coalescer<ChangedTeam>, 'add'>,
    /** Who is asked for help with an escalated chat at this moment. Never rejects. */
    private readonly askedFor: (chatId: string) => Promise<Asked | undefined>,
  ) {}

  newMessage(inbox: object, list: object): void {
    const record = list as ChatListStruct;
    const { chatId } = record;
    this.sockets.emit(chatRooms.chat(storeOf(chatId), chatId), 'newMessage', {
      chatId,
      seq: (inbox as ChatInboxStruct).seq,
      inbox: inbox as ChatInboxStruct,
      chat_list: record,
    });
    this.listChanged(record);
  }

  listChanged(list: object): void {
    const record = list as ChatListStruct;
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
    const record = list as ChatListStruct;
    const store = storeOf(record.chatId);
    this.remove(record, [chatRooms.team(store, from)]);
    // Others may have entered it while its team was open, or as those who were asked
    this.sockets.recheck(chatRooms.chat(store, record.chatId), [chatRooms.team(store, record.team)]);
    this.teams.add({ store, id: from });
  }

  /** The chat's team is gone and it is another's now, as after `chat_move`. */
  adopted({ list, from, event }: { list: object; from: string; event: object | null }): void {
    this.listChanged(list);
    if (event) this.history((list as ChatListStruct).chatId, [event]);
    this.movedAway(list, from);
  }

  /** An escalated chat also shows in the list of those who were asked. */
  asked(list: object, asked: Asked): void {
    const record = list as ChatListStruct;
    this.upsert(this.askedRooms(record, asked), record);
  }

  /** `now` names who is asked instead. */
  askedNoMore(list: object, asked: Asked, now?: Asked): void {
    const record = list as ChatListStruct;
    const still = now ? this.askedRooms(record, now) : [];
    this.remove(
      record,
      this.askedRooms(record, asked).filter((room) => !still.includes(room)),
    );
  }

  deviceChanged(storeId: string, device: object): void {
    this.sockets.emit(chatRooms.store(storeId), 'deviceStatus', device as DeviceStruct);
  }

  history(chatId: string, history: readonly object[]): void {
    this.sockets.emit(chatRooms.chat(storeOf(chatId), chatId), 'historyChat', {
      chatId,
      history: history as ChatHistoryStruct[],
    });
  }

  status(status: StatusMessage): void {
    this.sockets.emit(chatRooms.chat(storeOf(status.chatId), status.chatId), 'statusMessage', status);
  }

  private askedRooms({ chatId }: ChatListStruct, { toTeam, toUser }: Asked): string[] {
    const store = storeOf(chatId);
    return [
      ...(toTeam === null ? [] : [chatRooms.team(store, toTeam)]),
      ...(toUser === null ? [] : [chatRooms.user(store, toUser)]),
    ];
  }

  /** Names the chat only: what it holds is no longer theirs. Who is in the chat's team keeps it. */
  private remove({ chatId, team, version }: ChatListStruct, rooms: readonly string[]): void {
    const store = storeOf(chatId);
    const keep = [chatRooms.team(store, team)];
    for (const room of rooms.filter((one) => !keep.includes(one))) {
      this.sockets.emit(room, 'updateChatlist', { op: 'remove', chat_list: { chatId, team, version }, version }, keep);
      this.sockets.evict(room, [chatRooms.chat(store, chatId)], keep);
    }
  }

  private tell(record: ChatListStruct): void {
    const team = chatRooms.team(storeOf(record.chatId), record.team);
    this.teams.add({ store: storeOf(record.chatId), id: record.team });
    this.upsert(team, record);
    if (record.status_escalate !== 'requested') return;
    // The record itself does not say who is asked; a client drops what comes late by its version
    void this.askedFor(record.chatId).then((asked) => {
      if (asked) this.upsert(this.askedRooms(record, asked), record, [team]);
    });
  }

  private upsert(rooms: string | readonly string[], record: ChatListStruct, except: readonly string[] = []): void {
    const { version } = record;
    this.sockets.emit(rooms, 'updateChatlist', { op: 'upsert', chat_list: record, version }, except);
  }
}
