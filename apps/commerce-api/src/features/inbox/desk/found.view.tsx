import { cut } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { addressOf } from '../../../web/ui/address';
import { Icon } from '../../../web/ui/icon';
import { authorOf } from './bubble.view';
import { inboxTexts } from './inbox.texts';
import type { FoundMessages, InboxRow, ThreadMessage } from './inbox.types';
import { chatAddress, CHATS, kindOf, type ListQuery } from './rows.view';

/** Characters before and from the first hit on. */
const [BEFORE, AFTER] = [30, 140];
/** A message is shown with as many after it. */
const NEWER = 10;

const PLAIN = /[.*+?^${}()|[\]\\]/g;
/** Where the words stand, each behind the one before it, as they are looked for; none when they do not. */
const hitsOf = (line: string, words: string): [from: number, to: number][] => {
  const hits: [number, number][] = [];
  let from = 0;
  for (const word of words.trim().split(/\s+/)) {
    const pattern = new RegExp(word.replace(PLAIN, '\\$&'), 'giu');
    pattern.lastIndex = from;
    const hit = pattern.exec(line);
    if (!hit) return [];
    from = pattern.lastIndex;
    hits.push([hit.index, from]);
  }
  return hits;
};

/** What stands around the hits: texts in which each second is one. */
export const snippetOf = (text: string, words: string): string[] => {
  const line = text.replace(/\s+/g, ' ');
  const hits = hitsOf(line, words);
  const at = hits[0]?.[0] ?? 0;
  const ahead = [...line.slice(0, at)];
  const end = at + cut(line.slice(at), AFTER).length;
  const parts: string[] = [];
  let [lead, done] = [`${ahead.length > BEFORE ? '…' : ''}${ahead.slice(-BEFORE).join('')}`, at];
  for (const [from, to] of hits.filter(([, last]) => last <= end)) {
    parts.push(lead + line.slice(done, from), line.slice(from, to));
    [lead, done] = ['', to];
  }
  return [...parts, `${lead}${line.slice(done, end)}${end < line.length ? '…' : ''}`];
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
export const Found = ({ found: { chat, messages, next, isBroad }, list, words, t }: FoundParts): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <section class="found rows" aria-label={say.find.label}>
      <Find {...{ chat, list, words, t }} />
      <ul>
        {messages.toReversed().map((message) => (
          <Hit {...{ chat, list, message, words, t }} />
        ))}
      </ul>
      <p class="rows-empty">{isBroad ? say.find.broad : next === undefined ? say.find.none : say.find.noneYet}</p>
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
