import type { Database } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Upload } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { byOf } from '../../../by';
import type { ChatLive } from '../../../clients/chat.live';
import { refusals } from '../../../refusals';
import { unlessAway } from '../../../web/away';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { ownersAction, ownersActions, ownersForm, page } from '../../../web/page';
import type { Viewer } from '../../../web/viewer';
import { quickReply, QuickRepliesQuery, replyListing } from '../../automation/replies/public';
import { FILE_LIMIT, type MediaLibrary } from '../../media/uploads/public';
import type { Subscriptions } from '../../notifications/pushes/public';
import { seatsOf, teamNames } from '../../team/chat-teams/public';
import { conversationText, type ConversationRef, type ConversationsService } from '../conversations/public';
import type { ContentType, NewConversationMessage } from '../messages/public';
import { insteadOfChat } from './elsewhere.view';
import { demandSame, unseen, type Change, type InboxDesk } from './inbox.desk';
import { InboxLive, ToldRows } from './inbox.live';
import { inboxTexts } from './inbox.texts';
import { AskForHelp, InboxQuery, MoveToTeam, NewReply, ThreadQuery } from './inbox.types';
import { ChatView, InboxView } from './inbox.view';
import { listOf, nameOf } from './rows.view';

export interface InboxPageParts {
  readonly database: Database;
  readonly desk: InboxDesk;
  readonly conversations: ConversationsService;
  readonly live: ChatLive;
  readonly files: Pick<MediaLibrary, 'keepOnce'>;
  readonly by: ReturnType<typeof byOf>;
  readonly browsers: Subscriptions;
}

const conflicts = {
  sent_before: { field: 'message_id', text: (t: Reader) => inboxTexts(t).sentBefore },
  plan_limit: { field: 'file', text: (t: Reader) => inboxTexts(t).full },
  chat_handled: { text: (t: Reader) => inboxTexts(t).handled },
  chat_finished: { text: (t: Reader) => inboxTexts(t).finished },
  not_theirs: { text: (t: Reader) => inboxTexts(t).notTheirs },
  chat_busy: { text: (t: Reader) => inboxTexts(t).busy },
  no_team: { field: 'team_id', text: (t: Reader) => inboxTexts(t).help.noTeam },
  no_supervisors: { field: 'team_id', text: (t: Reader) => inboxTexts(t).help.noSupervisors },
};
const labels = (t: Reader) => ({
  text: inboxTexts(t).composer,
  file: inboxTexts(t).attach,
  team_id: inboxTexts(t).moveTo,
  reason: inboxTexts(t).help.reason,
});

const listing = ({ desk }: InboxPageParts, { caller }: Viewer, query: InboxQuery) =>
  unlessAway(desk.rows(caller, { ...listOf(query), cursor: query.cursor }));

const liveParts = (parts: InboxPageParts) => ({
  ...{ desk: parts.desk, chat: parts.live, rows: new ToldRows(parts.desk) },
  teams: (storeId: string) => teamNames(parts.database, storeId),
  seats: ({ storeId, actor }: Caller) => seatsOf(parts.database, storeId, actor),
});
type Telling = ReturnType<typeof liveParts>;

const list = (parts: InboxPageParts, telling: Telling) =>
  page({
    get: '/chats',
    ability: 'chat.reply',
    query: InboxQuery,
    title: ({ t }) => t.nav.places.chats,
    ...{ own: 'inbox', tells: true },
    load: async ({ viewer, query }) => {
      const { storeId, actor: userId } = viewer.caller;
      const [listed, push] = await Promise.all([
        listing(parts, viewer, query),
        parts.browsers.shown(parts.database, { storeId, userId }),
      ]);
      return { listed, push };
    },
    view: InboxView,
    live: (live) => new InboxLive(telling, live, undefined).start(),
  });

/** The messages of the page, or those that are looked for. */
const shownOf = (desk: InboxDesk, caller: Caller, ref: ConversationRef, { find, before }: ThreadQuery) =>
  find === undefined ? desk.thread(caller, ref, before) : desk.find(caller, ref, find, before);

const chat = (parts: InboxPageParts, telling: Telling) =>
  page({
    get: '/chats/{id}',
    ability: 'chat.reply',
    query: ThreadQuery,
    params: { id: conversationText },
    back: '/chats',
    own: 'inbox',
    media: parts.desk.media,
    title: ({ t, data }) => (data.thread ? nameOf(data.thread.chat) : t.nav.places.chats),
    load: async ({ viewer, query, params }) => {
      const { database, desk } = parts;
      const { caller } = viewer;
      const ref = desk.refOf(caller, params.id);
      const [listed, thread, teams, seats, replies, insert] = await Promise.all([
        listing(parts, viewer, query),
        unlessAway(shownOf(desk, caller, ref, query)),
        teamNames(database, caller.storeId),
        seatsOf(database, caller.storeId, caller.actor),
        query.replies
          ? replyListing.page(database, caller.storeId, Object.assign(new QuickRepliesQuery(), { per_page: 100 }))
          : undefined,
        query.insert === undefined ? undefined : quickReply(database, caller.storeId, query.insert),
      ]);
      return {
        id: params.id ?? '',
        chatId: ref.chatId,
        listed,
        thread,
        ...{ teams, seats },
        replies: replies?.rows,
        insert: insert?.body,
      };
    },
    ...{ view: ChatView, instead: insteadOfChat },
    live: (live) => new InboxLive(telling, live, parts.desk.refOf(live.viewer().caller, live.asked.params.id)).start(),
    ...{ labels, conflicts },
  });

const changing = ({ desk }: InboxPageParts, change: Change) =>
  ownersAction({
    run: ({ viewer: { caller }, params }) => desk.change(caller, desk.refOf(caller, params.id), change),
    // Reading is also told by the page itself, and shows by what is not bold any more
    done: (isSo: boolean, { t, params }) => ({
      // Who has helped sees the chat no more
      to: change === 'help_done' ? '/chats?view=help' : `/chats/${params.id}`,
      ...(isSo && change !== 'read' && { flash: inboxTexts(t).done[change] }),
    }),
  });

/** What names somebody else. */
const byPeople = ({ desk }: InboxPageParts) => ({
  escalate: ownersAction({
    body: AskForHelp,
    run: ({ viewer: { caller }, params, body }) => desk.askForHelp(caller, desk.refOf(caller, params.id), body),
    done: (_, { t, params }) => ({ to: `/chats/${params.id}`, flash: inboxTexts(t).done.escalate }),
  }),
  move: ownersAction({
    body: MoveToTeam,
    run: ({ viewer: { caller }, params, body }) => desk.move(caller, desk.refOf(caller, params.id), body.team_id),
    done: (_, { t }) => ({ to: '/chats', flash: inboxTexts(t).done.move }),
  }),
});

const textSaid = (text: string | undefined) => {
  if (text) return { type: 'text', text } as const;
  throw new InvalidInput([{ field: 'text', tag: 'required', message: 'text is a required field' }]);
};

const KINDS = ['image', 'audio', 'video'] as const;

/** A file as it is said: it is kept as one that was uploaded to be sent, once for its message. A voice has no caption. */
const fileSaid = async (
  { files, by }: InboxPageParts,
  caller: Caller,
  file: Upload,
  { text, message_id: key }: NewReply,
): Promise<NewConversationMessage & { readonly type: ContentType }> => {
  if (!caller.abilities.has('upload.write')) throw refusals.abilityMissing('upload.write');
  const { id, mime } = await files.keepOnce(by({ caller }), key, file, 'message');
  const kind = KINDS.find((each) => mime.startsWith(`${each}/`)) ?? 'document';
  const caption = text || undefined;
  return kind === 'audio' && caption
    ? { type: 'document', media_id: id, caption }
    : { type: kind, media_id: id, caption };
};

/** The inbox: conversations as a list, one of them open beside it, and what is said and done there. */
export const inboxPages = (parts: InboxPageParts): Pages => {
  const { desk, conversations } = parts;
  const telling = liveParts(parts);
  const [all, one] = [list(parts, telling), chat(parts, telling)];
  const sent = ownersForm({
    ...{ post: '/chats/{id}/messages', ability: 'chat.reply', of: one },
    body: NewReply,
    mostBytes: FILE_LIMIT,
    run: async ({ viewer: { caller }, params, files: [file], body }) => {
      const { text, message_id: id } = body;
      const ref = desk.refOf(caller, params.id);
      const said = file ? await fileSaid(parts, caller, file, body) : textSaid(text);
      const message = await unseen(conversations.reply(caller, ref, id, said));
      demandSame(said, message);
    },
    done: (_, { params }) => ({ to: `/chats/${params.id}#composer` }),
  });
  const changes = [
    'take',
    'takeover',
    'reopen',
    'pending',
    'close',
    'read',
    'help_done',
  ] as const satisfies readonly Change[];
  const done = ownersActions({
    ...{ post: '/chats/{id}/action', ability: 'chat.reply', of: one },
    on: {
      ...Object.fromEntries(changes.map((change) => [change, changing(parts, change)])),
      ...byPeople(parts),
    },
  });
  return (kit) => [all, one, sent, done].flatMap((pages) => pages(kit));
};
