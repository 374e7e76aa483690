import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { ticketEndpoints } from './features/tickets/ticket.endpoints';
import { TicketRepository } from './features/tickets/ticket.repository';
import { TicketService, type TicketDependencies } from './features/tickets/ticket.service';

/** Tickets, which escalations open. */
export const composeTickets = (
  database: Database,
  needs: TicketDependencies,
): { endpoints: Endpoint[]; components: [] } => ({
  endpoints: ticketEndpoints(new TicketService(new TicketRepository(database), needs)),
  components: [],
});
