import type { Keyset, Sql } from '@platform/data';
import type { Notified } from '../notifications/public';
import { ASSIGN, LIST, OPEN, RATE, REPLY, REPLY_RECORD, TICKET } from './desk.sql';
import type { OpenTicket, RateTicket, ReplyToTicket, TicketQuery } from './desk.dto';
import type { TicketKey } from './ticket.repository';

export interface FoundTicket {
  /** TicketStruct as JSON text; with replies and history when it was asked for whole. */
  readonly record: string;
  readonly status: string;
  readonly userId: string | null;
  readonly rating: number | null;
  readonly conversationId: string | null;
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

  /** Undefined: a ticket with this id is there already. */
  async open({ storeId, ticketId }: TicketKey, nohp: string, request: OpenTicket): Promise<OpenedTicket | undefined> {
    const { judul, isi, kategori, prioritas, orderId, user_id: user } = request;
    const texts = [nohp, judul, isi, kategori ?? null, prioritas ?? null, orderId ?? null, user ?? null];
    const [row] = await this.sql.prepared<OpenedTicket>('desk_open', OPEN, [storeId, ticketId, ...texts]);
    return row;
  }

  async find({ storeId, ticketId }: TicketKey, whole = false): Promise<FoundTicket | undefined> {
    const [row] = await this.sql.prepared<FoundTicket>('desk_ticket', TICKET, [storeId, ticketId, whole]);
    return row;
  }

  list(storeId: string, filter: TicketQuery, after: Keyset, limit: number): Promise<ListedTicket[]> {
    const { status, prioritas, user_id: user, nohp, q } = filter;
    const residual = [status ?? null, prioritas ?? null, user ?? null, nohp ?? null, patternOf(q)];
    return this.sql.prepared<ListedTicket>('desk_list', LIST, [storeId, after.lastAt, after.id, limit, ...residual]);
  }

  /** Undefined: it is this user's already, or closed. */
  async assign({ storeId, ticketId }: TicketKey, user: string): Promise<Pick<OpenedTicket, 'notified'> | undefined> {
    const values = [storeId, ticketId, user];
    return (await this.sql.prepared<Pick<OpenedTicket, 'notified'>>('desk_assign', ASSIGN, values))[0];
  }

  /** False: it has a mark already. */
  async rate({ storeId, ticketId }: TicketKey, { rating, feedback }: RateTicket): Promise<boolean> {
    const values = [storeId, ticketId, rating, feedback ?? null];
    return (await this.sql.prepared('desk_rate', RATE, values)).length > 0;
  }

  /** False: this reply is kept already, or the ticket is closed. */
  async reply({ storeId, ticketId }: TicketKey, reply: ReplyToTicket): Promise<boolean> {
    const { balasanId, user_id: user, pesan, url } = reply;
    const values = [storeId, ticketId, balasanId, user ?? null, pesan, url ?? null];
    return (await this.sql.prepared('desk_reply', REPLY, values)).length > 0;
  }

  /** TicketReplyStruct as JSON text. */
  async replyRecord({ storeId, ticketId }: TicketKey, replyId: string): Promise<string | undefined> {
    const values = [storeId, ticketId, replyId];
    return (await this.sql.prepared<{ record: string }>('desk_reply_record', REPLY_RECORD, values))[0]?.record;
  }
}
