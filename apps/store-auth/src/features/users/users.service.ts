import type { Database } from '@platform/data';
import { Conflict } from '@platform/errors';
import { unknownUser } from '../../path-ids';
import type { AuditRepository } from '../audit/public';
import type { IdentityService } from '../internal/public';
import type { CredentialsService } from '../login/public';
import type { Beginning, MembershipService } from '../members/public';
import type { PasswordService } from '../passwords/public';
import { normalisedEmail, type User, type NewUser, type UserRepository } from '../accounts/public';

export interface UserRequest extends Omit<NewUser, 'passwordHash'>, Beginning {
  readonly password: string;
}

export interface UsersDependencies {
  readonly database: Database;
  readonly users: UserRepository;
  readonly credentials: CredentialsService;
  readonly identity: IdentityService;
  readonly memberships: MembershipService;
  readonly passwordChanges: PasswordService;
  readonly audit: AuditRepository;
}

const NOWHERE = { address: '' };
export const emailTaken = (): Conflict => new Conflict('email sudah terdaftar', { code: 'email_taken' });

/** The people of the platform, managed by commerce-api. */
export class UsersService {
  constructor(private readonly parts: UsersDependencies) {}

  /**
   * A new user, with his store or membership, all or nothing. The ids are the caller's, so after a crash the same request
   * gives the same user; the repetition has to know the password, or it would be a login by bare user id.
   */
  async create(request: UserRequest): Promise<{ user: User; challenge: string }> {
    const { users, database, memberships, passwordChanges, audit } = this.parts;
    const passwordHash = await passwordChanges.prepare(request.password);
    const made = await database.tx(async (tx) => {
      if (!(await users.insert(tx, { ...request, passwordHash }))) return false;
      await memberships.settle(tx, request);
      await audit.record(tx, { type: 'user_created', userId: request.id });
      return true;
    });
    const user = made ? await this.byId(request.id) : await this.known(request);
    return { user, challenge: await this.parts.identity.challenge(user, NOWHERE) };
  }

  private async byId(id: string): Promise<User> {
    const user = await this.parts.users.byId(id);
    if (!user) throw unknownUser();
    return user;
  }

  /** The same request once more, or something is taken. */
  private async known({ id, email, password }: UserRequest): Promise<User> {
    const { users, credentials } = this.parts;
    const user = await users.byId(id);
    if (!user) throw emailTaken();
    const same = user.email === normalisedEmail(email);
    const { state } = same
      ? await credentials.verify({ userId: id, password, visitor: NOWHERE })
      : ({ state: 'refused' } as const);
    if (state === 'refused') throw new Conflict('user_id sudah dipakai', { code: 'user_exists' });
    return user;
  }
}
