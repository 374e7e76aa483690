import type { Database, Sql } from '@platform/data';
import { area, dataOf, done, PageMeta, pageMeta, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { Int, List, Nested } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Note } from '../../../live/public';
import { refusals } from '../../../refusals';
import {
  changePreferences,
  PreferencesBody,
  preferencesOf,
  PreferencesView,
  type Member,
  type Preferences,
  type PreferencesChange,
} from '../preferences/public';
import { browserIdOf, pushRefusals, type Subscriptions } from '../pushes/public';
import { noteListing, NotificationsQuery, readAll, readOne, unreadOf, type Reader } from './notices.sql';
import { eventsFor } from '../notice.audience';

class NotificationsMeta extends PageMeta {
  @Int({ description: 'Of all, however many are listed' }) unread!: number;
}

class NotificationsAnswer {
  @List(() => Note) data!: Note[];
  @Nested(() => NotificationsMeta) meta!: NotificationsMeta;
}

/** Throws `token_not_allowed`: services and API tokens are nobody who is told anything. */
const memberOf = ({ storeId, actor, kind }: Caller): Member => {
  if (kind !== 'user') throw refusals.tokenNotAllowed();
  return { storeId, userId: actor };
};

const readerOf = (caller: Caller): Reader => ({ ...memberOf(caller), events: eventsFor(caller.abilities) });

const list = async (database: Database, caller: Caller, query: NotificationsQuery): Promise<NotificationsAnswer> => {
  const reader = readerOf(caller);
  const { storeId, userId: user, events } = reader;
  const page = await noteListing.page(database, storeId, { ...query, user, events });
  return { data: [...page.rows], meta: { ...pageMeta(page), unread: await unreadOf(database, reader) } };
};

const lists = (database: Database, clock: Clock): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'My notifications, unread count',
    guard: 'member',
    query: NotificationsQuery,
    reply: NotificationsAnswer,
    refuses: [refusals.tokenNotAllowed],
    handle: ({ caller, query }) => list(database, caller, query),
  }),
  endpoint({
    post: '/{id}/read',
    summary: 'Mark one read',
    guard: 'member',
    reply: dataOf(Note, 'Notification updated'),
    refuses: ['notFound', refusals.tokenNotAllowed],
    handle: ({ caller, params }) => readOne(database, readerOf(caller), params.id, clock.now()),
  }),
  endpoint({
    post: '/read-all',
    summary: 'Mark all read',
    guard: 'member',
    reply: done('Notifications updated'),
    refuses: [refusals.tokenNotAllowed],
    handle: ({ caller }) => readAll(database, readerOf(caller), clock.now()),
  }),
];

const shown = async (sql: Sql, browsers: Subscriptions, member: Member): Promise<Preferences> => ({
  ...(await preferencesOf(sql, member, browsers.isOffered)),
  push: await browsers.shown(sql, member),
});

const change = async (database: Database, browsers: Subscriptions, caller: Caller, wanted: PreferencesChange) => {
  const { push_subscription: given, push_content: shows, ...ways } = wanted;
  const member = memberOf(caller);
  const owner = { ...member, sid: caller.sid, bearer: caller.bearer };
  const asked = given?.keys && (await browsers.asked(owner, { ...given, keys: given.keys }));
  return database.tx(async (tx) => {
    await changePreferences(tx, member, ways, browsers.isOffered);
    if (asked) await browsers.put(tx, owner, asked);
    else if (given) await browsers.remove(tx, owner, browserIdOf(given.endpoint));
    if (shows !== undefined) await browsers.showContent(tx, member, shows);
    return shown(tx, browsers, member);
  });
};

const preferences = (database: Database, browsers: Subscriptions): Endpoint[] => [
  endpoint({
    get: '/preferences',
    summary: 'Channels per event',
    guard: 'member',
    reply: dataOf(PreferencesView),
    refuses: [refusals.tokenNotAllowed],
    handle: ({ caller }) => shown(database, browsers, memberOf(caller)),
  }),
  endpoint({
    put: '/preferences',
    summary: 'Update channels per event, and the browsers that are told',
    guard: 'member',
    body: PreferencesBody,
    reply: dataOf(PreferencesView, 'Preferences updated'),
    refuses: [refusals.tokenNotAllowed, pushRefusals.tooMany],
    handle: ({ caller, body }) => change(database, browsers, caller, body),
  }),
];

export const notificationsEndpoints = (database: Database, clock: Clock, browsers: Subscriptions): Endpoint[] =>
  area({ prefix: '/api/notification', tag: 'Settings' }, [
    ...preferences(database, browsers),
    ...lists(database, clock),
  ]);
