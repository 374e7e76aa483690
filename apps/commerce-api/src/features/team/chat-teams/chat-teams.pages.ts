import type { Database, Transaction } from '@platform/data';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { within } from '../../../web/within';
import { deviceListing, DevicesQuery } from '../../devices/public';
import { hoursTypedAt } from '../../shop/hours/public';
import { memberNames } from '../members/public';
import { ChatTeamsQuery, NewChatTeam } from './chat-teams.dto';
import { ChatTeamsService, type ChatTeamsParts } from './chat-teams.service';
import { seatedDisabled } from './chat-teams.sql';
import { chatTeamTexts } from './chat-teams.texts';
import { seatsTyped, TeamEdit, TeamNamed, TeamSeats, teamTyped } from './chat-teams.types';
import { ChatTeamsView } from './chat-teams.view';

const PATH = '/chat-teams';
const ability = 'team.manage';

const labels = (t: Reader) => {
  const say = chatTeamTexts(t);
  return {
    ...{ name: say.name, kind: say.kind, distribution: say.distribution, private: say.private },
    ...{ 'hours[][open]': say.hours, 'hours[][close]': say.hours },
    ...{ user_ids: say.members, 'user_ids[]': say.members, device_ids: say.devices, 'device_ids[]': say.devices },
  };
};
const conflicts = {
  too_many_teams: { text: (t: Reader) => chatTeamTexts(t).tooMany },
  last_cs_team: { text: (t: Reader) => chatTeamTexts(t).lastForCustomers },
};

const list = (database: Database, teams: ChatTeamsService) =>
  page({
    get: PATH,
    ability,
    query: ChatTeamsQuery,
    title: ({ t }) => t.nav.places.chatTeams,
    load: async ({ viewer: { caller }, query }) => {
      const { storeId } = caller;
      const [listed, members, disabled, devices] = await Promise.all([
        teams.list(storeId, query),
        memberNames(database, storeId),
        seatedDisabled(database, storeId),
        deviceListing.page(database, storeId, Object.assign(new DevicesQuery(), { per_page: 100 })),
      ]);
      const rows = await teams.showAll(storeId, listed.rows);
      return { listed: { ...listed, rows }, members, disabled, devices: devices.rows };
    },
    view: ChatTeamsView,
    ...{ labels, conflicts },
  });

/** Who answers the chats of which numbers. */
export const chatTeamsPages = (parts: ChatTeamsParts & { readonly database: Database }): Pages => {
  const { database } = parts;
  const all = list(database, new ChatTeamsService(parts));
  const inForm = (tx: Transaction): ChatTeamsService => new ChatTeamsService({ ...parts, database: within(tx) });
  const changed = actions({
    ...{ post: PATH, ability, of: all },
    on: {
      create: action({
        ...{ body: NewChatTeam, reads: teamTyped },
        run: ({ viewer, body, tx }) => inForm(tx).create(viewer.caller, body),
        done: ({ name }, { t }) => ({ to: PATH, flash: chatTeamTexts(t).created({ name }) }),
      }),
      save: action({
        ...{ body: TeamEdit, reads: teamTyped, typedAt: hoursTypedAt },
        run: ({ viewer, body: { id, seen, ...change }, tx }) => inForm(tx).change(viewer.caller, id, change, seen),
        done: ({ name }, { t }) => ({ to: PATH, flash: chatTeamTexts(t).saved({ name }) }),
      }),
      seats: action({
        ...{ body: TeamSeats, reads: seatsTyped },
        run: ({ viewer, body: { id, seen, user_ids = [], device_ids = [] }, tx }) =>
          inForm(tx).seatAll(viewer.caller, id, { user_ids, device_ids }, seen),
        done: (_, { t }) => ({ to: PATH, flash: chatTeamTexts(t).seated }),
      }),
      remove: action({
        body: TeamNamed,
        run: ({ viewer, body: { id }, tx }) => inForm(tx).delete(viewer.caller, id),
        done: (_, { t }) => ({ to: PATH, flash: chatTeamTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, changed].flatMap((pages) => pages(kit));
};
