import { cut, hasVisible } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { addressOf } from '../../../web/ui/address';
import { Icon } from '../../../web/ui/icon';
import { initials } from '../../../web/ui/parts';
import { inboxTexts } from './inbox.texts';
import { inboxViews, type InboxQuery, type InboxRow, type InboxView, type Listed } from './inbox.types';
import { rankIn } from './inbox.views';
import { Keys } from './keys.view';

export const CHATS = '/chats';

/** What the list was asked for; it stays while one goes from chat to chat. */
export interface ListQuery {
  readonly view: InboxView;
  readonly q?: string | undefined;
}

export const listOf = ({ view = 'waiting', q }: Pick<InboxQuery, 'view' | 'q'>): ListQuery => ({ view, q });

export const nameOf = ({ contact: { name, phone } }: Pick<InboxRow, 'contact'>): string =>
  name !== null && hasVisible(name) ? name.trim() : `+${phone}`;

export const chatAddress = ({ id }: Pick<InboxRow, 'id'>, { view, q }: ListQuery): string =>
  addressOf({ path: `${CHATS}/${id}`, query: {} }, { view, q });

/** The form that asks others for help has an address of its own, because the band is told anew while somebody types. */
export const helpAddress = ({ id }: Pick<InboxRow, 'id'>, { view, q }: ListQuery): string =>
  `${addressOf({ path: `${CHATS}/${id}`, query: {} }, { view, q, help: 'true' })}#help`;

export const kindOf = (type: string, t: Reader): string => {
  const { kinds } = inboxTexts(t);
  return Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : kinds.other;
};

/** As much as there is room for. */
const LONGEST = 60;
const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  const short = cut(line, LONGEST);
  return short === line ? line : `${short}…`;
};

const lastOf = ({ last_message: last }: InboxRow, t: Reader): string =>
  last?.text || (last === null ? '' : kindOf(last.type, t));

const Who = ({ row, t }: { readonly row: InboxRow; readonly t: Reader }): JSX.Element => {
  const say = inboxTexts(t);
  if (row.asksHelp) return <small class="row-who row-open">{say.help.asked}</small>;
  if (row.status !== 'handle') return <small class={`row-who row-${row.status}`}>{say.states[row.status]}</small>;
  return (
    <small class="row-who">
      <Icon name="user" />
      {row.assigneeName ?? say.someone}
    </small>
  );
};

interface RowParts {
  readonly row: InboxRow;
  readonly list: ListQuery;
  /** The one that is open. */
  readonly isOpen?: boolean;
  readonly t: Reader;
}

/** One chat of the list; on the page, and as it is sent when something happens to it. */
export const ChatRow = ({ row, list, isOpen, t }: RowParts): JSX.Element => {
  const say = inboxTexts(t);
  const name = nameOf(row);
  return (
    <li
      id={`row-${row.chatId}`}
      class={row.unread > 0 ? 'row row-new' : 'row'}
      data-version={row.version}
      data-rank={rankIn(list.view, row)}
    >
      <a href={chatAddress(row, list)} aria-current={isOpen ? 'true' : undefined}>
        <span class="avatar" aria-hidden="true">
          {initials(name)}
        </span>
        <span class="row-text">
          <span class="row-line">
            <b dir="auto">{brief(name)}</b>
            {row.last_message === null ? null : (
              <time dateTime={row.last_message.at}>{t.brief(row.last_message.at)}</time>
            )}
          </span>
          <span class="row-line">
            <span class="row-last" dir="auto">
              {brief(lastOf(row, t))}
            </span>
            {row.unread === 0 ? null : (
              <span class="row-count">
                <span aria-hidden="true">{row.unread > 99 ? '99+' : row.unread}</span>
                <span class="sr">{say.unread({ count: t.count(row.unread) })}</span>
              </span>
            )}
          </span>
          <Who row={row} t={t} />
        </span>
      </a>
    </li>
  );
};

interface ListParts {
  readonly listed: Listed;
  readonly list: ListQuery;
  readonly openId?: string;
  readonly offer?: JSX.Element | undefined;
  readonly t: Reader;
}

const emptyOf = ({ listed, list: { view, q } }: ListParts, t: Reader): string => {
  const say = inboxTexts(t);
  if (listed.isSeatless) return say.seatless;
  return listed.isBroad ? say.find.broad : q ? say.nothingFound : say.empty[view];
};

/** What is replaced when the page has missed something. */
export const Rows = (parts: ListParts): JSX.Element => {
  const { listed, list, openId, t } = parts;
  return (
    <div id="rows" class="rows" data-grows={list.q ? undefined : 'true'}>
      <ul>
        {listed.rows.map((row) => (
          <ChatRow {...{ row, list, t }} isOpen={row.chatId === openId} />
        ))}
      </ul>
      <p class="rows-empty">{emptyOf(parts, t)}</p>
    </div>
  );
};

/** The way to a chat in which something waits to be sent; the page's script shows it. */
const Unsent = ({ t }: Pick<ListParts, 't'>): JSX.Element => (
  <a id="unsent" class="alert info" hidden>
    {inboxTexts(t).unsent}
  </a>
);

/** The list of chats, with its views and its search. */
export const ChatList = (parts: ListParts): JSX.Element => {
  const { listed, list, t } = parts;
  const say = inboxTexts(t);
  const here = { path: CHATS, query: {} };
  return (
    <section class="chats" aria-label={say.list}>
      <nav class="views" aria-label={t.list.views}>
        {inboxViews.map((view) => (
          <a href={addressOf(here, { view })} aria-current={view === list.view && !list.q ? 'true' : undefined}>
            {say.views[view]}
          </a>
        ))}
      </nav>
      <form class="chats-search" method="get" action={CHATS} role="search">
        <input type="hidden" name="view" value={list.view} />
        <div class="input">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            value={list.q}
            maxLength={100}
            aria-label={say.search}
            placeholder={say.search}
          />
        </div>
      </form>
      <Unsent t={t} />
      <Rows {...parts} />
      {listed.next === null ? null : (
        <a class="button" href={addressOf(here, { view: list.view, q: list.q, cursor: listed.next })}>
          {say.more}
        </a>
      )}
      {parts.offer}
      <Keys t={t} />
    </section>
  );
};
