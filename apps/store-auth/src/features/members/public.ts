// What other features of this app may use.
export type { Beginning, MembershipService } from './membership.service';
