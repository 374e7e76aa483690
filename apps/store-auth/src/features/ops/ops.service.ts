import { randomBytes } from 'node:crypto';
import type { UserRole } from '@platform/contracts';
import { Conflict, NotFound } from '@platform/errors';
import { uuidv7, type Clock } from '@platform/runtime';
import type { KeyRing } from '../keys/public';
import type { SealingService } from '../sealing/public';
import type { LoginThrottle } from '../throttle/public';
import type { User, UserRepository } from '../accounts/public';
import type { UserChangesService, UsersService } from '../users/public';

export interface OpsDependencies {
  readonly users: UserRepository;
  readonly userService: UsersService;
  readonly userChanges: UserChangesService;
  readonly throttle: LoginThrottle;
  readonly ring: KeyRing;
  readonly sealing: SealingService;
  readonly clock: Clock;
}

export interface NewUserRequest {
  readonly email: string;
  readonly name: string;
  readonly storeId?: string;
  readonly role: UserRole;
}

/** The most boxes that cannot be opened that one message names. */
const MAX_NAMED = 10;

/** A random initial password of 144 bits, to be changed by its user. */
export const randomPassword = (): string => randomBytes(18).toString('base64url');

/** The operators' command line. */
export class OpsService {
  constructor(private readonly parts: OpsDependencies) {}

  /** Creates the user, for whose address the operator vouches. Resolves to the password too, which is stored nowhere in clear. */
  async createUser({ email, name, storeId, role }: NewUserRequest): Promise<{ user: User; password: string }> {
    const { users, userService, clock } = this.parts;
    if (await users.byEmail(email)) throw new Conflict(`there is a user with the e-mail ${email} already`);
    const password = randomPassword();
    const membership = storeId === undefined ? undefined : { storeId, role, teams: [] };
    const made = { id: uuidv7(), email, name, password, membership, emailVerifiedAt: clock.now() };
    const { user } = await userService.create(made);
    return { user, password };
  }

  async setStatus(email: string, status: 'active' | 'disabled'): Promise<User> {
    const user = await this.byEmail(email);
    return this.parts.userChanges.change(user.id, { status });
  }

  /** Whom the operator knows as the owner of the address may log in. */
  async confirmEmail(email: string): Promise<User> {
    const user = await this.byEmail(email);
    return this.parts.userChanges.change(user.id, { emailVerified: true });
  }

  /** Publishes the next signing key; every replica signs with it by itself once verifiers know it. */
  rotateKeys(): Promise<{ kid: string; signsFrom: Date }> {
    return this.parts.ring.publishNext();
  }

  /** Nothing that the key has signed is valid any more, at any service; resolves to the key that signs from now on. */
  revokeKey(kid: string): Promise<{ current: string }> {
    return this.parts.ring.revoke(kid);
  }

  /** Reseals stored secrets with the newest key; throws `Conflict` when some cannot be opened. */
  async reseal(): Promise<number> {
    const { resealed, failed } = await this.parts.sealing.reseal();
    if (failed.length === 0) return resealed;
    const named = failed.length > MAX_NAMED ? [...failed.slice(0, MAX_NAMED), 'and others'] : failed;
    throw new Conflict(
      `${resealed} boxes were sealed anew, ${failed.length} could not be opened: ${named.join(', ')}. Put their key back at the end of SIGNING_KEY_SECRET`,
    );
  }

  /** Clears the failed logins of an account, or from an address. False when there were none. */
  unlock(which: { email: string } | { address: string }): Promise<boolean> {
    return this.parts.throttle.forget(which);
  }

  private async byEmail(email: string): Promise<User> {
    const user = await this.parts.users.byEmail(email);
    if (!user) throw new NotFound(`there is no user with the e-mail ${email}`);
    return user;
  }
}
