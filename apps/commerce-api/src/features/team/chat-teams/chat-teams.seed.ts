import type { Sql } from '@platform/data';
import type { ChatCopies } from '../../chat/copies/public';

/** Of the demo shop, as chat-backend has them. */
export interface DemoTeam {
  readonly id: string;
  readonly nama: string;
  readonly kind: 'cs' | 'supervisor';
}

const TEAM = `
  INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
  VALUES ($1, $2, $3, $4, true, 'manual', $5, $5) ON CONFLICT DO NOTHING`;
const SIT = `
  UPDATE membership SET chat_team_ids = chat_team_ids || $3::text
  WHERE store_id = $1 AND user_id = $2 AND NOT $3 = ANY (chat_team_ids)`;
const SEATS = `
  SELECT t.id || ' ' || m.user_id AS seat FROM membership m JOIN chat_team t ON t.store_id = m.store_id AND t.id = ANY (m.chat_team_ids)
  WHERE m.store_id = $1`;

/** Part of the `seed` command: the teams, and whom the supervisors' one has beside those whose memberships name one. */
export const seedChatTeams = async (
  tx: Sql,
  copies: ChatCopies,
  { storeId, at }: { readonly storeId: string; readonly at: Date },
  { teams, supervisor }: { readonly teams: readonly DemoTeam[]; readonly supervisor: string },
): Promise<void> => {
  for (const { id, nama, kind } of teams) await tx.query(TEAM, [storeId, id, nama, kind, at]);
  for (const { id, kind } of teams) if (kind === 'supervisor') await tx.query(SIT, [storeId, supervisor, id]);
  const told = teams.map(({ id }) => id);
  await copies.touched(tx, storeId, 'teams', told);
  const seats = await tx.query<{ seat: string }>(SEATS, [storeId]);
  await copies.touched(
    tx,
    storeId,
    'team_members',
    seats.map(({ seat }) => seat),
  );
};
