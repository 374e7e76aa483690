import { hidesNumber, normaliseNohp } from '@platform/contracts';
import { isUniqueViolation, NEWEST, type Database, type PageCursor } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { LifecycleRepository } from '../lifecycle/public';
import type { NotificationAnnouncer } from '../notifications/public';
import type { OutboundRepository } from '../outbound/public';
import { parseChatId } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { Searches } from '../../searches';
import { refusals, requireStore, sightOf, type Scope } from '../tenancy/public';
import type { AssignTicket, OpenTicket, RateTicket, ReplyToTicket, TicketQuery, ViewedStore } from './desk.dto';
import type { DeskRepository, FoundTicket, OpenedTicket, SeenTicket } from './desk.repository';
import { sendReply } from './reply.sender';
import type { TicketKey } from './ticket.repository';

const DEFAULT_LIMIT = 50;

const invalid = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

/** What whoever commerce-api asks for sees tickets by. */
const sightOfViewer = ({ viewer_id: userId, viewer_teams }: Omit<ViewedStore, 'store_id'>): readonly string[] | null =>
  userId === undefined ? null : sightOf({ teams: viewer_teams?.split(',') ?? [], userId });

export interface DeskDependencies {
  readonly tickets: DeskRepository;
  readonly sends: OutboundRepository;
  readonly lifecycle: Pick<LifecycleRepository, 'known'>;
  readonly announcer: ChatAnnouncer;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  readonly cursor: PageCursor;
}

/** Tickets as commerce-api drives them (design 2.9). Every call may be repeated; answers are records as JSON text. */
export class DeskService {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
    private readonly needs: DeskDependencies,
  ) {}

  /** `id` is the caller's own; a ticket that has it already is answered as it is. Throws `id_taken` when that is about something else. */
  async open(scope: Scope, id: string, request: OpenTicket): Promise<string> {
    const key = this.key(scope, request, id);
    if (!isUuid(key.ticketId)) throw invalid('id', 'uuid', 'must be a valid UUID');
    const named = normaliseNohp(request.nohp);
    if (!named) throw invalid('nohp', 'number', 'must be a number or an id of WhatsApp');
    const present = await this.needs.tickets.find(key);
    if (present) return sameTicket(present, named, request);
    await this.demandUser(key, request.user_id);
    const nohp = await this.needs.tickets.numberOf(key.storeId, named);
    this.tell(await this.needs.tickets.open(key, nohp, request).catch(openedMeanwhile));
    const opened = await this.needs.tickets.find(key);
    if (!opened) throw refusals.forbidden();
    return sameTicket(opened, named, request);
  }

  /** `data` and `next_cursor` as JSON text; refuses what takes longer than three seconds. */
  async list(
    scope: Scope,
    { store_id: store, cursor, limit = DEFAULT_LIMIT, viewer_id, viewer_teams, ...filter }: TicketQuery,
  ): Promise<string> {
    const storeId = requireStore(scope, store, refusals.forbidden);
    const nohp = filter.nohp === undefined ? undefined : (normaliseNohp(filter.nohp) ?? filter.nohp);
    const asked = { ...filter, store_id: storeId, ...(nohp === undefined ? {} : { nohp }) };
    const binding = JSON.stringify(['tickets', asked]);
    const after = cursor === undefined ? NEWEST : this.needs.cursor.read(binding, cursor);
    const seen = { storeId, sight: sightOfViewer({ viewer_id, viewer_teams }) };
    const rows = await this.searches.run(storeId, (sql) =>
      this.needs.tickets.in(sql).list(seen, asked, after, limit + 1),
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last ? this.needs.cursor.write(binding, last) : null;
    return `{"data":[${shown.map(({ record }) => record).join(',')}],"next_cursor":${JSON.stringify(next)}}`;
  }

  async whole(scope: Scope, viewed: ViewedStore, id: string): Promise<string> {
    return (await this.find(this.key(scope, viewed, id), true)).record;
  }

  async assign(scope: Scope, id: string, request: AssignTicket): Promise<string> {
    const { user_id: user } = request;
    const key = this.key(scope, request, id);
    await this.workable(key);
    await this.demandUser(key, user);
    this.tell(await this.needs.tickets.assign(key, user));
    // Whoever gives it away need not see it any more
    const ticket = await this.find({ ...key, sight: null });
    if (ticket.userId !== user) throw refusals.ticketClosed();
    return ticket.record;
  }

  async rate(scope: Scope, id: string, request: RateTicket): Promise<string> {
    const key = this.key(scope, request, id);
    await this.find(key);
    if (!(await this.needs.tickets.rate(key, request))) throw refusals.alreadyRated();
    return (await this.find(key)).record;
  }

  /** Keeps it and, when asked to, sends it to the ticket's chat: both or neither. */
  async reply(scope: Scope, id: string, request: ReplyToTicket): Promise<string> {
    const key = this.key(scope, request, id);
    const { conversationId } = await this.workable(key);
    await this.demandUser(key, request.user_id);
    if (request.kirim && conversationId === null) throw refusals.chatNotFound();
    const kept = await this.database.tx(async (tx) => {
      const tickets = this.needs.tickets.in(tx);
      const fresh = await tickets.reply(key, request);
      if (fresh && request.kirim && conversationId !== null) {
        // Who may work on a ticket need not be who may answer its chat
        if (!(await tickets.mayAnswer(key, conversationId))) throw refusals.forbidden();
        await sendReply(tx, { storeId: key.storeId, conversationId }, request, this.needs);
      }
      return tickets.replyRecord(key, request);
    });
    if (kept === undefined) throw refusals.ticketClosed();
    if (!kept.same) throw refusals.idTaken();
    return kept.record;
  }

  /** A ticket by its UUID or its public id; another store's is not found either. */
  private key(scope: Scope, { store_id: store, ...viewer }: ViewedStore, id: string): SeenTicket {
    const storeId = requireStore(scope, store, refusals.forbidden);
    const named = parseChatId(id);
    if (named && named.storeId !== storeId) throw refusals.ticketNotFound();
    return { storeId, ticketId: named?.conversationId ?? id.toLowerCase(), sight: sightOfViewer(viewer) };
  }

  /** Throws `forbidden` for one that is open to read alone. */
  private async workable(key: SeenTicket): Promise<FoundTicket> {
    const ticket = await this.find(key);
    if (!ticket.workable) throw refusals.forbidden();
    return ticket;
  }

  private async find(key: SeenTicket, whole = false): Promise<FoundTicket> {
    const ticket = isUuid(key.ticketId) ? await this.needs.tickets.find(key, whole) : undefined;
    if (!ticket) throw refusals.ticketNotFound();
    return ticket;
  }

  private async demandUser({ storeId }: TicketKey, user: string | undefined): Promise<void> {
    if (!(await this.needs.lifecycle.known(this.database, storeId, { user })).user) throw refusals.userNotFound();
  }

  private tell(changed: Partial<OpenedTicket> | undefined): void {
    if (changed?.list) this.needs.announcer.listChanged(changed.list);
    this.needs.notifications.notified(changed?.notified);
  }
}

/** It stands by the number that a hidden id had when it was opened; that may be another one's by now. */
const sameTicket = (ticket: FoundTicket, named: string, { judul, isi }: OpenTicket): string => {
  const isTheirs = hidesNumber(named) || ticket.nohp === named;
  if (!isTheirs || ticket.judul !== judul || ticket.isi !== isi) throw refusals.idTaken();
  return ticket.record;
};

const openedMeanwhile = (failure: unknown): undefined => {
  if (!isUniqueViolation(failure)) throw failure;
};
