import { cut } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { addressOf } from '../../../web/ui/address';
import { Icon } from '../../../web/ui/icon';
import { authorOf } from './bubble.view';
import { inboxTexts } from './inbox.texts';
import type { FoundMessages, InboxRow, ThreadMessage } from './inbox.types';
import { chatAddress, CHATS, kindOf, type ListQuery } from './rows.view';

/** Characters before and after the first hit. */
const [BEFORE, AFTER] = [30, 140];
/** A message is shown with as many after it. */
const NEWER = 10;

const PLAIN = /[.*+?^${}()|[\]\\]/g;
/** Each of the words, as a part of any. */
const patternOf = (words: string): RegExp =>
  new RegExp(
    `(${words
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(PLAIN, '\\$&'))
      .join('|')})`,
    'giu',
  );

/** What stands around the first hit: texts in which each second is a hit. */
export const snippetOf = (text: string, words: string): string[] => {
  const line = text.replace(/\s+/g, ' ');
  const pattern = patternOf(words);
  const at = Math.max(0, line.search(pattern));
  const ahead = [...line.slice(0, at)];
  const rest = line.slice(at);
  const shown = cut(rest, AFTER);
  const [before, after] = [ahead.length > BEFORE ? '…' : '', shown === rest ? '' : '…'];
  return `${before}${ahead.slice(-BEFORE).join('')}${shown}${after}`.split(pattern);
};

interface FindParts {
  readonly chat: Pick<InboxRow, 'id'>;
  readonly list: ListQuery;
  readonly words?: string | undefined;
  readonly t: Reader;
}

/** Where one looks for messages of this chat. */
export const Find = ({ chat, list, words, t }: FindParts): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <form class="chats-search" method="get" action={`${CHATS}/${chat.id}`} role="search">
      <input type="hidden" name="view" value={list.view} />
      {list.q === undefined ? null : <input type="hidden" name="q" value={list.q} />}
      <div class="input">
        <Icon name="search" />
        <input
          {...{ type: 'search', name: 'find', value: words, maxLength: 100, required: true }}
          aria-label={say.find.label}
          placeholder={say.find.label}
        />
      </div>
    </form>
  );
};

const placeOf = (chat: InboxRow, list: ListQuery, more: object): string => {
  const [path = '', search = ''] = chatAddress(chat, list).split('?');
  return addressOf({ path, query: Object.fromEntries(new URLSearchParams(search)) }, { ...more });
};

interface HitParts {
  readonly chat: InboxRow;
  readonly list: ListQuery;
  readonly message: ThreadMessage;
  readonly words: string;
  readonly t: Reader;
}

/** One of them, and the way to its place. */
const Hit = ({ chat, list, message, words, t }: HitParts): JSX.Element => {
  const { id, seq, at, type, text, caption, filename, location } = message;
  const said = [text, caption, filename, location?.name].filter(Boolean).join(' ') || kindOf(type, t);
  return (
    <li class="row">
      <a href={`${placeOf(chat, list, { before: seq + NEWER })}#m-${encodeURIComponent(id)}`}>
        <span class="row-text">
          <span class="row-line">
            <b dir="auto">{authorOf(message, t)}</b>
            <time dateTime={at}>{t.brief(at)}</time>
          </span>
          <span dir="auto">{snippetOf(said, words).map((part, n) => (n % 2 === 0 ? part : <mark>{part}</mark>))}</span>
        </span>
      </a>
    </li>
  );
};

interface FoundParts {
  readonly found: FoundMessages;
  readonly list: ListQuery;
  readonly words: string;
  readonly t: Reader;
}

/** In place of the messages: those of this chat with some words, the newest first. */
export const Found = ({ found: { chat, messages, next }, list, words, t }: FoundParts): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <section class="found rows" aria-label={say.find.label}>
      <Find {...{ chat, list, words, t }} />
      <ul>
        {messages.toReversed().map((message) => (
          <Hit {...{ chat, list, message, words, t }} />
        ))}
      </ul>
      <p class="rows-empty">{next === undefined ? say.find.none : say.find.noneYet}</p>
      {next === undefined ? null : (
        <a class="button" href={placeOf(chat, list, { find: words, before: next })}>
          {say.find.older}
        </a>
      )}
      <a class="button" href={chatAddress(chat, list)}>
        {say.find.back}
      </a>
    </section>
  );
};
