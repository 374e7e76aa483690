import type { Database } from '@platform/data';
import { Conflict, Forbidden, NotFound } from '@platform/errors';
import { path, type PeerPath } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { ChatDesk, ChatFeed } from '../../../clients/chat.desk';
import {
  contactsBeside,
  conversationOf,
  demandAllChats,
  shownConversation,
  type ChatRow,
  type ConversationRef,
} from '../conversations/public';
import { OWNER_NAMES, shownMessage, type ChatMessageRow } from '../messages/public';
import { seatsOf } from '../../team/chat-teams/public';
import type {
  AskedHelp,
  AskForHelp,
  FoundMessages,
  InboxRow,
  InboxSearch,
  Listed,
  Thread,
  ThreadMessage,
} from './inbox.types';
import { isIn, QUERIES } from './inbox.views';

/** As chat-backend lists one. */
export interface DeskRow extends ChatRow {
  readonly version: number;
  readonly last_seq: number;
  readonly user_nama: string | null;
  readonly status_escalate: '' | 'requested' | 'finished';
}
export type DeskMessage = ChatMessageRow & {
  readonly seq: number;
  readonly filename: string | null;
  /** The words of the message that a customer answers; of ours an id. */
  readonly quoteMsg?: string | null;
};

/** What has happened to a conversation. */
interface DeskEvent {
  readonly event: string;
  readonly actor_type: string;
  readonly user_id: string | null;
  readonly user_nama: string | null;
  readonly team_to: string | null;
  readonly user_to: string | null;
  readonly catatan: string | null;
  readonly timestamp: number;
}
interface InboxAnswer {
  readonly data: readonly DeskMessage[];
  readonly chat_list: DeskRow;
  /** The last of them, oldest first. */
  readonly history?: readonly DeskEvent[];
}

const isRequest = ({ event }: Pick<DeskEvent, 'event'>): boolean => event === 'request_escalate';

/** Messages of a page (commerce-web.md 1). */
export const WINDOW = 30;
/** So many chat-backend looks through at once. */
const SEARCHED = 5_000;
const ROWS = 50;

/** What people do with a conversation; each has the same end however often it is done. */
const CHANGES = {
  take: { path: path('/v1/handle_chat'), more: {} },
  takeover: { path: path('/v1/handle_chat'), more: { force: true } },
  reopen: { path: path('/v1/chat_open'), more: {} },
  pending: { path: path('/v1/chat_pending'), more: {} },
  close: { path: path('/v1/chat_finish'), more: {} },
  help_done: { path: path('/v1/chats/finish-escalate'), more: {} },
  read: { path: path('/v1/chat_markread'), more: {} },
} as const satisfies Readonly<Record<string, { readonly path: PeerPath; readonly more: object }>>;
export type Change = keyof typeof CHANGES;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NAMES = `
  SELECT m.user_id AS id, p.name FROM membership m JOIN person p ON p.user_id = m.user_id
  WHERE m.store_id = $1 AND m.user_id = ANY ($2::uuid[])`;

/** A chat of a team that is not theirs is to a person as if it were not there. */
export const unseen = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((failure: unknown) => {
    throw failure instanceof Forbidden ? new NotFound('Conversation not found', { cause: failure }) : failure;
  });

/** Somebody else handles it, or it has gone to another team. */
const notTheirs = (failure: unknown): never => {
  throw failure instanceof Forbidden
    ? new Conflict('It is not theirs', { code: 'not_theirs', cause: failure })
    : failure;
};

/** The chat is none of those that its asker sees. */
const isHidden = (failure: unknown): boolean =>
  failure instanceof NotFound ||
  (failure instanceof Forbidden && failure.cause instanceof Forbidden && failure.cause.code === 'forbidden_team');

/** Our name of a refusal hides which thing it was that is not there; its cause says it. */
const isUnknownTeam = (failure: unknown): boolean =>
  failure instanceof NotFound && failure.cause instanceof NotFound && failure.cause.code === 'team_not_found';

const orUnknownTeam =
  (code: 'no_team' | 'no_supervisors') =>
  (failure: unknown): never => {
    if (isUnknownTeam(failure)) throw new Conflict('The team is not there', { code, cause: failure });
    return notTheirs(failure);
  };

/** What means too many is no failure of a page: it shows none of them, and says so. */
const unlessBroad = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((failure: unknown) => {
    if (failure instanceof Conflict && failure.code === 'too_broad') return undefined;
    throw failure;
  });

const upTo = (before: number | undefined, { messages }: Thread): readonly ThreadMessage[] =>
  messages.filter(({ seq }) => before === undefined || seq < before);

export interface InboxDeskParts {
  readonly database: Database;
  readonly chat: ChatDesk;
  /** Where browsers find the files of chats; undefined: they are told of, and not shown. */
  readonly chatFiles: string | undefined;
}

/** The inbox of a member: what their teams let them see at chat-backend, and what they do there. */
export class InboxDesk {
  constructor(private readonly parts: InboxDeskParts) {}

  /** Whose files a page of chats shows. */
  get media(): string | undefined {
    const { chatFiles } = this.parts;
    return chatFiles && new URL(chatFiles).origin;
  }

  /** Throws `NotFound` for a text that names none, and for a conversation of another store. */
  refOf({ storeId }: Caller, id = ''): ConversationRef {
    const ref = conversationOf(id);
    if (!ref?.chatId.startsWith(`${storeId}.`)) throw new NotFound('Conversation not found');
    return ref;
  }

  async rows(caller: Caller, { view, q, cursor }: InboxSearch): Promise<Listed> {
    const asked = { nohp: '-', instance: 'all', team: 'all', keyword: q || undefined, cursor, limit: String(ROWS) };
    const call = { ...asked, ...(q ? {} : QUERIES[view]) };
    const feed = await unlessBroad(this.ask<ChatFeed<DeskRow>>(caller, path('/v1/chat_list'), call));
    if (!feed) return { rows: [], next: null, isBroad: true };
    const rows = await this.shown(caller, feed.data);
    const listed = {
      ...{ rows: q ? rows : rows.filter((row) => isIn(view, row, caller.actor)), next: feed.next_cursor },
      isFull: feed.data.length >= ROWS,
    };
    return { ...listed, isSeatless: listed.rows.length === 0 && (await this.isSeatless(caller)) };
  }

  /** To whom no chat comes, "all are answered" would be the wrong word. */
  private async isSeatless({ storeId, actor, abilities }: Caller): Promise<boolean> {
    return !abilities.has('chat.all') && (await seatsOf(this.parts.database, storeId, actor)).length === 0;
  }

  private shows(url: string | null): boolean {
    return url !== null && this.media !== undefined && URL.canParse(url) && new URL(url).origin === this.media;
  }

  /** Rows as they are told by the sockets. */
  async shown({ storeId }: Pick<Caller, 'storeId'>, rows: readonly DeskRow[]): Promise<InboxRow[]> {
    const beside = await contactsBeside(this.parts.database, storeId, rows);
    return rows.map((row) => ({
      ...shownConversation(row, beside),
      ...{ chatId: row.chatId, version: row.version, lastSeq: row.last_seq, assigneeName: row.user_nama },
      at: row.timestamp,
      asksHelp: row.status_escalate === 'requested',
    }));
  }

  /** Messages with the names of the members who wrote them. */
  async said({ storeId }: Pick<Caller, 'storeId'>, rows: readonly DeskMessage[]): Promise<ThreadMessage[]> {
    const writers = [...new Set(rows.flatMap(({ user_id: id }) => (id !== null && UUID.test(id) ? id : [])))];
    const known = writers.length > 0 ? await this.named(storeId, writers) : new Map<string, string>();
    return rows.map((row) => {
      const { seq, role, filename, name, quoteMsg = null } = row;
      const message = shownMessage({ ...row, name: known.get(row.user_id ?? '') ?? name });
      const quote = row.fromMe ? null : quoteMsg;
      return { ...message, seq, role, filename, quote, isShown: this.shows(message.media_url) };
    });
  }

  /** The newest messages, or those before this one; the oldest first. */
  async thread(caller: Caller, ref: ConversationRef, before?: number): Promise<Thread> {
    const thread = await this.window(caller, ref, { offset: await this.offsetOf(caller, ref, before) });
    return { ...thread, messages: upTo(before, thread) };
  }

  /** The newest messages with these words, or those before this one. */
  async find(caller: Caller, ref: ConversationRef, words: string, before?: number): Promise<FoundMessages> {
    const offset = await this.offsetOf(caller, ref, before);
    const thread = await unlessBroad(this.window(caller, ref, { offset, search: words }));
    if (!thread) return { ...(await this.window(caller, ref, { limit: 1 })), messages: [], isBroad: true };
    const messages = upTo(before, thread);
    const oldest = thread.messages.length < WINDOW ? thread.chat.lastSeq - offset - SEARCHED + 1 : messages[0]?.seq;
    return { ...thread, messages, ...(oldest !== undefined && oldest > 1 && { next: oldest }) };
  }

  /** Behind how many messages a chat goes on before this one. */
  private async offsetOf(caller: Caller, ref: ConversationRef, before: number | undefined): Promise<number> {
    if (before === undefined) return 0;
    const { chat } = await this.window(caller, ref, { limit: 1 });
    return Math.max(0, chat.lastSeq - before + 1);
  }

  /** Whether it is so now; of help that their asker cannot see, nothing is told. */
  async change(caller: Caller, ref: ConversationRef, change: Change): Promise<boolean> {
    const { path: address, more } = CHANGES[change];
    const mine = change === 'take' || change === 'takeover' ? { user_id: caller.actor } : {};
    const done = this.ask(caller, address, { ...ref, ...more, ...mine }).then(() => true);
    return done.catch((failure: unknown) => {
      // With the help ends what a helper sees: a second click finds nothing more to end
      if (change === 'help_done' && isHidden(failure)) return false;
      return notTheirs(failure);
    });
  }

  async move(caller: Caller, ref: ConversationRef, team: string): Promise<void> {
    await this.ask(caller, path('/v1/chat_move'), { ...ref, to_team: team }).catch(orUnknownTeam('no_team'));
  }

  /** Those who are asked see and answer the chat from now on. */
  async askForHelp(caller: Caller, ref: ConversationRef, { reason, team_id: team }: AskForHelp): Promise<void> {
    const asked = { ...ref, alasan: reason, ...(team ? { to_team: team } : {}) };
    const unknown = orUnknownTeam(team ? 'no_team' : 'no_supervisors');
    await this.ask(caller, path('/v1/chats/request-escalate'), asked).catch(unknown);
  }

  private async window(
    caller: Caller,
    ref: ConversationRef,
    {
      limit = WINDOW,
      offset = 0,
      search,
    }: { readonly limit?: number; readonly offset?: number; readonly search?: string },
  ): Promise<Thread> {
    const call = { ...ref, limit: String(limit), offset: String(offset), search };
    const asked = unseen(this.ask<InboxAnswer>(caller, path('/v1/chat_inbox'), call));
    const { data, chat_list: chat, history = [] } = await asked;
    const request = chat.status_escalate === 'requested' ? history.findLast(isRequest) : undefined;
    const [[row], messages, help] = await Promise.all([
      this.shown(caller, [chat]),
      this.said(caller, data),
      request && this.helpOf(caller, request),
    ]);
    if (!row) throw new NotFound('Conversation not found');
    return { chat: { ...row, help }, messages };
  }

  /** Who called whom, and why. */
  private async helpOf({ storeId }: Pick<Caller, 'storeId'>, event: DeskEvent): Promise<AskedHelp> {
    const { user_id: userId, user_nama: known, actor_type: kind, timestamp } = event;
    const names = userId !== null && UUID.test(userId) ? await this.named(storeId, [userId]) : undefined;
    return {
      ...{ reason: event.catatan ?? '', by: userId ?? kind, byName: names?.get(userId ?? '') ?? known },
      ...{ toTeam: event.team_to, toUser: event.user_to, at: new Date(timestamp * 1000).toISOString() },
    };
  }

  private async named(storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const { database } = this.parts;
    const rows = await database.prepared<{ id: string; name: string }>('inbox.names', NAMES, [storeId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  private ask<Answer extends object>(caller: Caller, address: PeerPath, json: object): Promise<Answer> {
    demandAllChats(caller);
    return this.parts.chat.asCaller<Answer>(caller, { method: 'POST', path: address, json, names: OWNER_NAMES });
  }
}

/** What of a message tells whether it is the one that was to be sent. */
interface Said {
  readonly type: string;
  readonly text?: string | null;
  readonly caption?: string | null;
}
const isFile = ({ type }: Said): boolean => type !== 'text';
const isOther = (wanted: string | null | undefined, sent: string | null | undefined): boolean =>
  Boolean(wanted) && Boolean(sent) && wanted !== sent;

/** Under one id something else was said before: that was sent, and this was not. Of two files of a kind without words it cannot be told. */
export const demandSame = (wanted: Said, sent: Said): void => {
  if (isFile(wanted) !== isFile(sent) || isOther(wanted.text, sent.text) || isOther(wanted.caption, sent.caption))
    throw new Conflict('Something else was sent under this id', { code: 'sent_before' });
};
