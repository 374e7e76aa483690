export { CONTACT_ATTEMPTS } from './contact.payload';
export type { EventExpression } from './commerce-event.job';
export { NOT_THE_BOTS, toldMembers } from './told-members.sql';
export { changesTold } from './told-changes';
