import { area, cursorPage, dataOf, done, parameter, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { byOf } from '../../by';
import { OWNER_AWAY, ownersConflict } from '../../clients/face';
import { rowEndpoint } from '../../endpoint';
import { OwnersKey, ownersId } from '../../owners-id';
import { refusals } from '../../refusals';
import { payLinkRefusals } from '../sales/payments/public';
import { ticketOfToken } from './feedback.token';
import {
  NewTicket,
  NewTicketReply,
  Rating,
  Ticket,
  TicketAssignment,
  TicketReply,
  TicketRow,
  TicketsQuery,
  TicketStatusChange,
} from './tickets.dto';
import { ticketRefusals, type TicketsService } from './tickets.service';

export interface TicketRoutes {
  readonly tickets: TicketsService;
  readonly by: ReturnType<typeof byOf>;
  readonly clock: Clock;
  /** Of the links that customers get. */
  readonly secret: string;
}

/** `<store>.<uuid>`, opaque to clients. */
export const ticketId = parameter({ type: 'string', minLength: 1, maxLength: 80 }, (raw) =>
  /^[\w-]{1,36}\.[0-9a-f-]{36}$/.test(raw) ? raw : undefined,
);
const endpoint = rowEndpoint.withDefaults({ params: { id: ticketId } });
const AWAY = ['notFound', ...OWNER_AWAY] as const;
const allChats = () => refusals.abilityMissing('chat.all');
const closed = ownersConflict('ticket_closed');
const { keyUsed } = ticketRefusals;
const mayReply = () => refusals.abilityMissing('chat.reply');

const reads = ({ tickets }: TicketRoutes): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List tickets',
    description:
      'Without `chat.all` those of chats that the caller may see, of numbers without a chat, and those given to them; an API token sees them all, or none when its maker lacks `chat.all`.',
    guard: 'member',
    query: TicketsQuery,
    reply: cursorPage(TicketRow),
    refuses: ['invalid', allChats, ownersConflict('too_broad'), ...OWNER_AWAY],
    handle: ({ caller, query }) => tickets.list(caller, query),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Ticket with replies',
    guard: 'member',
    reply: dataOf(Ticket),
    refuses: [allChats, ...AWAY],
    handle: ({ caller, params }) => tickets.get(caller, params.id),
  }),
];

const writes = ({ tickets, by }: TicketRoutes): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Open ticket',
    guard: 'ticket.write',
    status: 201,
    headers: OwnersKey,
    body: NewTicket,
    reply: dataOf(TicketRow, 'Ticket created'),
    refuses: [keyUsed, allChats, ...AWAY],
    handle: (input) => {
      const writer = by(input);
      return tickets.open(input.caller, writer, ownersId(writer, 'ticket', input.headers), input.body);
    },
  }),
  endpoint({
    post: '/{id}/reply',
    summary: 'Reply to ticket',
    guard: 'ticket.write',
    status: 201,
    headers: OwnersKey,
    body: NewTicketReply,
    reply: dataOf(TicketReply, 'Reply created'),
    refuses: [keyUsed, closed, ownersConflict('duplicate'), mayReply, allChats, ...AWAY],
    handle: (input) => {
      const id = ownersId(by(input), 'reply', input.headers);
      return tickets.reply(input.caller, input.params.id, id, input.body);
    },
  }),
  endpoint({
    put: '/{id}/status',
    summary: 'Pend, solve, close or reopen',
    guard: 'ticket.write',
    body: TicketStatusChange,
    reply: dataOf(TicketRow, 'Ticket updated'),
    refuses: [closed, ownersConflict('chat_busy'), allChats, ...AWAY],
    handle: (input) => tickets.changeStatus(input.caller, by(input), input.params.id, input.body.status),
  }),
  endpoint({
    post: '/{id}/assign',
    summary: 'Assign ticket to staff',
    guard: 'ticket.write',
    body: TicketAssignment,
    reply: dataOf(TicketRow, 'Ticket updated'),
    refuses: [closed, allChats, ...AWAY],
    handle: (input) => tickets.assign(input.caller, by(input), input.params.id, input.body.user_id),
  }),
];

const ratings = ({ tickets, clock, secret }: TicketRoutes): Endpoint[] => [
  endpoint({
    post: '/rating/{token}',
    summary: 'Customer rates the service',
    guard: 'link',
    body: Rating,
    reply: done('Thank you'),
    refuses: [payLinkRefusals.forged, payLinkRefusals.expired, ownersConflict('already_rated'), ...AWAY],
    handle: ({ params, body }) => tickets.rate(ticketOfToken(secret, params.token, clock.now()), body),
  }),
];

/** Tickets: a face over chat-backend, which owns them. */
export const ticketsEndpoints = (routes: TicketRoutes): Endpoint[] =>
  area({ prefix: '/api/ticketing-feedback', tag: 'Contacts and tickets' }, [
    ...reads(routes),
    ...writes(routes),
    ...ratings(routes),
  ]);
