export type { TeamParts } from './roles.service';
export { refuseBeyond, teamTurn } from './team.lock';
