import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultText } from '../records/public';
import { refusals } from '../tenancy/public';
import { ChangeTicketStatus, TicketReply } from './ticket.dto';
import { changeTicketStatusExamples } from './ticket.examples';
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
    examples: changeTicketStatusExamples,
    refuses: [
      refusals.ticketNotFound,
      refusals.ticketClosed,
      refusals.forbidden,
      refusals.userNotFound,
      refusals.chatBusy,
    ],
    handle: async ({ caller, body }) =>
      resultText(
        `{"message":"success change ticket status",${(await tickets.changeStatus(caller, body)).trimStart().slice(1)}`,
      ),
  }),
];
