import type { Upload } from '@platform/http';
import type { byOf } from '../../by';
import { ownersId } from '../../owners-id';
import { refusals } from '../../refusals';
import { unlessAway } from '../../web/away';
import type { Reader } from '../../web/i18n/reader';
import type { Pages } from '../../web/kit';
import { follow } from '../../web/live/follow';
import { ownersAction, ownersActions, ownersForm, page } from '../../web/page';
import type { Viewer } from '../../web/viewer';
import { ofAllChats } from '../contacts/people/public';
import { FILE_LIMIT, type MediaLibrary } from '../media/uploads/public';
import { newBroadcastData, reportData, type DeskParts } from './broadcast.desk';
import { NewBroadcastView } from './broadcast.form';
import { Progress, ReportView } from './broadcast.report';
import { ALL, bodyOf, BroadcastForm, broadcastTyped, looks, NewBroadcastQuery } from './broadcast.typed';
import { BroadcastsQuery, RecipientsQuery, type NewBroadcast } from './broadcasts.dto';
import { BroadcastsView } from './broadcasts.list';
import { broadcastTexts } from './broadcasts.texts';

export interface BroadcastPageParts extends DeskParts {
  readonly by: ReturnType<typeof byOf>;
  readonly files: Pick<MediaLibrary, 'keepOnce'>;
}

const SEND = 'broadcast.send';
const LOOK_MS = 3_000;

const labels = (t: Reader) => {
  const say = broadcastTexts(t);
  return {
    ...{ audience: say.audience, [ALL]: say.audience },
    ...{ 'audience[tag_ids]': say.tags, 'audience[exclude_tag_ids]': say.without },
    ...{ 'audience[segment][last_order_days]': say.lastOrder, 'audience[segment][min_orders]': say.minOrders },
    'audience[segment][city]': say.city,
    ...{ name: say.name, device_id: say.device, 'message[text]': say.text, 'message[template_id]': say.template },
    ...{ message: say.text, file: say.file, schedule_at: say.schedule, rate_per_minute: say.rate },
    ...{ 'quiet_hours[from]': say.quietFrom, 'quiet_hours[to]': say.quietTo },
  };
};
const conflicts = {
  idempotency_mismatch: { text: (t: Reader) => broadcastTexts(t).savedBefore },
  invalid_transition: { text: (t: Reader) => broadcastTexts(t).moved },
  plan_ended: { text: (t: Reader) => broadcastTexts(t).unpaid },
  paymentRequired: { text: (t: Reader) => broadcastTexts(t).planFull },
};

const list = ({ broadcasts }: BroadcastPageParts) =>
  page({
    get: '/broadcasts',
    ability: SEND,
    query: BroadcastsQuery,
    title: ({ t }) => t.nav.places.broadcasts,
    load: ({ viewer, query }) => unlessAway(broadcasts.list(viewer.caller, query)),
    view: BroadcastsView,
  });

const fresh = (parts: BroadcastPageParts) =>
  page({
    get: '/broadcasts/create',
    ability: `${SEND}+chat.all`,
    back: '/broadcasts',
    query: NewBroadcastQuery,
    title: ({ t }) => broadcastTexts(t).create,
    load: ({ viewer, query: { from }, typed }) => newBroadcastData(parts, viewer, { typed, from }),
    view: NewBroadcastView,
    own: 'market',
    ...{ labels, conflicts },
  });

const one = (parts: BroadcastPageParts) =>
  page({
    get: '/broadcasts/{id}',
    ability: SEND,
    back: '/broadcasts',
    query: RecipientsQuery,
    title: ({ data, t }) => data.broadcast?.name ?? t.nav.places.broadcasts,
    load: ({ viewer, params: { id = '' }, query }) => reportData(parts, viewer, id, query),
    view: ReportView,
    live: (live) =>
      follow(live, LOOK_MS, async () => {
        const { params, t } = live.asked;
        const broadcast = await parts.broadcasts.get(live.viewer().caller, params.id ?? '');
        return <Progress broadcast={broadcast} t={t} />;
      }),
    ...{ labels, conflicts },
  });

/** A file is kept as one that was uploaded to be sent; the same again for the same form. */
const withFile = async (
  { files, by }: BroadcastPageParts,
  { caller }: Viewer,
  body: NewBroadcast,
  { file, key }: { readonly file: Upload | undefined; readonly key: string },
): Promise<NewBroadcast> => {
  if (!file) return body;
  if (!caller.abilities.has('upload.write')) throw refusals.abilityMissing('upload.write');
  const { id } = await files.keepOnce(by({ caller }), key, file, 'message');
  return Object.assign(body, { message: { ...body.message, media_id: id } });
};

/** Broadcasts of the shop: who gets what and when, as a draft that is looked at before it is sent. */
export const broadcastsPages = (parts: BroadcastPageParts): Pages => {
  const { broadcasts, by } = parts;
  const [all, making, single] = [list(parts), fresh(parts), one(parts)];
  const created = ownersForm({
    ...{ post: '/broadcasts', ability: `${SEND}+chat.all`, of: making, mostBytes: FILE_LIMIT },
    ...{ body: BroadcastForm, reads: broadcastTyped, looks },
    run: async ({ viewer, body, key, files: [file] }) => {
      const writer = by(viewer);
      const wanted = await withFile(parts, viewer, bodyOf(body, viewer.session.timezone), { file, key });
      return broadcasts.create(writer, ownersId(writer, 'broadcast', { 'idempotency-key': key }), wanted, true);
    },
    done: ({ id, name }, { t }) => ({ to: `/broadcasts/${id}`, flash: broadcastTexts(t).saved({ name }) }),
  });
  const step = (name: 'pause' | 'resume' | 'cancel') =>
    ownersAction({
      run: ({ viewer, params: { id = '' } }) => broadcasts.act(by(viewer), id, name),
      done: ({ id }, { t }) => ({ to: `/broadcasts/${id}`, flash: broadcastTexts(t).done[name] }),
    });
  const changed = ownersActions({
    ...{ post: '/broadcasts/{id}/action', ability: SEND, of: single },
    on: {
      send: ownersAction({
        run: ({ viewer, params: { id = '' } }) => broadcasts.send(by(ofAllChats(viewer)), id, undefined),
        done: ({ id }, { t }) => ({ to: `/broadcasts/${id}`, flash: broadcastTexts(t).done.send }),
      }),
      ...{ pause: step('pause'), resume: step('resume'), cancel: step('cancel') },
      remove: ownersAction({
        run: ({ viewer, params: { id = '' } }) => broadcasts.remove(by(viewer), id),
        done: (_, { t }) => ({ to: '/broadcasts', flash: broadcastTexts(t).done.remove }),
      }),
    },
  });
  return (kit) => [all, making, created, single, changed].flatMap((pages) => pages(kit));
};
