import type { Database, Sql } from '@platform/data';
import { isUuid, type Clock } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { ChatCopies } from '../../chat/copies/public';
import type { Pushes } from '../../identity/access/public';
import { storeTurn } from '../roles/public';
import { insertTeam, seat } from './chat-teams.sql';

export interface FirstTeamParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  readonly pushes: Pick<Pushes, 'member'>;
}

const FIRST = { name: 'CS', kind: 'cs' } as const;
const HAS = `SELECT 1 FROM chat_team WHERE store_id = $1 AND kind = 'cs' LIMIT 1`;
const OWNERS = `SELECT user_id FROM membership WHERE store_id = $1 AND (system_role = 'owner' OR user_id = $2::uuid) AND status = 'active'`;

/** In a transaction: a store has a team that takes its chats from now on. */
export type FirstTeam = (tx: Sql, by: Writer) => Promise<void>;

/** Makes it where there is none, with the owner, and whoever acts, in it. */
export const firstTeam =
  ({ copies, pushes }: FirstTeamParts): FirstTeam =>
  async (tx, by) => {
    await storeTurn(tx, by.storeId);
    if ((await tx.query(HAS, [by.storeId])).length > 0) return;
    const team = await insertTeam(tx, by, FIRST);
    await audited(tx, by, { action: 'team.manage', type: 'chat_team', id: team.id, after: team });
    await copies.touched(tx, by.storeId, 'teams', [team.id]);
    const owners = await tx.query<{ user_id: string }>(OWNERS, [by.storeId, isUuid(by.actor) ? by.actor : null]);
    const ids = owners.map(({ user_id }) => user_id);
    for (const user of await seat(tx, by, team.id, ids)) await pushes.member(tx, by.storeId, user, by.at);
  };

/** Stores whose customers nobody would be given to: of a release before, or of one that runs beside. */
const WITHOUT = `
  SELECT DISTINCT d.store_id FROM device d
  WHERE NOT EXISTS (SELECT 1 FROM chat_team t WHERE t.store_id = d.store_id AND t.kind = 'cs') ORDER BY 1 LIMIT 1000`;
const PLATFORM = 'platform';

/** The job: a first team for every store that has devices and none. Rejects at the end with why the first one could not be given any. */
export const firstTeams =
  (database: Pick<Database, 'tx' | 'query'>, clock: Clock, first: FirstTeam) =>
  async (signal?: AbortSignal): Promise<void> => {
    const failures: unknown[] = [];
    for (const { store_id: storeId } of await database.query<{ store_id: string }>(WITHOUT)) {
      signal?.throwIfAborted();
      const at = clock.now();
      const audit = { tenantId: storeId, actor: { id: PLATFORM, name: PLATFORM, kind: 'service' }, at } as const;
      await database
        .tx((tx) => first(tx, { storeId, actor: PLATFORM, at, audit }))
        .catch((failure: unknown) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  };
