import { PageCursor, type Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { eventExpression } from './features/automation/commerce-event.job';
import { LifecycleRepository } from './features/lifecycle/lifecycle.repository';
import type { OutboundRepository } from './features/outbound/outbound.repository';
import { deskEndpoints } from './features/tickets/desk.endpoints';
import { DeskRepository } from './features/tickets/desk.repository';
import { DeskService } from './features/tickets/desk.service';
import { ticketEndpoints } from './features/tickets/ticket.endpoints';
import { TicketRepository } from './features/tickets/ticket.repository';
import { AccessRepository } from './features/tenancy/access.repository';
import { TicketService, type TicketDependencies } from './features/tickets/ticket.service';
import type { Searches } from './searches';

interface TicketParts extends Omit<TicketDependencies, 'access'> {
  readonly database: Database;
  readonly queue: JobQueue<ChatJobs>;
  readonly searches: Searches;
  readonly sends: OutboundRepository;
}

/** Tickets, which escalations and commerce-api open. */
export const composeTickets = (
  { MEDIA_SECRET, COMMERCE_URL }: Pick<Config, 'MEDIA_SECRET' | 'COMMERCE_URL'>,
  { database, queue, searches, sends, announcer, notifications }: TicketParts,
): { endpoints: Endpoint[]; components: [] } => {
  const event = COMMERCE_URL === undefined ? undefined : eventExpression(queue);
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
      ...ticketEndpoints(
        new TicketService(new TicketRepository(database, event), { access, announcer, notifications }),
      ),
      ...deskEndpoints(new DeskService(database, searches, desk)),
    ],
    components: [],
  };
};
