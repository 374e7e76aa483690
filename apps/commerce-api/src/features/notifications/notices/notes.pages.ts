import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { noteListing, NotificationsQuery, readAll, readOne, unreadOf, type Reader } from './notices.sql';
import { noteTexts } from './notes.texts';
import { NoteList, NotesView } from './notes.view';
import { eventsFor } from '../notice.audience';

class NoteNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/notifications';
const readerOf = ({ storeId, actor: userId, abilities }: Caller): Reader => ({
  ...{ storeId, userId, events: eventsFor(abilities) },
});

/** What a member was told. */
export const notesPages = (database: Database, clock: Clock): Pages => {
  const all = page({
    ...{ get: TO, ability: 'member', query: NotificationsQuery, back: '/dashboard' },
    title: ({ t }) => noteTexts(t).title,
    load: async ({ viewer: { caller }, query }) => {
      const reader = readerOf(caller);
      const { storeId, userId: user, events } = reader;
      const [listed, unread] = await Promise.all([
        noteListing.page(database, storeId, { ...query, user, events }),
        unreadOf(database, reader),
      ]);
      return { ...listed, unread };
    },
    view: NotesView,
    fragments: { list: NoteList },
  });
  const posted = actions({
    ...{ post: '/notifications/read', ability: 'member', of: all },
    on: {
      one: action({
        body: NoteNamed,
        run: ({ viewer, body, tx }) => readOne(tx, readerOf(viewer.caller), body.id, clock.now()),
        done: () => ({ to: TO }),
      }),
      all: action({
        run: ({ viewer, tx }) => readAll(tx, readerOf(viewer.caller), clock.now()),
        done: (_, { t }) => ({ to: TO, flash: noteTexts(t).allRead }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
