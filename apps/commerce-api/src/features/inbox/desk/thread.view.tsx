import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Caller } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { addressOf } from '../../../web/ui/address';
import { stateOf } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Opens } from '../../../web/ui/reading';
import { Bubble } from './bubble.view';
import { Find } from './found.view';
import { Called } from './help.view';
import { inboxTexts } from './inbox.texts';
import type { InboxRow, Thread } from './inbox.types';
import { chatAddress, helpAddress, type ListQuery } from './rows.view';

export interface BandParts {
  readonly chat: InboxRow;
  readonly list: ListQuery;
  readonly me: Pick<Caller, 'actor' | 'abilities'> & {
    /** The chat teams in which they sit. */
    readonly seats: readonly string[];
  };
  readonly form: FormState;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly t: Reader;
}

/** Whether somebody else handles it. */
export const isOthers = ({ status, assignee }: InboxRow, actor: string): boolean =>
  status === 'handle' && assignee !== null && assignee !== actor;

/** One thing to do with the chat, by one button. */
const Do = ({ parts, action, text }: { readonly parts: BandParts; readonly action: string; readonly text: string }) => (
  <form method="post" action={`/chats/${parts.chat.id}/action`}>
    <input type="hidden" name="_csrf" value={parts.form.csrf} />
    <button class="button" name="action" value={action}>
      {text}
    </button>
  </form>
);

const sees = ({ me }: BandParts, team: string | null): boolean =>
  me.abilities.has('chat.all') || (team !== null && me.seats.includes(team));

/** As chat-backend decides it; what it knows and the page does not, it decides alone. */
const mayEndHelp = (parts: BandParts): boolean => {
  const { help } = parts.chat;
  return help === undefined || [help.by, help.toUser].includes(parts.me.actor) || sees(parts, help.toTeam);
};

const wordsOf = ({ chat, me, t }: BandParts): string => {
  const say = inboxTexts(t);
  if (chat.status !== 'handle') return say.states[chat.status];
  return isOthers(chat, me.actor) ? say.handledBy({ name: chat.assigneeName ?? say.someone }) : say.mine;
};

/** The one thing to do next. */
const Main = (parts: BandParts): JSX.Element | null => {
  const { chat, me, t } = parts;
  const say = inboxTexts(t);
  if (chat.status === 'finish') return <Do parts={parts} action="reopen" text={say.reopen} />;
  if (chat.status !== 'handle') return <Do parts={parts} action="take" text={say.take} />;
  if (!isOthers(chat, me.actor)) return <Do parts={parts} action="close" text={say.close} />;
  return me.abilities.has('chat.all') ? <Do parts={parts} action="takeover" text={say.takeover} /> : null;
};

const Move = ({ chat, teams, form, t }: BandParts): JSX.Element | null => {
  const say = inboxTexts(t);
  const others = teams.filter(({ id }) => id !== chat.team);
  const { team_id: chosen } = stateOf(form, 'move').fields;
  if (others.length === 0) return null;
  return (
    <form method="post" action={`/chats/${chat.id}/action`}>
      <input type="hidden" name="_csrf" value={form.csrf} />
      <div class="input">
        <select name="team_id" aria-label={say.moveTo}>
          {others.map(({ id, name }) => (
            <option value={id} selected={id === chosen}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button class="button" name="action" value="move">
        {say.move}
      </button>
    </form>
  );
};

/** Who it is, and the way to what is known of them for whoever may see it. */
const Buyer = ({ chat: { contact }, t }: BandParts): JSX.Element => {
  const opens = useContext(Opens);
  const path = `/contacts/${contact.id ?? ''}`;
  const number = `+${contact.phone}`;
  return contact.id !== null && opens(path) ? (
    <a href={path}>
      {inboxTexts(t).buyer} {number}
    </a>
  ) : (
    <span>{number}</span>
  );
};

/** What else the chat's own team does with it. */
const Others = (parts: BandParts): JSX.Element => {
  const { chat, list, me, t } = parts;
  const say = inboxTexts(t);
  const mine = chat.status === 'handle' && !isOthers(chat, me.actor);
  return (
    <>
      {mine ? null : <Do parts={parts} action="close" text={say.close} />}
      {chat.status === 'open' ? null : <Do parts={parts} action="reopen" text={say.release} />}
      {chat.status === 'pending' ? null : <Do parts={parts} action="pending" text={say.pending} />}
      {chat.asksHelp ? null : <a href={helpAddress(chat, list)}>{say.help.ask}</a>}
      <Move {...parts} />
    </>
  );
};

/** Who answers, and what can be done with the chat. It is sent again when that changes. */
export const Band = (parts: BandParts): JSX.Element => {
  const { chat, list, t } = parts;
  const say = inboxTexts(t);
  const isTheirs = sees(parts, chat.team);
  return (
    <div id="band" class="band" data-version={chat.version} data-unread={chat.unread}>
      <Icon name="user" />
      <span class="band-text">{wordsOf(parts)}</span>
      {chat.unread === 0 ? null : <Do parts={parts} action="read" text={say.read} />}
      {chat.asksHelp && mayEndHelp(parts) ? <Do parts={parts} action="help_done" text={say.help.done} /> : null}
      {isTheirs ? <Main {...parts} /> : null}
      <details class="band-more">
        <summary class="button" aria-label={say.others}>
          <Icon name="dots" />
        </summary>
        <div class="panel">
          <Find {...{ chat, list, t }} />
          {isTheirs && chat.status !== 'finish' ? <Others {...parts} /> : null}
          <Buyer {...parts} />
        </div>
      </details>
      {chat.asksHelp && chat.help ? <Called help={chat.help} t={t} /> : null}
    </div>
  );
};

interface MessagesParts {
  readonly thread: Thread;
  readonly list: ListQuery;
  /** They are not the newest. */
  readonly isBefore: boolean;
  readonly t: Reader;
}

/** The messages; what is replaced when the page has missed too many of them. */
export const Messages = ({ thread: { chat, messages }, list, isBefore, t }: MessagesParts): JSX.Element => {
  const say = inboxTexts(t);
  const first = messages[0]?.seq ?? 1;
  const here = chatAddress(chat, list);
  const [path = here, search = ''] = here.split('?');
  const query = Object.fromEntries(new URLSearchParams(search));
  return (
    <ol id="thread" class="thread" tabIndex={0} aria-label={say.thread} data-last={chat.lastSeq}>
      {first <= 1 ? null : (
        <li class="thread-way" data-before={first}>
          <a href={addressOf({ path, query }, { before: first })}>{say.older}</a>
        </li>
      )}
      {messages.map((message) => (
        <Bubble message={message} t={t} />
      ))}
      {isBefore ? (
        <li class="thread-way">
          <a href={here}>{say.newest}</a>
        </li>
      ) : null}
    </ol>
  );
};
