import type { RequestView } from '@platform/http';
import type { Ability } from './abilities';
import type { SystemRole } from './roles';

/** What of a store's plan every request must know (design 3.7): past_due can only read, expired cannot send. */
export type PlanState = 'past_due' | 'expired';

/** Who somebody is in a store, and how the store is, as a request finds it. */
export interface MemberRow {
  readonly status: 'open' | 'closed' | 'suspended';
  readonly plan_state: PlanState | null;
  /** An active member. */
  readonly belongs: boolean;
  readonly system_role: SystemRole | null;
  readonly abilities: readonly Ability[] | null;
  readonly name: string | null;
}

/** With whose it is. */
export interface Membership extends MemberRow {
  readonly store_id: string;
  readonly user_id: string;
}

const READ = Symbol('membership');
type Carrying = RequestView & { readonly [READ]?: Membership };

/** The request with the membership that was read on the way, in the same moment: the guards behind read it no second time. */
export const withMembership = (request: RequestView, row: Membership | undefined): RequestView =>
  row ? ({ ...request, [READ]: row } as Carrying) : request;

/** Undefined: nobody has read it, or another's was read. */
export const membershipOf = (request: RequestView, storeId: string, userId: string): Membership | undefined => {
  const { [READ]: row } = request as Carrying;
  return row?.store_id === storeId && row.user_id === userId ? row : undefined;
};
