export { Access, apiTokenHash } from './access';
export { seedMembers, type DemoMember } from './members.seed';
export { People } from './people';
export { Pushes } from './pushes';
