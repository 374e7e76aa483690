import { PageCursor, type Database, type Sql } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { Config } from './config';
import { LifecycleRepository } from './features/lifecycle/lifecycle.repository';
import type { OutboundRepository } from './features/outbound/outbound.repository';
import { deskEndpoints } from './features/tickets/desk.endpoints';
import { DeskRepository } from './features/tickets/desk.repository';
import { DeskService } from './features/tickets/desk.service';
import { ticketEndpoints } from './features/tickets/ticket.endpoints';
import { TicketRepository } from './features/tickets/ticket.repository';
import { AccessRepository } from './features/tenancy/access.repository';
import { TicketService, type TicketDependencies } from './features/tickets/ticket.service';

interface TicketParts extends Omit<TicketDependencies, 'access'> {
  readonly database: Database;
  readonly searches: Sql;
  readonly sends: OutboundRepository;
}

/** Tickets, which escalations and commerce-api open. */
export const composeTickets = (
  { MEDIA_SECRET }: Pick<Config, 'MEDIA_SECRET'>,
  { database, searches, sends, announcer, notifications }: TicketParts,
): { endpoints: Endpoint[]; components: [] } => {
  const access = new AccessRepository(database);
  const tickets = new DeskRepository(database);
  const desk = {
    tickets,
    sends,
    announcer,
    notifications,
    lifecycle: new LifecycleRepository(),
    cursor: new PageCursor(MEDIA_SECRET),
  };
  return {
    endpoints: [
      ...ticketEndpoints(new TicketService(new TicketRepository(database), { access, announcer, notifications })),
      ...deskEndpoints(new DeskService(database, searches, desk)),
    ],
    components: [],
  };
};
