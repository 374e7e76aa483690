import { cut, hasVisible } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { Icon, type IconName } from '../../../web/ui/icon';
import { inboxTexts } from './inbox.texts';
import type { ThreadMessage } from './inbox.types';
import { kindOf } from './rows.view';

type State = ThreadMessage['status'];

const TICKS: Readonly<Record<State, IconName>> = {
  ...{ pending: 'clock', sent: 'check', delivered: 'checks', viewed: 'checks', played: 'checks' },
};
const RANKS: readonly State[] = ['pending', 'sent', 'delivered', 'viewed', 'played'];

/** How far a message of ours has come; it never goes back. */
export const Ticks = ({
  id,
  status,
  t,
}: Pick<ThreadMessage, 'id' | 'status'> & { readonly t: Reader }): JSX.Element => (
  <span id={`t-${id}`} class={`ticks ticks-${status}`} data-rank={RANKS.indexOf(status)}>
    <Icon name={TICKS[status]} label={inboxTexts(t).ticks[status]} />
  </span>
);

/** A link to a file may come from anywhere. */
const isWeb = (url: string | null): url is string => /^https?:\/\//i.test(url ?? '');

/** A picture, a voice or a film where it was said; it is fetched when somebody comes to it. Undefined: it is none. */
const seen = (type: string, url: string, t: Reader): JSX.Element | undefined => {
  const name = kindOf(type, t);
  if (type === 'audio') return <audio class="bubble-sound" controls preload="none" src={url} aria-label={name} />;
  if (type === 'video') return <video class="bubble-film" controls preload="none" src={url} aria-label={name} />;
  if (type !== 'image' && type !== 'sticker') return undefined;
  return (
    <a class="bubble-picture" href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={name} loading="lazy" />
    </a>
  );
};

const File = ({ message, t }: { readonly message: ThreadMessage; readonly t: Reader }): JSX.Element => {
  const { type, filename, media_url: url, isShown } = message;
  const shown = isShown && isWeb(url) ? seen(type, url, t) : undefined;
  if (shown) return shown;
  const name = filename !== null && hasVisible(filename) ? <bdi>{filename}</bdi> : kindOf(type, t);
  return (
    <p class="bubble-file">
      <Icon name={type === 'image' ? 'photo' : 'paperclip'} />
      {isWeb(url) ? (
        <a href={url} target="_blank" rel="noreferrer">
          {name}
          <span class="sr"> {inboxTexts(t).openFile}</span>
        </a>
      ) : (
        name
      )}
    </p>
  );
};

const Place = ({ location }: { readonly location: NonNullable<ThreadMessage['location']> }): JSX.Element => (
  <p class="bubble-file">
    <Icon name="map-pin" />
    <span dir="auto">{[location.name, location.address].filter(Boolean).join(', ')}</span>
    <small>
      {location.latitude}, {location.longitude}
    </small>
  </p>
);

/** As much of it as reminds a reader. */
const LONGEST_QUOTE = 160;

/** What the message answers, above it. */
const Quote = ({ message: { quote }, t }: { readonly message: ThreadMessage; readonly t: Reader }) => {
  if (quote === null || !hasVisible(quote)) return null;
  const short = cut(quote, LONGEST_QUOTE);
  return (
    <blockquote class="bubble-quote" dir="auto">
      <span class="sr">{inboxTexts(t).quoted} </span>
      {short === quote ? quote : `${short}…`}
    </blockquote>
  );
};

const Said = ({ message, t }: { readonly message: ThreadMessage; readonly t: Reader }): JSX.Element => {
  const { type, text, caption, location } = message;
  const words = [text, caption].filter(Boolean).join('\n');
  return (
    <>
      {type === 'text' || type === 'link' || location ? null : <File message={message} t={t} />}
      {location === null ? null : <Place location={location} />}
      {words === '' ? null : (
        <p class="bubble-text" dir="auto">
          {words}
        </p>
      )}
    </>
  );
};

interface BubbleParts {
  readonly message: ThreadMessage;
  readonly t: Reader;
}

/** Who said it. */
export const authorOf = ({ author, role }: ThreadMessage, t: Reader): string => {
  const { roles } = inboxTexts(t);
  if (role === 'agent' && author !== 'agent') return author;
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : author;
};

/** One message; on the page, as it is sent, and as it waits to be sent. */
export const Bubble = ({ message, t }: BubbleParts): JSX.Element => {
  const { id, seq, from_me: mine, status, error, at } = message;
  const say = inboxTexts(t);
  return (
    <li id={`m-${id}`} class={mine ? 'bubble bubble-out' : 'bubble'} data-seq={seq}>
      <b class={mine ? 'bubble-by' : 'sr'}>{authorOf(message, t)}</b>
      <Quote message={message} t={t} />
      <Said message={message} t={t} />
      {error === null ? null : (
        <p class="bubble-error">
          <Icon name="alert-triangle" />
          {say.failed}
        </p>
      )}
      <small>
        <time dateTime={at}>{t.brief(at)}</time>
        {/* What will not be sent does not wait; what is told of it later is shown in its place */}
        {mine && error !== null && status === 'pending' ? <span id={`t-${id}`} data-rank={0} /> : null}
        {mine && (error === null || status !== 'pending') ? <Ticks id={id} status={status} t={t} /> : null}
      </small>
    </li>
  );
};

/** What is shown of a message until its own bubble comes; the page's script fills it. */
export const Outgoing = ({ t }: { readonly t: Reader }): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <template id="outgoing">
      <li class="bubble bubble-out bubble-waits">
        <p class="bubble-text" dir="auto" />
        <p class="bubble-error" hidden>
          <Icon name="alert-triangle" />
          <span>{say.unsure}</span>
        </p>
        <small class="bubble-clock">
          <Icon name="clock" label={say.ticks.pending} />
        </small>
        <span class="bubble-ways" hidden>
          <button type="button" class="button" data-way="retry">
            {say.retry}
          </button>
          <button type="button" class="button" data-way="remove">
            {say.remove}
          </button>
        </span>
      </li>
    </template>
  );
};
