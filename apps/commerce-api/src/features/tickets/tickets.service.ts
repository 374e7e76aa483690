import type { Database, Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { path, type Feed } from '@platform/http';
import type { Caller } from '../../abilities';
import { audited, type Writer } from '../../by';
import type { ChatDesk, ChatFeed } from '../../clients/chat.desk';
import { notify } from '../../notify';
import { refusals } from '../../refusals';
import { demandAllChats } from '../inbox/conversations/public';
import type { MediaLibrary } from '../media/uploads/public';
import { ticketRef, type TicketRef } from './feedback.token';
import { besideOf, shownReply, shownTicket, type ChatReply, type ChatTicket } from './ticket.view';
import type {
  NewTicket,
  NewTicketReply,
  Rating,
  Ticket,
  TicketReply,
  TicketRow,
  TicketsQuery,
  TicketStatus,
} from './tickets.dto';

/** Who asks. */
type Asking = Pick<Caller, 'storeId' | 'bearer' | 'sight'>;

interface Whole extends ChatTicket {
  readonly balasan: readonly ChatReply[];
}
/** In chat-backend's names. */
interface Viewed {
  readonly store_id: string;
  readonly viewer_id?: string;
  readonly viewer_teams?: string | undefined;
}
interface Answered<Data = ChatTicket> {
  readonly data: Data;
}

export interface TicketsParts {
  readonly database: Database;
  readonly chat: ChatDesk;
  readonly files: Pick<MediaLibrary, 'forMessage'>;
  /** The chat teams of a member now. */
  readonly seats: (storeId: string, userId: string) => Promise<readonly string[]>;
}

const NAMES = {
  ...{ nohp: 'phone', judul: 'subject', isi: 'body', prioritas: 'priority', orderId: 'order_id' },
  ...{ pesan: 'text', url: 'media_id', kirim: 'notify', feedback: 'text' },
};
const MAIN_PHONE = `SELECT phone FROM contact_phone WHERE store_id = $1 AND contact_id = $2 AND is_main`;
const ORDER = `SELECT 1 FROM sales_order WHERE store_id = $1 AND id = $2`;

export const ticketRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
} as const;

/** The id is of a key, so whoever has it for something else has used the key for something else. */
const asKeyUsed = (failure: unknown): never => {
  throw failure instanceof Conflict && failure.code === 'id_taken' ? ticketRefusals.keyUsed() : failure;
};

const unknown = (): NotFound => new NotFound('Ticket not found');
const one = (id: string) => path('/internal/tickets/{id}', { id });
const missing = (field: string): NotFound => new NotFound(`${field} is not of this store`, { details: { field } });

/** Tickets of a store, which chat-backend keeps (design 5.6): users meet those of chats that they may see there, and their own (ADR 133). */
export class TicketsService {
  constructor(private readonly parts: TicketsParts) {}

  async list(caller: Asking, query: TicketsQuery): Promise<Feed<TicketRow>> {
    const { storeId } = caller;
    const { status, priority: prioritas, assignee_id: user_id, phone: nohp, q, cursor, limit } = query;
    const filter = { ...(await this.viewed(caller)), status, prioritas, user_id, nohp, q, cursor, limit };
    const { data, next_cursor } = await this.parts.chat.asService<ChatFeed<ChatTicket>>(storeId, {
      ...{ path: path('/internal/tickets'), query: filter, names: NAMES },
    });
    return { rows: await this.shown(storeId, data), nextCursor: next_cursor };
  }

  async get(caller: Asking, id: string): Promise<Ticket> {
    const { storeId } = caller;
    const { ticketId } = this.own(storeId, id);
    const { balasan, ...ticket } = await this.found(ticketId, await this.viewed(caller));
    const times = [ticket.waktu, ...balasan.map(({ waktu }) => waktu)];
    const beside = await besideOf(this.parts.database, storeId, times, [ticket.nohp]);
    return { ...shownTicket(ticket, beside), replies: balasan.map((reply) => shownReply(reply, beside)) };
  }

  /** As chat-backend has it. Throws `NotFound`. */
  whole({ storeId, ticketId }: TicketRef): Promise<Whole> {
    return this.found(ticketId, { store_id: storeId });
  }

  /** The same id is the same ticket, however often it is opened. */
  async open(caller: Asking, by: Writer, id: string, { contact_id, phone, ...body }: NewTicket): Promise<TicketRow> {
    const { storeId } = by;
    const viewed = await this.viewed(caller);
    if ((contact_id === undefined) === (phone === undefined))
      throw new InvalidInput([{ field: 'phone', tag: 'one', message: 'phone or contact_id is required, not both' }]);
    const nohp = phone ?? (await this.phoneOf(storeId, contact_id ?? ''));
    if (body.order_id !== undefined && !(await this.has(ORDER, storeId, body.order_id))) throw missing('order_id');
    const { subject: judul, body: isi, priority: prioritas, order_id: orderId } = body;
    const json = { ...viewed, nohp, judul, isi, prioritas, orderId };
    const call = { method: 'PUT', path: one(id), json, names: NAMES } as const;
    const { data } = await this.parts.chat.asService<Answered>(storeId, call).catch(asKeyUsed);
    return this.told(by, data, { opened: data.nomor }, (tx) => {
      const notice = { storeId, id: `ticket:${data.ticketId}`, params: { number: data.nomor } };
      return notify(tx, { ...notice, event: 'ticket.opened', url: '/tickets' });
    });
  }

  async reply(
    caller: Pick<Caller, 'kind' | 'actor' | 'abilities'> & Asking,
    id: string,
    replyId: string,
    body: NewTicketReply,
  ): Promise<TicketReply> {
    const { storeId } = caller;
    if (body.notify && !caller.abilities.has('chat.reply')) throw refusals.abilityMissing('chat.reply');
    const userId = caller.kind === 'user' ? caller.actor : undefined;
    const viewed = await this.viewed(caller);
    const { ticketId } = this.own(storeId, id);
    const { text: pesan, media_id, notify: kirim } = body;
    const url = media_id === undefined ? undefined : await this.mediaUrl(storeId, media_id);
    const json = { ...viewed, balasanId: replyId, pesan, url, user_id: userId, kirim };
    const address = path('/internal/tickets/{id}/replies', { id: ticketId });
    const call = { method: 'POST', path: address, json, names: NAMES } as const;
    const { data } = await this.parts.chat.asService<Answered<ChatReply>>(storeId, call).catch(asKeyUsed);
    return shownReply(data, await besideOf(this.parts.database, storeId, [data.waktu], []));
  }

  /** With the rights that the caller has there: only who supervises opens a closed one again. */
  async changeStatus(caller: Caller, by: Writer, id: string, status: TicketStatus): Promise<TicketRow> {
    const { ticketId } = this.own(by.storeId, id);
    const viewed = await this.viewed(caller);
    // A login names the teams that its user had when it was made
    if (viewed.viewer_id !== undefined) await this.found(ticketId, viewed);
    const json = { ticketId, status };
    const { data } = await this.parts.chat.asCaller<Answered>(caller, {
      ...{ method: 'POST', path: path('/v1/change_ticket_status'), json, names: NAMES },
    });
    return this.told(by, data, { status });
  }

  async assign(caller: Asking, by: Writer, id: string, userId: string): Promise<TicketRow> {
    const { storeId } = by;
    const address = path('/internal/tickets/{id}/assign', { id: this.own(storeId, id).ticketId });
    const json = { ...(await this.viewed(caller)), user_id: userId };
    const { data } = await this.parts.chat.asService<Answered>(storeId, { method: 'PUT', path: address, json });
    return this.told(by, data, { assignee: userId });
  }

  /** The customer's mark, once. */
  async rate({ storeId, ticketId }: TicketRef, { rating, text: feedback }: Rating): Promise<void> {
    const json = { store_id: storeId, rating, feedback };
    const address = path('/internal/tickets/{id}/rating', { id: ticketId });
    await this.parts.chat.asService(storeId, { method: 'PUT', path: address, json, names: NAMES });
  }

  private async found(ticketId: string, query: Viewed): Promise<Whole> {
    const call = { path: one(ticketId), query: { ...query } };
    return (await this.parts.chat.asService<Answered<Whole>>(query.store_id, call)).data;
  }

  /** For whom chat-backend is asked. Throws `forbidden` for an API token whose maker does not see all chats. */
  private async viewed(caller: Asking): Promise<Viewed> {
    demandAllChats(caller);
    const { storeId: store_id, sight } = caller;
    if (!sight) return { store_id };
    const teams = await this.parts.seats(store_id, sight.handledBy);
    const viewer_teams = teams.length === 0 ? undefined : teams.join(',');
    return { store_id, viewer_id: sight.handledBy, viewer_teams };
  }

  /** Throws `NotFound` for what is no ticket of this store. */
  private own(storeId: string, id: string): TicketRef {
    const ref = ticketRef(id);
    if (ref?.storeId !== storeId) throw unknown();
    return ref;
  }

  private async told(
    by: Writer,
    ticket: ChatTicket,
    after: object,
    also: (tx: Sql) => Promise<void> = async () => undefined,
  ): Promise<TicketRow> {
    const { database } = this.parts;
    await database.tx(async (tx) => {
      await audited(tx, by, { action: 'ticket.write', type: 'ticket', id: ticket.ticketId, after });
      await also(tx);
    });
    const [shown] = await this.shown(by.storeId, [ticket]);
    return shown as TicketRow;
  }

  private async shown(storeId: string, tickets: readonly ChatTicket[]): Promise<TicketRow[]> {
    if (tickets.length === 0) return [];
    const times = tickets.map(({ waktu }) => waktu);
    const phones = tickets.map(({ nohp }) => nohp);
    const beside = await besideOf(this.parts.database, storeId, times, phones);
    return tickets.map((ticket) => shownTicket(ticket, beside));
  }

  private async phoneOf(storeId: string, contactId: string): Promise<string> {
    const [row] = await this.parts.database.query<{ phone: string }>(MAIN_PHONE, [storeId, contactId]);
    if (!row) throw missing('contact_id');
    return row.phone;
  }

  private async mediaUrl(storeId: string, mediaId: string): Promise<string> {
    const file = await this.parts.files.forMessage(storeId, mediaId);
    if (!file) throw missing('media_id');
    return file.url;
  }

  private async has(statement: string, storeId: string, id: string): Promise<boolean> {
    return (await this.parts.database.query(statement, [storeId, id])).length > 0;
  }
}
