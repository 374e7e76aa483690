import type { Database } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { path, type Feed, type PeerPath } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { ChatDesk, ChatFeed } from '../../../clients/chat.desk';
import { findDevice } from '../../devices/public';
import {
  OWNER_NAMES,
  shownMessage,
  type ChatMessageRow,
  type ContentType,
  type ConversationMessage,
  type MessageContents,
  type NewConversationMessage,
} from '../messages/public';
import type { ConversationRef } from './conversation.id';
import { contactsBeside, demandAllChats, shownConversation, type ChatRow } from './conversation.view';
import type {
  Conversation,
  ConversationAssignment,
  ConversationClosing,
  ConversationsQuery,
  ConversationWindow,
} from './conversations.dto';

export interface ConversationsParts {
  readonly database: Database;
  readonly chat: ChatDesk;
  readonly contents: MessageContents;
}

interface Answered<Data> {
  readonly data: Data;
}

const SENDS: Readonly<Record<ContentType, PeerPath>> = {
  text: path('/v1/send_message'),
  image: path('/v1/send_image'),
  video: path('/v1/send_video'),
  audio: path('/v1/send_audio'),
  document: path('/v1/send_document'),
  location: path('/v1/send_location'),
  link: path('/v1/send_link'),
};

/** Conversations of a store, which chat-backend keeps: users see and do what their teams allow there (design 5.6). */
export class ConversationsService {
  constructor(private readonly parts: ConversationsParts) {}

  async list(caller: Caller, query: ConversationsQuery): Promise<Feed<Conversation>> {
    const { device_id, team_id: team = 'all', status, unread, q: keyword, cursor, limit } = query;
    const instance = device_id === undefined ? 'all' : await this.instanceOf(caller, device_id);
    const { data, next_cursor } = await this.ask<ChatFeed<ChatRow>>(caller, path('/v1/chat_list'), {
      ...{ nohp: '-', instance, team, status, keyword, cursor, limit: limit?.toString() },
      filter: unread === undefined ? undefined : { unread },
    });
    return { rows: await this.shown(caller, data), nextCursor: next_cursor };
  }

  /** The oldest first, counted from the newest. */
  async messages(
    caller: Caller,
    ref: ConversationRef,
    { limit, offset }: ConversationWindow,
  ): Promise<ConversationMessage[]> {
    const window = { limit: limit?.toString(), offset: offset?.toString() };
    const call = { ...this.own(caller, ref), ...window };
    const { data } = await this.ask<Answered<ChatMessageRow[]>>(caller, path('/v1/chat_inbox'), call);
    return data.map(shownMessage);
  }

  /** The same id is the same message, however often it is sent. */
  async reply(
    caller: Caller,
    ref: ConversationRef,
    id: string,
    { type, ...said }: NewConversationMessage,
  ): Promise<ConversationMessage> {
    const chat = this.own(caller, ref);
    const call = { ...chat, pesan_id: id, ...(await this.parts.contents.of(caller.storeId, type, said)) };
    return shownMessage((await this.ask<Answered<ChatMessageRow>>(caller, SENDS[type], call)).data);
  }

  async assign(
    caller: Caller,
    ref: ConversationRef,
    { user_id, team_id: to_team }: ConversationAssignment,
  ): Promise<Conversation> {
    if ((user_id === undefined) === (to_team === undefined))
      throw new InvalidInput([{ field: 'user_id', tag: 'one', message: 'user_id or team_id is required, not both' }]);
    const change = to_team === undefined ? { user_id } : { to_team };
    const address = to_team === undefined ? path('/v1/handle_chat') : path('/v1/chat_move');
    return this.changed(caller, address, { ...this.own(caller, ref), ...change });
  }

  async close(caller: Caller, ref: ConversationRef, { note: catatan }: ConversationClosing): Promise<Conversation> {
    return this.changed(caller, path('/v1/chat_finish'), { ...this.own(caller, ref), catatan });
  }

  /** Throws `NotFound` for a conversation of another store. */
  private own({ storeId }: Caller, ref: ConversationRef): ConversationRef {
    if (!ref.chatId.startsWith(`${storeId}.`)) throw new NotFound('Conversation not found');
    return ref;
  }

  private async changed(caller: Caller, address: PeerPath, call: object): Promise<Conversation> {
    const { data } = await this.ask<Answered<ChatRow>>(caller, address, call);
    return shownConversation(data, await contactsBeside(this.parts.database, caller.storeId, [data]));
  }

  private async shown({ storeId }: Caller, rows: readonly ChatRow[]): Promise<Conversation[]> {
    const beside = await contactsBeside(this.parts.database, storeId, rows);
    return rows.map((row) => shownConversation(row, beside));
  }

  private async instanceOf({ storeId }: Caller, deviceId: string): Promise<string> {
    return (await findDevice(this.parts.database, storeId, deviceId)).instance_id;
  }

  private ask<Answer extends object>(caller: Caller, address: PeerPath, json: object): Promise<Answer> {
    demandAllChats(caller);
    return this.parts.chat.asCaller<Answer>(caller, { method: 'POST', path: address, json, names: OWNER_NAMES });
  }
}
