import type { Feed } from '@platform/http';
import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { Shown } from '../../web/page.types';
import { FeedPager, FeedViews } from '../../web/ui/feed';
import { Away, Chip, Empty, Moment, Notice, Section, type Tone } from '../../web/ui/parts';
import { Way } from '../../web/ui/reading';
import { Facts, Table, type Column } from '../../web/ui/table';
import type { MemberName } from '../team/members/public';
import { AssignForm, ReplyForm, StatusForm } from './ticket.forms';
import { ticketStatuses, type Ticket, type TicketRow, type TicketsQuery, type TicketStatus } from './tickets.dto';
import { ticketTexts } from './tickets.texts';

const PATH = '/tickets';

/** Undefined while chat-backend is away; `broad`: it means too many. */
export type TicketsData = Feed<TicketRow> | 'broad' | undefined;
/** Undefined while chat-backend is away. */
export interface TicketData {
  readonly ticket: Ticket | undefined;
  readonly members: readonly MemberName[];
}

const TONES: Readonly<Record<TicketStatus, Tone>> = {
  ...{ open: 'bad', on_progress: 'info', pending: 'wait', resolved: 'good', closed: 'plain' },
};

const State = ({ status, t }: { readonly status: TicketStatus; readonly t: Reader }): JSX.Element => (
  <Chip tone={TONES[status]}>{ticketTexts(t).statuses[status]}</Chip>
);

const columnsFor = (t: Reader): readonly Column<TicketRow>[] => {
  const say = ticketTexts(t);
  return [
    {
      ...{ title: say.subject, main: true },
      cell: ({ id, subject, number }) => (
        <a href={`${PATH}/${id}`}>
          <span dir="auto">{subject}</span> <small>{number}</small>
        </a>
      ),
    },
    { title: say.status, plain: true, cell: ({ status }) => <State status={status} t={t} /> },
    { title: say.priority, cell: ({ priority }) => say.priorities[priority] },
    { title: say.customer, cell: ({ contact }) => <span dir="auto">{contact.name ?? contact.phone}</span> },
    { title: say.opened, cell: ({ created_at: at }) => <Moment at={at} brief /> },
  ];
};

type All = Shown<TicketsData, TicketsQuery>;

const Search = ({ query, t }: Pick<All, 'query' | 't'>): JSX.Element => {
  const { search } = ticketTexts(t);
  return (
    <form class="look-up" role="search" action={PATH}>
      {query.status === undefined ? null : <input type="hidden" name="status" value={query.status} />}
      <div class="input">
        <input type="search" name="q" value={query.q} aria-label={search} placeholder={search} maxLength={100} />
      </div>
      <button class="button">{t.list.search}</button>
    </form>
  );
};

export const TicketsView = ({ data, query, t }: All): JSX.Element => {
  const say = ticketTexts(t);
  if (data === undefined) return <Away />;
  const isAll = query.q === undefined && query.status === undefined && query.cursor === undefined;
  const views = ticketStatuses.map((status) => ({ text: say.statuses[status], set: { status } }));
  const rows = data === 'broad' ? [] : data.rows;
  return (
    <div class="rows">
      <Search query={query} t={t} />
      <FeedViews {...{ path: PATH, query }} views={[{ text: t.list.all, set: {} }, ...views]} />
      {data === 'broad' ? <Notice text={say.tooBroad} /> : null}
      {rows.length === 0 ? (
        <Empty text={isAll ? say.none : say.noneHere} />
      ) : (
        <Table caption={t.nav.places.tickets} rows={rows} columns={columnsFor(t)} />
      )}
      {data === 'broad' ? null : <FeedPager {...{ path: PATH, query }} next={data.nextCursor} />}
    </div>
  );
};

/** A link to a file may come from anywhere. */
const isWeb = (url: string | null): url is string => /^https?:\/\//i.test(url ?? '');

const Replies = ({ ticket, t }: { readonly ticket: Ticket; readonly t: Reader }): JSX.Element => {
  const say = ticketTexts(t);
  return (
    <Section title={say.replies}>
      {ticket.replies.length === 0 ? <p class="hint">{say.noReplies}</p> : null}
      <ol class="said">
        {ticket.replies.map(({ author, at, text, media }) => (
          <li>
            <small dir="auto">
              {author ?? say.shop} · {t.brief(at)}
            </small>
            <p class="long" dir="auto">
              {text}
            </p>
            {isWeb(media) ? (
              <a class="link" href={media} target="_blank" rel="noreferrer">
                {say.media}
              </a>
            ) : null}
          </li>
        ))}
      </ol>
    </Section>
  );
};

const ratingOf = ({ rating, feedback }: Ticket, t: Reader): readonly (readonly [string, string])[] => {
  if (rating === null) return [];
  const say = ticketTexts(t);
  return [[say.rating, [say.stars({ count: t.count(rating) }), ...(feedback ? [feedback] : [])].join(' – ')]];
};

const Known = ({
  ticket,
  members,
  t,
}: {
  readonly ticket: Ticket;
  readonly members: readonly MemberName[];
  readonly t: Reader;
}) => {
  const say = ticketTexts(t);
  const { contact, order_id: order, assignee } = ticket;
  const name = members.find(({ id }) => id === assignee)?.name ?? say.somebody;
  return (
    <div class="panel">
      <p>
        <State status={ticket.status} t={t} /> <b dir="auto">{ticket.subject}</b>
      </p>
      <p class="long" dir="auto">
        {ticket.body}
      </p>
      <Facts
        facts={[
          [
            say.customer,
            contact.id === null ? (
              contact.phone
            ) : (
              <Way to={`/contacts/${contact.id}`}>{contact.name ?? contact.phone}</Way>
            ),
          ],
          [say.priority, say.priorities[ticket.priority]],
          [say.assignee, assignee === null ? say.nobody : <span dir="auto">{name}</span>],
          [say.opened, <Moment at={ticket.created_at} />],
          ...(order === null ? [] : [[say.order, <Way to={`/orders/${order}`}>{say.showOrder}</Way>] as const]),
          ...ratingOf(ticket, t),
        ]}
      />
    </div>
  );
};

export const TicketView = ({ data: { ticket, members }, form, t, viewer }: Shown<TicketData>): JSX.Element => {
  if (!ticket) return <Away />;
  const canNotify = viewer.caller.abilities.has('chat.reply');
  return (
    <div class="rows">
      <Known {...{ ticket, members, t }} />
      <Replies ticket={ticket} t={t} />
      <ReplyForm {...{ form, t, ticket, canNotify }} />
      <StatusForm {...{ form, t, ticket }} />
      <AssignForm {...{ form, t, ticket, members }} />
    </div>
  );
};
