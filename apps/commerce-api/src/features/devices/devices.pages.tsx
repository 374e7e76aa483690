import { Conflict } from '@platform/errors';
import type { byOf } from '../../by';
import type { Asking } from '../../clients/bot.desk';
import { ownersId } from '../../owners-id';
import { unlessAway } from '../../web/away';
import type { Reader } from '../../web/i18n/reader';
import type { Pages } from '../../web/kit';
import { follow } from '../../web/live/follow';
import { ownersAction, ownersActions, ownersForm, page } from '../../web/page';
import type { Viewer } from '../../web/viewer';
import type { Named } from '../agents/agents/public';
import { DeviceEdit, DevicesQuery, NewDevice } from './devices.dto';
import type { DevicesService } from './devices.service';
import { deviceTexts } from './devices.texts';
import type { DeviceNowData } from './devices.types';
import { DeviceList, DeviceState, DevicesView, DeviceView } from './devices.view';

export interface DevicePageParts {
  readonly devices: DevicesService;
  readonly by: ReturnType<typeof byOf>;
  /** To choose one of; throws while bot-engine is away. */
  readonly agents: (who: Asking) => Promise<readonly Named[]>;
  readonly teams: (storeId: string) => Promise<readonly Named[]>;
}

/** A code is good for 20 s, and a phone that has scanned it is to be seen at once. */
const LOOK_MS = 3_000;
/** What is known of devices is as old. */
const LIST_MS = 10_000;

const labels = (t: Reader) => {
  const say = deviceTexts(t);
  return { name: say.name, number: say.number, chat_team_id: say.team, bot_agent_id: say.agent };
};
const conflicts = { paymentRequired: { text: (t: Reader) => deviceTexts(t).planFull } };

const listing = async ({ devices, by, teams }: DevicePageParts, { caller }: Viewer, query: DevicesQuery) => {
  const [listed, names] = await Promise.all([devices.list(by({ caller }), query), teams(caller.storeId)]);
  return { listed, teams: names };
};

/** A phone that is linked needs no code, and one that is on its way has none yet. */
const unlessNone = (failure: unknown): undefined => {
  if (failure instanceof Conflict) return undefined;
  throw failure;
};

const nowOf = async ({ devices, by }: DevicePageParts, { caller }: Viewer, id: string): Promise<DeviceNowData> => {
  const who = by({ caller });
  const now = await unlessAway(devices.status(who, id));
  const hasCode = now !== undefined && now.status !== 'connected';
  const code = hasCode ? await unlessAway(devices.code(who, id).catch(unlessNone)) : undefined;
  return { id, now, code };
};

const list = (parts: DevicePageParts) =>
  page({
    get: '/devices',
    ability: 'device.write',
    query: DevicesQuery,
    title: ({ t }) => t.nav.places.devices,
    load: ({ viewer, query }) => listing(parts, viewer, query),
    view: DevicesView,
    fragments: { list: DeviceList },
    live: (live) =>
      follow(live, LIST_MS, async () => {
        const { query, t } = live.asked;
        return <DeviceList {...{ query, t, data: await listing(parts, live.viewer(), query) }} />;
      }),
    ...{ labels, conflicts },
  });

const one = (parts: DevicePageParts) =>
  page({
    get: '/devices/{id}',
    ability: 'device.write',
    back: '/devices',
    // Whoever has the code can answer for the shop
    isSecret: true,
    title: ({ data }) => data.device.name,
    load: async ({ viewer, params: { id = '' } }) => {
      const { devices, by, agents, teams } = parts;
      const { caller } = viewer;
      const device = await devices.show(by({ caller }), id);
      const [now, names, known] = await Promise.all([
        nowOf(parts, viewer, id),
        teams(caller.storeId),
        unlessAway(agents(caller)),
      ]);
      return { ...now, device, teams: names, agents: known };
    },
    view: DeviceView,
    live: (live) =>
      follow(live, LOOK_MS, async () => {
        const { params, t } = live.asked;
        return <DeviceState t={t} data={await nowOf(parts, live.viewer(), params.id ?? '')} />;
      }),
    ...{ labels, conflicts },
  });

/** The WhatsApp numbers of the shop: linked by a code that is shown as it changes. */
export const devicesPages = (parts: DevicePageParts): Pages => {
  const { devices, by } = parts;
  const [all, single] = [list(parts), one(parts)];
  const added = ownersForm({
    ...{ post: '/devices', ability: 'device.write', of: all },
    body: NewDevice,
    run: ({ viewer, body, key }) => {
      const writer = by(viewer);
      return devices.add(writer, body, ownersId(writer, 'device', { 'idempotency-key': key }));
    },
    done: ({ id, name }, { t }) => ({ to: `/devices/${id}`, flash: deviceTexts(t).created({ name }) }),
  });
  const changed = ownersActions({
    ...{ post: '/devices/{id}/action', ability: 'device.write', of: single },
    on: {
      save: ownersAction({
        body: DeviceEdit,
        run: ({ viewer, params: { id = '' }, body: { seen, ...change } }) =>
          devices.change(by(viewer), id, change, seen),
        done: ({ id, name }, { t }) => ({ to: `/devices/${id}`, flash: deviceTexts(t).saved({ name }) }),
      }),
      logout: ownersAction({
        run: ({ viewer, params: { id = '' } }) => devices.logout(by(viewer), id),
        done: (_, { t, params }) => ({ to: `/devices/${params.id}`, flash: deviceTexts(t).loggedOut }),
      }),
      remove: ownersAction({
        run: async ({ viewer, params: { id = '' } }) => {
          await devices.remove(by(viewer), id);
        },
        done: (_, { t }) => ({ to: '/devices', flash: deviceTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, added, single, changed].flatMap((pages) => pages(kit));
};
