export type { Access } from './access';
export { seedMembers, type DemoMember } from './members.seed';
export type { People } from './people';
