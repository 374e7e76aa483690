import type { Database } from '@platform/data';
import { Conflict, Forbidden } from '@platform/errors';
import type { byOf } from '../../by';
import { ownersId } from '../../owners-id';
import { unlessAway } from '../../web/away';
import type { Reader } from '../../web/i18n/reader';
import type { Pages } from '../../web/kit';
import { ownersAction, ownersActions, page } from '../../web/page';
import { memberNames } from '../team/members/public';
import { NewTicketReply, TicketAssignment, TicketsQuery, TicketStatusChange } from './tickets.dto';
import { ticketId } from './tickets.endpoints';
import type { TicketsService } from './tickets.service';
import { ticketTexts } from './tickets.texts';
import { TicketsView, TicketView } from './tickets.view';

export interface TicketPageParts {
  readonly database: Database;
  readonly tickets: TicketsService;
  readonly by: ReturnType<typeof byOf>;
}

const ability = 'ticket.write';

const labels = (t: Reader) => {
  const say = ticketTexts(t);
  return { text: say.text, status: say.status, user_id: say.assignee };
};
const conflicts = {
  ticket_closed: { text: (t: Reader) => ticketTexts(t).closed },
  chat_busy: { text: (t: Reader) => ticketTexts(t).busy },
  not_theirs: { text: (t: Reader) => ticketTexts(t).notTheirs },
  idempotency_mismatch: { text: (t: Reader) => ticketTexts(t).sentBefore },
};

/** What means too many is no failure of the page. */
const broad = (failure: unknown): 'broad' => {
  if (failure instanceof Conflict && failure.code === 'too_broad') return 'broad';
  throw failure;
};

/** They may read it, and no more; which right somebody lacks is told by its page. */
const notTheirs = (failure: unknown): never => {
  const isOther = failure instanceof Forbidden && failure.details.ability === undefined;
  throw isOther ? new Conflict('It is not theirs', { code: 'not_theirs', cause: failure }) : failure;
};

const list = ({ tickets }: TicketPageParts) =>
  page({
    get: '/tickets',
    ability,
    query: TicketsQuery,
    title: ({ t }) => t.nav.places.tickets,
    load: ({ viewer, query }) => unlessAway(tickets.list(viewer.caller, query).catch(broad)),
    view: TicketsView,
  });

const one = ({ database, tickets }: TicketPageParts) =>
  page({
    get: '/tickets/{id}',
    ability,
    params: { id: ticketId },
    back: '/tickets',
    title: ({ data, t }) => data.ticket?.number ?? t.nav.places.tickets,
    load: async ({ viewer: { caller }, params: { id = '' } }) => {
      const [ticket, members] = await Promise.all([
        unlessAway(tickets.get(caller, id)),
        memberNames(database, caller.storeId),
      ]);
      return { ticket, members };
    },
    view: TicketView,
    ...{ labels, conflicts },
  });

/** Tickets: those that chat-backend lets a member see, and what they do with one. */
export const ticketsPages = (parts: TicketPageParts): Pages => {
  const { tickets, by } = parts;
  const [all, single] = [list(parts), one(parts)];
  const here = (id = ''): string => `/tickets/${id}`;
  const changed = ownersActions({
    ...{ post: '/tickets/{id}', ability, of: single },
    on: {
      reply: ownersAction({
        body: NewTicketReply,
        run: ({ viewer, params: { id = '' }, body, key }) =>
          tickets
            .reply(viewer.caller, id, ownersId(by(viewer), 'reply', { 'idempotency-key': key }), body)
            .catch(notTheirs),
        done: (_, { t, params }) => ({ to: here(params.id), flash: ticketTexts(t).sent }),
      }),
      status: ownersAction({
        body: TicketStatusChange,
        run: ({ viewer, params: { id = '' }, body }) =>
          tickets.changeStatus(viewer.caller, by(viewer), id, body.status).catch(notTheirs),
        done: (_, { t, params }) => ({ to: here(params.id), flash: ticketTexts(t).statusSet }),
      }),
      assign: ownersAction({
        body: TicketAssignment,
        run: ({ viewer, params: { id = '' }, body }) =>
          tickets.assign(viewer.caller, by(viewer), id, body.user_id).catch(notTheirs),
        done: (_, { t, params }) => ({ to: here(params.id), flash: ticketTexts(t).assigned }),
      }),
    },
  });
  return (kit) => [all, single, changed].flatMap((pages) => pages(kit));
};
