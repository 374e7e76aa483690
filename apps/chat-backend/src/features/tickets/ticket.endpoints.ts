import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultText } from '../records/public';
import { ChangeTicketStatus, TicketReply } from './ticket.dto';
import type { TicketService } from './ticket.service';

/** Contract, general rules: "`_crm` additionally include broadcast and ticket routes"; there is no `_admin` one. */
export const ticketEndpoints = (tickets: TicketService): Endpoint[] => [
  endpoint({
    post: '/v1/change_ticket_status',
    summary: 'Moves a ticket to another status',
    guard: 'jwt',
    variants: ['crm'],
    tag: 'tickets',
    body: ChangeTicketStatus,
    reply: TicketReply,
    examples: [
      {
        summary: 'no such ticket',
        request: { ticketId: 'S1.none', status: 'resolved' },
        status: 200,
        response: { result: false, message: 'ticket tidak ditemukan', code: 'ticket_not_found' },
      },
    ],
    handle: async ({ caller, body }) =>
      resultText(
        `{"message":"success change ticket status",${(await tickets.changeStatus(caller, body)).trimStart().slice(1)}`,
      ),
  }),
];
