import type { Sql } from '@platform/data';
import { systemRoles, type SystemRole } from '../../../roles';
import type { CopiedRows } from '../../chat/copies/public';
import type { ChatTeamRow } from './chat-teams.dto';

const TEAMS = `SELECT id, name, kind, private, distribution, hours FROM chat_team WHERE store_id = $1 AND id = ANY ($2::text[])`;

/** Chat teams as chat-backend's. */
export const chatTeamCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, ids) =>
    (await sql.query<ChatTeamRow>(TEAMS, [storeId, ids])).map(({ id, name: nama, hours, ...row }) => ({
      rowId: id,
      row: { id, nama, ...row, ...(hours && { hours }) },
    })),
  keys: (id) => ({ id }),
};

/** $2 and $3: which member in which team. */
const SEATS = `
  SELECT i.team_id, m.user_id, m.system_role, r.abilities
  FROM unnest($2::text[], $3::uuid[]) AS i (team_id, user_id)
  JOIN membership m ON m.store_id = $1 AND m.user_id = i.user_id AND m.status = 'active' AND i.team_id = ANY (m.chat_team_ids)
  JOIN chat_team t ON t.store_id = $1 AND t.id = i.team_id
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id`;

interface Seat {
  readonly team_id: string;
  readonly user_id: string;
  readonly system_role: SystemRole | null;
  readonly abilities: readonly string[] | null;
}

const roleOf = ({ system_role: role, abilities }: Seat): 'agent' | 'supervisor' => {
  const allowed: readonly string[] = role ? systemRoles[role] : (abilities ?? []);
  return allowed.includes('chat.all') ? 'supervisor' : 'agent';
};

const partsOf = (seat: string) => {
  const [team_id = '', user_id = ''] = seat.split(' ');
  return { team_id, user_id };
};

/** Who sits in which chat team; a row is named by team and user, neither of which contains a space. */
export const seatCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, seats) => {
    const named = seats.map(partsOf);
    const columns = [named.map(({ team_id }) => team_id), named.map(({ user_id }) => user_id)];
    return (await sql.query<Seat>(SEATS, [storeId, ...columns])).map((seat) => ({
      rowId: `${seat.team_id} ${seat.user_id}`,
      row: { team_id: seat.team_id, user_id: seat.user_id, role: roleOf(seat) },
    }));
  },
  keys: partsOf,
};
