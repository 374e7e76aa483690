export type { TeamParts } from './roles.service';
export { refuseBeyond, storeTurn, teamTurn } from './team.lock';
export { chosenRole, roleNameOf, type ChosenRole, type RoleColumns } from './role.choice';
export { roleName } from './role.words';
export { AbilityBoxes } from './ability.boxes';
export { abilityTexts } from './ability.texts';
export { RolesService } from './roles.service';
export { roleTexts } from './roles.texts';
