import type { Database, Transaction } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { AuditRepository } from '../audit/public';
import type { EventFeed } from '../events/public';
import type { SessionService } from '../sessions/public';
import type { Membership, MembershipStatus, StoreStatus, UserRepository } from '../accounts/public';
import type { MembershipRepository, MembershipValues } from './membership.repository';

export interface WantedMembership extends MembershipValues {
  readonly status: MembershipStatus;
}

/** How a new user begins: with their own store, as a member of another, or neither. */
export interface Beginning {
  readonly store?: { readonly storeId: string; readonly name: string };
  readonly membership?: { readonly storeId: string } & Pick<WantedMembership, 'role' | 'teams'>;
}

export interface MembershipDependencies {
  readonly database: Database;
  readonly memberships: MembershipRepository;
  readonly users: UserRepository;
  readonly logins: SessionService;
  readonly events: EventFeed;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

const REMOVED = 'removed';

const isOwner = (membership: Pick<MembershipValues, 'role' | 'status'> | null): boolean =>
  membership?.role === 'owner' && membership.status === 'active';

const sameTeams = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((team) => other.includes(team));

/** Who works in which store. commerce-api decides it; here it turns into rights. */
export class MembershipService {
  constructor(private readonly parts: MembershipDependencies) {}

  /** False when a newer change is stored already. Throws `Conflict` last_owner. */
  put(storeId: string, userId: string, wanted: WantedMembership): Promise<boolean> {
    return this.parts.database.tx(async (tx) => {
      if (!(await this.parts.users.byId(userId, tx))) throw refusals.userNotFound();
      return this.place(tx, storeId, userId, wanted);
    });
  }

  /** False when there was none, or when a newer change is stored. Throws `Conflict` last_owner. */
  remove(storeId: string, userId: string, updatedAt = this.parts.clock.now()): Promise<boolean> {
    const { database, memberships } = this.parts;
    return database.tx(async (tx) => {
      if (!(await memberships.find(tx, storeId, userId))) return false;
      await memberships.holdStore(tx, storeId);
      const before = await memberships.find(tx, storeId, userId);
      if (!before || before.status === REMOVED) return false;
      const { role } = before;
      return this.place(tx, storeId, userId, { role, teams: [], status: REMOVED, updatedAt });
    });
  }

  /** A new store and its owner. The same owner may repeat it, nobody else. */
  async found(tx: Transaction, { storeId, name }: { storeId: string; name: string }, userId: string): Promise<void> {
    const { memberships, clock } = this.parts;
    await memberships.holdStore(tx, storeId, name);
    if (await memberships.hasOwnerBeside(tx, storeId, userId)) throw refusals.storeTaken();
    const updatedAt = clock.now();
    await memberships.put(tx, storeId, userId, { role: 'owner', teams: [], status: 'active', updatedAt });
  }

  /** Part of the transaction that creates the user. */
  async settle(tx: Transaction, { id, store, membership }: Beginning & { readonly id: string }): Promise<void> {
    if (store) await this.found(tx, store, id);
    if (!membership) return;
    const { storeId, role, teams } = membership;
    const wanted = { role, teams, status: 'active' as const, updatedAt: this.parts.clock.now() };
    await this.place(tx, storeId, id, wanted);
  }

  /** A suspended store's logins end. */
  async setStore(storeId: string, values: { name: string; status: StoreStatus }): Promise<void> {
    const { database, memberships, logins } = this.parts;
    await database.tx(async (tx) => {
      await memberships.holdStore(tx, storeId);
      await memberships.setStore(tx, storeId, values);
      if (values.status === 'suspended') await logins.revoke(tx, { storeId });
    });
  }

  /** Part of the caller's transaction; the user must exist. */
  async place(tx: Transaction, storeId: string, userId: string, wanted: MembershipValues): Promise<boolean> {
    const { memberships } = this.parts;
    await memberships.holdStore(tx, storeId);
    const before = await memberships.find(tx, storeId, userId);
    if (before && before.updatedAt > wanted.updatedAt) return false;
    if (isOwner(before) && !isOwner(wanted) && !(await memberships.hasOwnerBeside(tx, storeId, userId)))
      throw refusals.lastOwner();
    await memberships.put(tx, storeId, userId, wanted);
    if (before) await this.tell(tx, before, wanted);
    return true;
  }

  /**
   * Another role needs another login; other teams are announced to the verifiers, and the login goes on (design 2.4). Another
   * role is announced as well: teams announced within the same second would outrank the token of that login.
   */
  private async tell(tx: Transaction, before: Membership, { role, teams, status }: MembershipValues): Promise<void> {
    const { logins, events, audit, clock } = this.parts;
    const { storeId, userId } = before;
    const changed = role !== before.role || status !== before.status;
    if (changed && before.status !== REMOVED) await logins.revoke(tx, { userId, storeId });
    if (status === 'active' && (changed || !sameTeams(teams, before.teams)))
      await events.publish(tx, [
        { type: 'membership', store_id: storeId, user_id: userId, role, teams, at: clock.now().getTime() },
      ]);
    if (!changed) return;
    const type = status === REMOVED ? 'membership_removed' : 'membership_changed';
    await audit.record(tx, { type, userId, storeId });
  }
}
