import type { Database, Sql } from '@platform/data';
import { refusals } from '../../refusals';
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

/** The people of the platform, managed by commerce-api. */
export class UsersService {
  constructor(private readonly parts: UsersDependencies) {}

  /**
   * A new user, with store or membership, all or nothing. The ids are the caller's, so after a crash the same request
   * gives the same user; the repeat has to know the password, or it would be a login by bare user id.
   */
  async create(request: UserRequest): Promise<{ user: User; challenge: string }> {
    const { users, database, memberships, passwordChanges, audit } = this.parts;
    const passwordHash = await passwordChanges.prepare(request.password);
    const made = await database.tx(async (tx) => {
      if (!(await users.insert(tx, { ...request, passwordHash }))) return undefined;
      await memberships.settle(tx, request);
      await audit.record(tx, { type: 'user_created', userId: request.id });
      return this.challenged(await users.byId(request.id, tx), tx);
    });
    return made ?? this.challenged(await this.known(request), database);
  }

  private async challenged(user: User | null, sql: Sql): Promise<{ user: User; challenge: string }> {
    const challenge = user && (await this.parts.identity.challenge(user, NOWHERE, sql));
    if (!challenge) throw refusals.userExists();
    return { user, challenge };
  }

  /** Either the same request once more, or a conflict. */
  private async known({ id, email, password }: UserRequest): Promise<User> {
    const { users, credentials } = this.parts;
    const user = await users.byId(id);
    if (!user) throw refusals.emailTaken();
    if (user.email !== normalisedEmail(email)) throw refusals.userExists();
    const verdict = await credentials.verify({ userId: id, password, visitor: NOWHERE });
    if (verdict.state === 'refused') throw refusals.userExists();
    return verdict.user;
  }
}
