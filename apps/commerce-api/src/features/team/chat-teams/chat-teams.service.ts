import type { Database, ListedPage, Sql, Transaction } from '@platform/data';
import { isUuid, type Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { audited, byOf, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import type { ChatCopies } from '../../chat/copies/public';
import type { Pushes } from '../../identity/access/public';
import { giveDevices } from '../../devices/public';
import { teamTurn } from '../roles/public';
import type {
  ChatTeam,
  ChatTeamChange,
  ChatTeamMembers,
  ChatTeamRow,
  ChatTeamsQuery,
  NewChatTeam,
} from './chat-teams.dto';
import {
  chatTeam,
  chatTeamListing,
  deleteTeam,
  demandOther,
  insertTeam,
  seat,
  seatsOfTeams,
  updateTeam,
  type Seats,
} from './chat-teams.sql';

/** How busy the people of a store are; undefined: nobody tells now. */
export type Loads = (storeId: string) => Promise<ReadonlyMap<string, number> | undefined>;

export interface ChatTeamsParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly copies: ChatCopies;
  readonly pushes: Pushes;
  readonly loads: Loads;
}

/** What people change of a team. */
export const editableOf = ({ name, kind, private: closed, distribution, hours }: ChatTeamRow) => ({
  ...{ name, kind, private: closed, distribution, hours },
});

/** What people change of who sits in it, in one order. */
export const seatedIn = ({ members, devices }: Seats) => ({
  ...{ members: members.map((row) => row.user_id).toSorted(), devices: devices.map(({ id }) => id).toSorted() },
});

const MEMBERS = `SELECT user_id FROM membership WHERE store_id = $1 AND user_id = ANY ($2::uuid[])`;

/** Throws `NotFound` for the first who does not work here. */
const knownMembers = async (tx: Sql, storeId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.query<{ user_id: string }>(MEMBERS, [storeId, ids.filter(isUuid)]);
  const known = new Set(rows.map((row) => row.user_id));
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`user_ids[${unknown}]`, 'is not a member of this store');
  return [...known];
};

const withSeats = (
  team: ChatTeamRow,
  { members: seated, devices }: Seats,
  busy: ReadonlyMap<string, number> | undefined,
): ChatTeam => {
  const members = seated.map((row) => ({ ...row, load: busy ? (busy.get(row.user_id) ?? 0) : null }));
  const load = busy ? members.reduce((sum, member) => sum + (member.load ?? 0), 0) : null;
  return { ...team, members, devices: [...devices], load };
};

/** Who answers the chats of which devices. What is saved is pushed to chat-backend, who sits where also to store-auth. */
export class ChatTeamsService {
  constructor(private readonly parts: ChatTeamsParts) {}

  list(storeId: string, query: ChatTeamsQuery): Promise<ListedPage<ChatTeamRow>> {
    return chatTeamListing.page(this.parts.database, storeId, query);
  }

  /** With its members and how busy they are, as far as chat-backend tells. Throws `NotFound`. */
  async show(storeId: string, id: string): Promise<ChatTeam> {
    const [shown] = await this.showAll(storeId, [await chatTeam(this.parts.database, storeId, id)]);
    return shown as ChatTeam;
  }

  /** The same of several; chat-backend is asked once, and the database as often as for one. */
  async showAll(storeId: string, teams: readonly ChatTeamRow[]): Promise<ChatTeam[]> {
    const { database, loads } = this.parts;
    const busy = await loads(storeId);
    const ids = teams.map(({ id }) => id);
    const seats = await seatsOfTeams(database, storeId, ids);
    return teams.map((team, at) => withSeats(team, seats[at] as Seats, busy));
  }

  /** Throws `too_many_teams`. */
  create(caller: Caller, body: NewChatTeam): Promise<ChatTeamRow> {
    return this.turn(caller, async (tx, by) => {
      const team = await insertTeam(tx, by, body);
      await this.told(tx, by, undefined, team);
      return team;
    });
  }

  /** Throws `version_conflict` when it is not any more what was `seen` of it, and `last_cs_team`. */
  change(caller: Caller, id: string, body: ChatTeamChange, seen?: string): Promise<ChatTeamRow> {
    return this.turn(caller, async (tx, by) => {
      const before = await chatTeam(tx, by.storeId, id, true);
      demandSeen(seen, editableOf(before));
      if ((body.kind ?? before.kind) !== 'cs') await demandOther(tx, by.storeId, before);
      const after = await updateTeam(tx, by, before, body);
      await this.told(tx, by, before, after);
      return after;
    });
  }

  /** Nobody sits in it any more, and its devices are of no team; its chats go to another one at chat-backend. Throws `last_cs_team`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.turn(caller, async (tx, by) => {
      const before = await chatTeam(tx, by.storeId, id, true);
      await demandOther(tx, by.storeId, before);
      await this.seat(tx, by, id, []);
      await giveDevices(tx, this.parts.copies, by, { teamId: id, deviceIds: [] });
      await deleteTeam(tx, by.storeId, id);
      await this.told(tx, by, before, undefined);
    });
  }

  /** Sets who sits in it, and whose devices' new chats are its own. Throws `NotFound` also for a member or a device of another store. */
  async setMembers(caller: Caller, id: string, body: ChatTeamMembers): Promise<ChatTeam> {
    await this.seatAll(caller, id, body);
    return this.show(caller.storeId, id);
  }

  /** The same, and nobody asks how busy they are. Throws `version_conflict` when others sit there than were `seen`. */
  async seatAll(caller: Caller, id: string, body: ChatTeamMembers, seen?: string): Promise<void> {
    const { user_ids: userIds, device_ids: deviceIds } = body;
    await this.turn(caller, async (tx, by) => {
      const { name } = await chatTeam(tx, by.storeId, id, true);
      const [seats] = await seatsOfTeams(tx, by.storeId, [id]);
      demandSeen(seen, seatedIn(seats as Seats));
      const changed = await this.seat(tx, by, id, await knownMembers(tx, by.storeId, userIds));
      if (deviceIds) await giveDevices(tx, this.parts.copies, by, { teamId: id, deviceIds });
      if (changed.length > 0) {
        const written = { action: 'team.manage', type: 'chat_team', id };
        await audited(tx, by, { ...written, before: { name }, after: { name, members: changed } });
      }
    });
  }

  private async seat(tx: Transaction, by: Writer, id: string, users: readonly string[]): Promise<string[]> {
    const changed = await seat(tx, by, id, users);
    for (const user of changed) await this.parts.pushes.member(tx, by.storeId, user, by.at);
    return changed;
  }

  /** One after the other in a store, by whoever may manage the team still. */
  private turn<T>(caller: Caller, work: (tx: Transaction, by: Writer) => Promise<T>): Promise<T> {
    const { database, clock } = this.parts;
    return database.tx(async (tx) => {
      await teamTurn(tx, caller, clock);
      return work(tx, byOf(clock)({ caller }));
    });
  }

  private async told(tx: Sql, by: Writer, before?: ChatTeamRow, after?: ChatTeamRow): Promise<void> {
    const id = (after ?? before)?.id ?? '';
    await audited(tx, by, { action: 'team.manage', type: 'chat_team', id, before, after });
    await this.parts.copies.touched(tx, by.storeId, 'teams', [id]);
  }
}
