import type { Database, Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { Visitor } from '../audit/public';
import type { Credentials, CredentialsService } from '../login/public';
import type { SessionKind, SessionGrant, SessionService } from '../sessions/public';
import type { SecondProof } from '../second-factor/public';
import { chooseStore, type User, type StoreMembership, type UserRepository } from '../accounts/public';
import type { ChallengeRepository } from './challenge.repository';
import type { UserView, VerifiedCredentials, VerifiedSecond } from './identity.dto';

export const CHALLENGE_LIFE_MS = 5 * 60_000;

export interface IdentityDependencies {
  readonly database: Database;
  readonly credentials: CredentialsService;
  readonly challenges: ChallengeRepository;
  readonly users: UserRepository;
  readonly logins: SessionService;
  readonly clock: Clock;
}

export const userView = (user: User): UserView => ({
  user_id: user.id,
  email: user.email,
  nama: user.name,
  phone: user.phone,
  locale: user.locale,
  timezone: user.timezone,
  email_verified: user.emailVerifiedAt !== null,
  phone_verified: user.phoneVerifiedAt !== null,
  two_factor: user.totpSealed !== null,
  status: user.status,
});

const membershipView = ({ storeId, role, teams, status }: StoreMembership) => ({
  store_id: storeId,
  role,
  teams,
  status,
});

/** Logins on behalf of commerce-api, in two steps: check the password, then ask for tokens with the challenge. */
export class IdentityService {
  constructor(private readonly parts: IdentityDependencies) {}

  async verify(given: Credentials): Promise<VerifiedCredentials> {
    const { credentials, users } = this.parts;
    const verdict = await credentials.verify(given);
    if (verdict.state === 'refused') return { valid: false };
    const { user } = verdict;
    const challenge = await this.challenge(user, given.visitor);
    if (challenge === undefined) return { valid: false };
    return {
      valid: true,
      otp_required: user.totpSealed !== null,
      challenge,
      user: userView(user),
      memberships: (await users.memberships(user.id)).map(membershipView),
    };
  }

  /**
   * For somebody whose password was right just now; good for tokens once the second factor, if there is one, was shown.
   * Undefined when the credentials have changed since they were verified.
   */
  challenge(user: User, visitor: Visitor, sql: Sql = this.parts.database): Promise<string | undefined> {
    const { challenges, clock } = this.parts;
    const until = new Date(clock.now().getTime() + CHALLENGE_LIFE_MS);
    return challenges.create(sql, user, visitor, { otp: user.totpSealed !== null, until });
  }

  /** The second factor to a challenge. A wrong code leaves the challenge for another try; the throttle counts them. */
  async verifySecond(challenge: string, proof: SecondProof): Promise<VerifiedSecond> {
    const { credentials, challenges, database, users, clock } = this.parts;
    const waiting = await challenges.waiting(database, challenge, clock.now());
    const user = waiting && (await users.byId(waiting.verified.id));
    if (user?.status !== 'active' || user.credentialVersion !== waiting?.verified.credentialVersion)
      throw refusals.challengeInvalid();
    if (!(await credentials.verifySecond(user, proof, waiting.visitor))) return { valid: false };
    if (!(await challenges.complete(database, challenge))) throw refusals.challengeInvalid();
    const memberships = (await users.memberships(user.id)).map(membershipView);
    return { valid: true, challenge, user: userView(user), memberships };
  }

  /** There is no grant by bare user id: a stolen service credential must not mint logins. */
  redeem(challenge: string, wanted: { storeId?: string; kind: SessionKind }): Promise<SessionGrant> {
    const { database, challenges, users, logins, clock } = this.parts;
    return database.tx(async (tx) => {
      // Locks the user first, like a reset, which ends challenges
      const verified = await challenges.verified(tx, challenge);
      const user = verified && (await users.holdVerified(tx, verified));
      const taken = user && (await challenges.take(tx, challenge, clock.now()));
      if (!taken) throw refusals.challengeInvalid();
      const memberships = await users.heldMemberships(tx, user.id);
      const membership = chooseStore(memberships, { asked: wanted.storeId, lastUsed: user.lastStoreId });
      if (!membership) throw refusals.notAMember();
      return logins.begin(tx, { user, membership, kind: wanted.kind, visitor: taken.visitor });
    });
  }
}
