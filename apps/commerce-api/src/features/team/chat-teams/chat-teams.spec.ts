import { expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { askOf, notHere, refused, succeeded } from '../../../asked.fixture';
import { newMember, newStore, startCommerce } from '../../../commerce.fixture';
import { startFakeChat } from '../../../clients/chat.sync.fake';
import type { ChatTeam, ChatTeamRow } from './chat-teams.dto';
import { ChatTeamsService } from './chat-teams.service';
import { SEATED } from './chat-teams.sql';

const chat = useRunning(startFakeChat);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));

const shop = async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  const team = async (name: string) => (await ask<ChatTeamRow>('POST', '/team_chat', { name })).body.data;
  const copies = (field: string) =>
    chat
      .copies(storeId)
      .filter((row) => field in row)
      .map(({ store_id: _store, updated_at: _version, ...row }) => row);
  return { storeId, ask, team, copies };
};
const HOURS = [{ day: 1, open: '08:00', close: '17:00' }];

describe('a chat team', () => {
  it('has what a new one has unless it is told, and what it is told, here and at chat-backend', async () => {
    const { ask, team, copies } = await shop();
    const made = await team('CS');
    const usual = { kind: 'cs', private: true, distribution: 'manual' };
    expect(made).toEqual({ id: made.id, name: 'CS', ...usual, hours: null });
    await until(
      async () => copies('kind'),
      (rows) => rows.length === 1,
    );
    expect(copies('kind')).toEqual([{ id: made.id, nama: 'CS', ...usual }]);
    const other = { name: 'Gudang', kind: 'gudang', private: false, distribution: 'round_robin', hours: HOURS };
    const changed = succeeded(200, 'Chat team updated', { id: made.id, ...other });
    expect(await ask('PUT', `/team_chat/${made.id}`, other)).toEqual(changed);
    const { name: nama, ...rest } = other;
    const copied = await until(
      async () => copies('kind'),
      ([row]) => row?.nama === nama,
    );
    expect(copied).toEqual([{ id: made.id, nama, ...rest }]);
    const shown = { id: made.id, ...other, members: [], devices: [], load: null };
    expect(await ask('GET', `/team_chat/${made.id}`)).toEqual(succeeded(200, 'OK', shown));
  });

  it('has the members that it is given, whom chat-backend and store-auth hear of, and loses them when it is deleted', async () => {
    const { storeId, ask, team, copies } = await shop();
    const made = await team('CS');
    const [rina, joko] = [await newMember(commerce, storeId, 'cs'), await newMember(commerce, storeId, 'admin')];
    const set = (user_ids: string[]) => ask<ChatTeam>('PUT', `/team_chat/${made.id}/members`, { user_ids });
    const { members } = (await set([rina.userId, joko.userId])).body.data;
    expect(members.map(({ user_id }) => user_id).toSorted()).toEqual([rina.userId, joko.userId].toSorted());
    const seats = async () => copies('team_id').toSorted((a, b) => String(a.user_id).localeCompare(String(b.user_id)));
    const both = [rina, joko].map(({ userId: user_id }, at) => ({
      ...{ team_id: made.id, user_id, role: at === 0 ? 'agent' : 'supervisor' },
    }));
    const told = await until(seats, (rows) => rows.length === 2);
    expect(told).toEqual(both.toSorted((a, b) => a.user_id.localeCompare(b.user_id)));
    await set([joko.userId]);
    const gone = { team_id: made.id, user_id: rina.userId, deleted: true };
    expect(await until(seats, (rows) => rows.some((row) => row.deleted === true))).toContainEqual(gone);
    expect(await ask('DELETE', `/team_chat/${made.id}`)).toEqual(succeeded(200, 'Chat team deleted', null));
    await until(seats, (rows) => rows.every((row) => row.deleted === true));
    const [row] = await commerce.database.query<{ chat_team_ids: string[] }>(
      'SELECT chat_team_ids FROM membership WHERE store_id = $1 AND user_id = $2',
      [storeId, joko.userId],
    );
    expect(row?.chat_team_ids).toEqual([]);
    expect((await ask('GET', `/team_chat/${made.id}`)).status).toBe(404);
  });

  it('takes neither a member, a device nor an invitation of what the store has not', async () => {
    const { ask, team } = await shop();
    const [mine, theirs] = [await shop(), await shop()];
    const made = await team('CS');
    const { userId } = await newMember(commerce, theirs.storeId, 'cs');
    const set = (body: object) => ask('PUT', `/team_chat/${made.id}/members`, body);
    expect(await set({ user_ids: [userId] })).toEqual(notHere('user_ids[0]', 'is not a member of this store'));
    const device_ids = ['0199f7a0-0000-7000-8000-0000000000ff'];
    expect(await set({ user_ids: [], device_ids })).toEqual(notHere('device_ids[0]', 'is not a device of this store'));
    const invited = { email: 'a@shop.example', role_id: 'cs', chat_team_ids: [made.id] };
    expect(await mine.ask('POST', '/team/invite', invited)).toEqual(
      notHere('chat_team_ids[0]', 'is not a chat team of this store'),
    );
    expect((await ask('POST', '/team/invite', invited)).status).toBe(201);
  });

  it('is one of at most a hundred', async () => {
    const { storeId, ask } = await shop();
    await commerce.database.query(
      `INSERT INTO chat_team SELECT $1, n::text, 'T' || n, 'cs', true, 'manual', NULL, now(), now() FROM generate_series(1, 99) n`,
      [storeId],
    );
    const made = await Promise.all(Array.from({ length: 5 }, () => ask('POST', '/team_chat', { name: 'X' })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(await ask('POST', '/team_chat', { name: 'X' })).toEqual(
      refused(409, 'too_many_teams', 'A store has at most 100 chat teams'),
    );
  });
});

it('who sits where is asked as often for many teams as for one', async () => {
  const { storeId, ask, team } = await shop();
  const { userId } = await newMember(commerce, storeId, 'cs');
  const teams = await Promise.all(['A', 'B', 'C'].map(team));
  for (const { id } of teams.slice(1)) await ask('PUT', `/team_chat/${id}/members`, { user_ids: [userId] });
  const prepared = jest.spyOn(commerce.database, 'prepared');
  const service = new ChatTeamsService({ database: commerce.database, loads: async () => undefined } as never);
  const shown = await service.showAll(storeId, teams);
  expect(prepared).toHaveBeenCalledTimes(2);
  prepared.mockRestore();
  const member = { user_id: userId, name: null, load: null };
  expect(shown.map(({ name, members }) => [name, members])).toEqual([
    ['A', []],
    ['B', [member]],
    ['C', [member]],
  ]);
});

it('who sits in a team is found by an index', async () =>
  expectNoSeqScan(await explain(commerce.database, SEATED, ['S1', ['T1', 'T2']]), 'membership'));
