import { Text } from '@platform/validation';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { Seen } from '../../../web/seen';
import { action, actions, page } from '../../../web/page';
import { DaysQuery, daysOf } from '../counting/public';
import { NewTracker, TrackerChange, TrackersQuery } from './trackers.dto';
import { trackerShown, type TrackerRoutes } from './trackers.endpoints';
import {
  changeTracker,
  createTracker,
  deleteTracker,
  trackerById,
  trackerClicks,
  trackerListing,
} from './trackers.sql';
import { trackerTexts } from './trackers.texts';
import { TrackerList, TrackersView } from './trackers.view';

class TrackersPageQuery extends TrackersQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being changed' }) id?: string;
}

/** The form of a link. */
class TrackerEdit extends TrackerChange {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}
class TrackerNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const PATH = '/trackers';

const labels = (t: Reader) => {
  const say = trackerTexts(t);
  return {
    ...{ target: say.target, code: say.code, 'utm[source]': say.source, 'utm[medium]': say.medium },
    'utm[campaign]': say.campaign,
  };
};
const conflicts = {
  code_taken: { field: 'code', text: (t: Reader) => t.form.rules.unique({ label: trackerTexts(t).code }) },
  too_many_trackers: { text: (t: Reader) => trackerTexts(t).tooMany },
};

const listPage = ({ database, clock, publicUrl }: TrackerRoutes) =>
  page({
    ...{ get: PATH, ability: 'marketing.write', query: TrackersPageQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.trackers,
    load: async ({ viewer: { caller }, query: { id: asked, ...query }, typed }) => {
      const { storeId } = caller;
      const shown = trackerShown(publicUrl);
      const chosen = async (id: string) => {
        const tracker = shown(await trackerById(database, storeId, id));
        const days = await daysOf(database, storeId, new DaysQuery(), clock.now());
        return { tracker, clicks: await trackerClicks(database, storeId, id, days) };
      };
      const listed = await trackerListing.page(database, storeId, query);
      const id = asked ?? idTyped(typed);
      return { ...listed, rows: listed.rows.map(shown), chosen: id === undefined ? undefined : await chosen(id) };
    },
    view: TrackersView,
    fragments: { list: TrackerList },
  });

/** What the API's short links are to people. */
export const trackerPages = (routes: TrackerRoutes): Pages => {
  const by = byOf(routes.clock);
  const all = listPage(routes);
  const nameOf = ({ code }: { readonly code: string }) => `/t/${code}`;
  const posted = actions({
    ...{ post: PATH, ability: 'marketing.write', of: all },
    on: {
      create: action({
        body: NewTracker,
        run: ({ viewer, body, tx }) => createTracker(tx, by(viewer), body),
        done: (made, { t }) => ({
          to: `${PATH}?id=${made.id}`,
          flash: trackerTexts(t).created({ name: nameOf(made) }),
        }),
      }),
      save: action({
        body: TrackerEdit,
        run: ({ viewer, body: { id, seen, ...change }, tx }) => changeTracker(tx, by(viewer), { id, seen }, change),
        done: (saved, { t }) => ({ to: PATH, flash: trackerTexts(t).saved({ name: nameOf(saved) }) }),
      }),
      remove: action({
        body: TrackerNamed,
        run: ({ viewer, body, tx }) => deleteTracker(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to: PATH, flash: trackerTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
