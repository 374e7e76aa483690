import { hidesNumber } from '@platform/contracts';
import type { Keyset, Sql } from '@platform/data';
import type { Notified } from '../notifications/public';
import { ASSIGN, LIST, LOCK_CHAT, NUMBER_OF, OPEN, RATE, REPLY, REPLY_RECORD, TICKET } from './desk.sql';
import type { OpenTicket, RateTicket, ReplyToTicket, TicketQuery } from './desk.dto';
import type { TicketKey } from './ticket.repository';

/** A ticket as somebody sees it. */
export interface SeenTicket extends TicketKey {
  /** Of whoever asks, as the queries take it; null: everything of the store. */
  readonly sight: readonly string[] | null;
}

export interface FoundTicket {
  /** TicketStruct as JSON text; with replies and history when it was asked for whole. */
  readonly record: string;
  readonly status: string;
  readonly userId: string | null;
  readonly rating: number | null;
  readonly nohp: string;
  readonly judul: string;
  readonly isi: string;
  readonly conversationId: string | null;
  /** False: it is open to read alone. */
  readonly workable: boolean;
}

export interface OpenedTicket {
  /** The list record of the ticket's chat, when it has one. */
  readonly list: object | null;
  readonly notified: readonly Notified[] | null;
}

export interface ListedTicket extends Keyset {
  readonly record: string;
}

const patternOf = (text: string | undefined): string | null =>
  text === undefined ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Statements behind `/internal/tickets`; each names the store. */
export class DeskRepository {
  constructor(private readonly sql: Sql) {}

  /** The same repository inside a transaction, or on other connections. */
  in(sql: Sql): DeskRepository {
    return new DeskRepository(sql);
  }

  /** By what the customer is known now whom a caller may still name by a hidden id. */
  async numberOf(storeId: string, nohp: string): Promise<string> {
    if (!hidesNumber(nohp)) return nohp;
    const [known] = await this.sql.prepared<{ nohp: string }>('desk_number', NUMBER_OF, [storeId, nohp]);
    return known?.nohp ?? nohp;
  }

  /** Undefined: a ticket with this id is there already, or the chats of the number are others'. */
  async open(
    { storeId, ticketId, sight }: SeenTicket,
    nohp: string,
    request: OpenTicket,
  ): Promise<OpenedTicket | undefined> {
    const { judul, isi, kategori, prioritas, orderId, user_id: user } = request;
    const texts = [nohp, judul, isi, kategori ?? null, prioritas ?? null, orderId ?? null, user ?? null, sight];
    const [row] = await this.sql.prepared<OpenedTicket>('desk_open', OPEN, [storeId, ticketId, ...texts]);
    return row;
  }

  async find({ storeId, ticketId, sight }: SeenTicket, whole = false): Promise<FoundTicket | undefined> {
    const [row] = await this.sql.prepared<FoundTicket>('desk_ticket', TICKET, [storeId, ticketId, whole, sight]);
    return row;
  }

  list(
    { storeId, sight }: Omit<SeenTicket, 'ticketId'>,
    filter: TicketQuery,
    after: Keyset,
    limit: number,
  ): Promise<ListedTicket[]> {
    const { status, prioritas, user_id: user, nohp, q } = filter;
    const residual = [status ?? null, prioritas ?? null, user ?? null, nohp ?? null, patternOf(q), sight];
    // Without a name, so that it is planned for what is asked: a plan for any question read all tickets of a large store
    return this.sql.query<ListedTicket>(LIST, [storeId, after.lastAt, after.id, limit, ...residual]);
  }

  /** Undefined: it is this user's already, closed, or not theirs to give who ask. */
  async assign(
    { storeId, ticketId, sight }: SeenTicket,
    user: string,
  ): Promise<Pick<OpenedTicket, 'notified'> | undefined> {
    const values = [storeId, ticketId, user, sight];
    return (await this.sql.prepared<Pick<OpenedTicket, 'notified'>>('desk_assign', ASSIGN, values))[0];
  }

  /** False: it has a mark already. */
  async rate({ storeId, ticketId }: TicketKey, { rating, feedback }: RateTicket): Promise<boolean> {
    const values = [storeId, ticketId, rating, feedback ?? null];
    return (await this.sql.prepared('desk_rate', RATE, values)).length > 0;
  }

  /** False: this reply is kept already, the ticket is closed, or not theirs to work on who ask. */
  async reply({ storeId, ticketId, sight }: SeenTicket, reply: ReplyToTicket): Promise<boolean> {
    const { balasanId, user_id: user, pesan, url } = reply;
    const values = [storeId, ticketId, balasanId, user ?? null, pesan, url ?? null, sight];
    return (await this.sql.prepared('desk_reply', REPLY, values)).length > 0;
  }

  /** Whether who asks may answer the chat; it stays so until the end of the transaction. */
  async mayAnswer({ storeId, sight }: SeenTicket, conversationId: string): Promise<boolean> {
    const values = [storeId, conversationId, sight];
    const [row] = await this.sql.prepared<{ answerable: boolean }>('desk_lock_chat', LOCK_CHAT, values);
    return row?.answerable === true;
  }

  /** TicketReplyStruct as JSON text, and whether it says the same. */
  async replyRecord(
    { storeId, ticketId }: TicketKey,
    { balasanId, pesan, url }: ReplyToTicket,
  ): Promise<{ readonly record: string; readonly same: boolean } | undefined> {
    const values = [storeId, ticketId, balasanId, pesan, url ?? null];
    return (await this.sql.prepared<{ record: string; same: boolean }>('desk_reply_record', REPLY_RECORD, values))[0];
  }
}
