import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultText } from '../records/public';
import { refusals } from '../tenancy/public';
import {
  AssignTicket,
  OpenTicket,
  RateTicket,
  ReplyToTicket,
  TicketAnswer,
  TicketList,
  TicketQuery,
  TicketReplyAnswer,
  ViewedStore,
  WholeTicketAnswer,
} from './desk.dto';
import type { DeskService } from './desk.service';

const internal = { guard: 'service', internal: true, tag: 'internal' } as const;
const message = (text: string, record: string) => resultText(`{"message":"${text}","data":${record}}`);

/** Tickets behind commerce-api's `/ticketing-feedback` (design 2.9); `{id}` is the caller's UUID, or a `ticketId`. */
export const deskEndpoints = (desk: DeskService): Endpoint[] => [
  endpoint({
    ...internal,
    put: '/internal/tickets/{id}',
    summary: 'Opens a ticket under an id of the caller; the same id again is the same ticket',
    body: OpenTicket,
    reply: TicketAnswer,
    refuses: [refusals.forbidden, refusals.ticketNotFound, refusals.userNotFound, refusals.idTaken],
    handle: async ({ caller, params, body }) =>
      message('success open ticket', await desk.open(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    get: '/internal/tickets',
    summary: 'Tickets of a store, newest first',
    query: TicketQuery,
    reply: TicketList,
    refuses: [refusals.forbidden, refusals.tooBroad],
    handle: async ({ caller, query }) =>
      resultText(`{"message":"success",${(await desk.list(caller, query)).slice(1)}`),
  }),
  endpoint({
    ...internal,
    get: '/internal/tickets/{id}',
    summary: 'One ticket with its replies and history',
    query: ViewedStore,
    reply: WholeTicketAnswer,
    refuses: [refusals.forbidden, refusals.ticketNotFound],
    handle: async ({ caller, params, query }) => message('success', await desk.whole(caller, query, params.id)),
  }),
  endpoint({
    ...internal,
    post: '/internal/tickets/{id}/replies',
    summary: 'Keeps a reply and, when wished for, sends it to the chat',
    body: ReplyToTicket,
    reply: TicketReplyAnswer,
    refuses: [
      refusals.forbidden,
      refusals.ticketNotFound,
      refusals.userNotFound,
      refusals.chatNotFound,
      refusals.ticketClosed,
      refusals.duplicate,
      refusals.idTaken,
    ],
    handle: async ({ caller, params, body }) =>
      message('success reply ticket', await desk.reply(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    put: '/internal/tickets/{id}/assign',
    summary: 'Gives the ticket to a user',
    body: AssignTicket,
    reply: TicketAnswer,
    refuses: [refusals.forbidden, refusals.ticketNotFound, refusals.userNotFound, refusals.ticketClosed],
    handle: async ({ caller, params, body }) =>
      message('success assign ticket', await desk.assign(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    put: '/internal/tickets/{id}/rating',
    summary: "Keeps the customer's mark, once",
    body: RateTicket,
    reply: TicketAnswer,
    refuses: [refusals.forbidden, refusals.ticketNotFound, refusals.alreadyRated],
    handle: async ({ caller, params, body }) =>
      message('success rate ticket', await desk.rate(caller, params.id, body)),
  }),
];
