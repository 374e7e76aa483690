import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { ChatDesk } from '../../clients/chat.desk';
import type { ChatMessages } from '../../clients/chat.messages';
import type { Config } from '../../config';
import { seatsOf } from '../team/chat-teams/public';
import { chatEventsEndpoints, type LinkOpened } from './chat-events';
import { feedbackPages } from './feedback.pages';
import { FeedbackRequests } from './feedback.request';
import { ticketAbilities } from './tickets.abilities';
import { ticketsEndpoints } from './tickets.endpoints';
import { ticketsPages } from './tickets.pages';
import { TicketsService, type TicketsParts } from './tickets.service';

interface TicketsNeeds extends AreaParts {
  readonly chat: ChatDesk;
  readonly messages: ChatMessages | undefined;
  readonly files: TicketsParts['files'];
  readonly linkOpened: LinkOpened;
}

/** Tickets, a face over chat-backend; what it tells of them, and of links that customers came by. */
export const composeTickets = (
  { PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Pick<Config, 'PAY_LINK_SECRET' | 'PUBLIC_URL'>,
  { database, clock, logger, queue, chat, messages, files, linkOpened }: TicketsNeeds,
): Area => {
  const seats: TicketsParts['seats'] = (storeId, userId) => seatsOf(database, storeId, userId);
  const tickets = new TicketsService({ database, chat, files, seats });
  const asking = { database, clock, logger, tickets, messages, secret, publicUrl };
  const requests = new FeedbackRequests(asking);
  const by = byOf(clock);
  return {
    endpoints: [
      ...ticketsEndpoints({ tickets, by, clock, secret }),
      ...chatEventsEndpoints({ database, queue, clock, linkOpened }),
    ],
    components: [],
    abilities: ticketAbilities,
    pages: [feedbackPages({ sql: database, clock, secret, tickets }), ticketsPages({ database, tickets, by })],
    jobs: { 'feedback.request': { effect: 'outside', run: (event) => requests.ask(event) } },
  };
};
