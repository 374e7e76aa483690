import { randomBytes } from 'node:crypto';
import type { UserRole } from '@platform/contracts';
import { Conflict, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { KeyRing } from '../keys/public';
import type { LoginThrottle } from '../throttle/public';
import type { User, UserRepository } from '../accounts/public';
import type { UserChangesService, UsersService } from '../users/public';

export interface OpsDependencies {
  readonly users: UserRepository;
  readonly userService: UsersService;
  readonly userChanges: UserChangesService;
  readonly throttle: LoginThrottle;
  readonly ring: KeyRing;
}

export interface NewUserRequest {
  readonly email: string;
  readonly name: string;
  readonly storeId?: string;
  readonly role: UserRole;
}

/** Random, for somebody who will change it: 144 bits. */
export const randomPassword = (): string => randomBytes(18).toString('base64url');

/** What operators do from the command line. */
export class OpsService {
  constructor(private readonly parts: OpsDependencies) {}

  /** The user and the password, which is known nowhere else. */
  async createUser({ email, name, storeId, role }: NewUserRequest): Promise<{ user: User; password: string }> {
    const { users, userService } = this.parts;
    if (await users.byEmail(email)) throw new Conflict(`there is a user with the e-mail ${email} already`);
    const password = randomPassword();
    const membership = storeId === undefined ? undefined : { storeId, role, teams: [] };
    const { user } = await userService.create({ id: uuidv7(), email, name, password, membership });
    return { user, password };
  }

  async setStatus(email: string, status: 'active' | 'disabled'): Promise<User> {
    const user = await this.byEmail(email);
    return this.parts.userChanges.change(user.id, { status });
  }

  /** Makes the next signing key known; every replica moves on to it by itself when verifiers know it. */
  rotateKeys(): Promise<{ kid: string; signsFrom: Date }> {
    return this.parts.ring.publishNext();
  }

  /** Forgets failed logins of an account, or from an address. False when there were none. */
  unlock(which: { email: string } | { address: string }): Promise<boolean> {
    return this.parts.throttle.forget(which);
  }

  private async byEmail(email: string): Promise<User> {
    const user = await this.parts.users.byEmail(email);
    if (!user) throw new NotFound(`there is no user with the e-mail ${email}`);
    return user;
  }
}
