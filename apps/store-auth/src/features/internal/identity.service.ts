import { Rejected } from '@platform/errors';
import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Credentials, CredentialsService } from '../login/credentials.service';
import type { SessionKind } from '../sessions/session.repository';
import type { SessionGrant, SessionService } from '../sessions/session.service';
import { chooseStore } from '../users/store-choice';
import type { User } from '../users/user.entity';
import type { StoreMembership, UserRepository } from '../users/users.repository';
import type { ChallengeRepository } from './challenge.repository';
import type { UserView, VerifiedCredentials } from './identity.dto';

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
    const { credentials, challenges, database, users, clock } = this.parts;
    const user = await credentials.verify(given);
    if (!user) return { valid: false };
    const otp = user.totpSealed !== null;
    const until = new Date(clock.now().getTime() + CHALLENGE_LIFE_MS);
    return {
      valid: true,
      otp_required: otp,
      challenge: await challenges.create(database, user.id, given.visitor, { otp, until }),
      user: userView(user),
      memberships: (await users.memberships(user.id)).map(membershipView),
    };
  }

  /** There is no grant by bare user id: a stolen service credential must not mint logins. */
  redeem(challenge: string, wanted: { storeId?: string; kind: SessionKind }): Promise<SessionGrant> {
    const { database, challenges, users, logins, clock } = this.parts;
    return database.tx(async (tx) => {
      const taken = await challenges.take(tx, challenge, clock.now());
      const user = taken && (await users.byId(taken.userId, tx.entities));
      if (!taken || user?.status !== 'active')
        throw new Rejected('challenge tidak berlaku', { code: 'challenge_invalid' });
      const memberships = await users.memberships(user.id, tx);
      const membership = chooseStore(memberships, { asked: wanted.storeId, lastUsed: user.lastStoreId });
      if (!membership) throw new Rejected('bukan anggota toko', { code: 'not_a_member' });
      return logins.begin(tx, { user, membership, kind: wanted.kind, visitor: taken.visitor });
    });
  }
}
