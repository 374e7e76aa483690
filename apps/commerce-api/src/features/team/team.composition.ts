import type { Area, AreaParts } from '../../area';
import { membersEndpoints } from './members/members.endpoints';
import { MembersService } from './members/members.service';
import { rolesEndpoints } from './roles/roles.endpoints';
import { RolesService, type TeamParts } from './roles/roles.service';
import { teamAbilities } from './team.abilities';

/** Staff and their roles. */
export const composeTeam = ({ database, clock, pushes }: AreaParts & Pick<TeamParts, 'pushes'>): Area => {
  const parts = { database, clock, pushes };
  return {
    endpoints: [...rolesEndpoints(new RolesService(parts)), ...membersEndpoints(new MembersService(parts))],
    components: [],
    abilities: teamAbilities,
  };
};
