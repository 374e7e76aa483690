import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { addressOf } from '../../../web/ui/address';
import { stateOf } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Alert, Notice } from '../../../web/ui/parts';
import { TellHere } from '../../notifications/ways/public';
import type { PushShown } from '../../notifications/pushes/public';
import type { QuickReply } from '../../automation/replies/public';
import { Outgoing } from './bubble.view';
import { Composer, Replies } from './composer.view';
import { Found } from './found.view';
import { Help } from './help.view';
import { inboxTexts } from './inbox.texts';
import type { FoundMessages, InboxQuery, Listed, ThreadQuery } from './inbox.types';
import { ChatList, listOf, type ListQuery } from './rows.view';
import { Band, Messages, type BandParts } from './thread.view';

/** What the page's script says: it has no words of its own. */
const Words = ({ path, t }: Pick<FrameParts, 'path' | 't'>): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <>
      <p id="offline" class="alert info" role="status" hidden>
        {say.offline}
      </p>
      <p id="shut" class="alert bad" role="alert" hidden>
        {say.shut}{' '}
        <a class="button" href={path}>
          {say.reload}
        </a>
      </p>
      <button type="button" id="fresh" class="button" hidden>
        {say.fresh}
      </button>
    </>
  );
};

interface FrameParts {
  readonly path: string;
  readonly list: ListQuery;
  readonly listed: Listed | undefined;
  readonly openId?: string;
  /** What is shown goes on by itself. */
  readonly isLive: boolean;
  /** Under the list. */
  readonly offer?: JSX.Element;
  /** Whose screen it is. */
  readonly me: string;
  readonly t: Reader;
  readonly children: JSX.Element;
}

const Frame = ({ path, list, listed, openId, isLive, offer, me, t, children }: FrameParts): JSX.Element => (
  <div
    class={openId === undefined ? 'inbox' : 'inbox inbox-open'}
    data-live={isLive ? addressOf({ path, query: {} }, { ...list }) : undefined}
    data-me={me}
  >
    {listed === undefined ? (
      <section class="chats">
        <Notice text={inboxTexts(t).away} />
      </section>
    ) : (
      <ChatList {...{ listed, list, openId, offer, t }} />
    )}
    {children}
    <Words {...{ path, t }} />
  </div>
);

interface InboxData {
  readonly listed: Listed | undefined;
  readonly push: PushShown;
}

/** The list alone; on a wide screen with room for a chat beside it. */
export const InboxView = ({ data, query, viewer, form, t }: Shown<InboxData, InboxQuery>): JSX.Element => (
  <Frame
    {...{ path: '/chats', list: listOf(query), listed: data.listed, isLive: query.cursor === undefined, t }}
    me={viewer.caller.actor}
    offer={<TellHere {...{ push: data.push, form, t }} action="/profile" isGentle />}
  >
    <section class="talk-empty">
      <Icon name="message-circle" />
      <p>{inboxTexts(t).choose}</p>
    </section>
  </Frame>
);

export interface ChatData {
  readonly id: string;
  readonly chatId: string;
  readonly listed: Listed | undefined;
  readonly thread: FoundMessages | undefined;
  readonly teams: BandParts['teams'];
  readonly seats: readonly string[];
  readonly replies: readonly QuickReply[] | undefined;
  readonly insert: string | undefined;
}

const said = (text: string | undefined): JSX.Element | null => (text === undefined ? null : <Alert text={text} />);

/** One chat, with the list beside it where there is room. */
export const ChatView = (shown: Shown<ChatData, ThreadQuery>): JSX.Element => {
  const { data, query, viewer, form, t } = shown;
  const { id, chatId, listed, thread, teams, seats, replies, insert } = data;
  const list = listOf(query);
  const { caller } = viewer;
  const typing = stateOf(form, undefined);
  const asks = form.action === 'escalate';
  return (
    <Frame
      {...{ path: `/chats/${id}`, list, listed, openId: chatId, isLive: !query.before && !query.find, t }}
      me={caller.actor}
    >
      <section class="talk">
        {form.action === undefined || asks ? null : [form.alert, ...Object.values(form.errors)].map(said)}
        {thread === undefined ? (
          <Notice text={inboxTexts(t).away} />
        ) : (
          <>
            <Band {...{ chat: thread.chat, list, me: { ...caller, seats }, form, teams, t }} />
            {query.find === undefined ? (
              <Messages {...{ thread, list, isBefore: query.before !== undefined, t }} />
            ) : (
              <Found {...{ found: thread, list, words: query.find, t }} />
            )}
          </>
        )}
        {replies === undefined ? null : <Replies {...{ id, replies, t }} />}
        {asks || (query.help && !thread?.chat.asksHelp) ? (
          <Help {...{ chat: { id, team: thread?.chat.team }, list, teams, form, t }} />
        ) : null}
        {thread?.chat.device_id === null ? <Notice text={inboxTexts(t).removed} /> : null}
        <Composer {...{ id, chat: thread?.chat, caller, form: typing, insert, t }} />
        <Outgoing t={t} />
      </section>
    </Frame>
  );
};
