import type { AreaParts } from '../../../area';
import type { Caller } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { form, page } from '../../../web/page';
import { LogsQuery, type LogsService } from '../../identity/logs/public';
import type { Notices } from '../notices/public';
import { EventsQuery } from './events.dto';
import { eventListing } from './events.sql';
import { LogsAsked } from './logs.query';
import { logTexts } from './logs.texts';
import { LogsView, type Logs } from './logs.view';

interface Parts extends Pick<AreaParts, 'database' | 'cursors'> {
  readonly notices: Pick<Notices, 'replay'>;
  readonly logs: LogsService;
}

const PAYMENTS = '/logs?kind=payments';
const conflicts = { signature_failed: { text: (t: Reader) => logTexts(t).neverVerified } };

const loading =
  ({ database, cursors, logs }: Parts) =>
  async ({ storeId, ...caller }: Caller, { kind = 'activity', action, cursor }: LogsAsked): Promise<Logs> => {
    if (kind === 'logins') {
      const { data, meta } = await logs.logins({ storeId, ...caller }, cursor);
      return { kind, rows: data, next: meta.next_cursor };
    }
    if (kind === 'payments') {
      const query = Object.assign(new EventsQuery(), { cursor });
      const { rows, nextCursor } = await eventListing.feed(database, storeId, query, cursors);
      return { kind, rows, next: nextCursor };
    }
    const { rows, nextCursor } = await logs.activity(storeId, Object.assign(new LogsQuery(), { action, cursor }));
    return { kind, rows, next: nextCursor };
  };

/** Who did what, the reader's own sign-ins, and what providers of payments have told, which can be processed again. */
export const logsPages = (parts: Parts): Pages => {
  const load = loading(parts);
  const all = page({
    ...{ get: '/logs', ability: 'logs.read', query: LogsAsked, conflicts },
    title: ({ t }) => t.nav.places.logs,
    // A form that comes back was one of a payment
    load: ({ viewer: { caller }, query, params: { id } }) => load(caller, id ? { kind: 'payments' } : query),
    view: LogsView,
  });
  const replayed = form({
    ...{ post: '/logs/webhook/{id}/replay', ability: 'logs.replay', of: all },
    // It may ask the provider, and is counted by its event
    before: ({ viewer, params: { id = '' } }) => parts.notices.replay(viewer.caller.storeId, id),
    run: () => Promise.resolve(),
    done: (_, { t }) => ({ to: PAYMENTS, flash: logTexts(t).replayed }),
  });
  return (kit) => [all, replayed].flatMap((pages) => pages(kit));
};
