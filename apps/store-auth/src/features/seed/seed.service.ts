import type { UserRole } from '@platform/contracts';
import type { Database, Transaction } from '@platform/data';
import { parse } from '@platform/validation';
import { randomPassword } from '../ops/public';
import type { SecretHasher } from '@platform/auth/hashing';
import { Membership, Store, User, normalisedEmail } from '../accounts/public';
import { SeedShop, type SeedUser } from './seed.dto';

interface Person extends SeedUser {
  readonly role: UserRole;
  readonly passwordHash: string;
  readonly emailVerifiedAt: Date;
}

const readShop = (text: string): SeedShop => {
  const { value, violations } = parse(SeedShop, JSON.parse(text));
  if (violations) throw new Error(`the seed is not usable: ${violations.map(({ message }) => message).join('; ')}`);
  return value;
};

export interface SeedOptions {
  /** The password of users that come without one. */
  readonly password: string | undefined;
  /** Shows the operator a generated password, once. */
  readonly print: (line: string) => void;
}

/** Seeds a shop's store, owner and agents; a repeat changes only what differs. */
export class SeedService {
  constructor(
    private readonly database: Database,
    private readonly passwords: SecretHasher,
    private readonly options: SeedOptions,
  ) {}

  /** `text`: the shop as JSON. Throws an Error that names every invalid field. */
  async seed(text: string): Promise<void> {
    const { store, owner, agents } = readShop(text);
    const people: Person[] = [];
    for (const [user, role] of [[owner, 'owner'] as const, ...agents.map((agent) => [agent, 'agent'] as const)])
      people.push({ ...user, role, ...(await this.proofOf(user)) });
    await this.database.tx(async (tx) => {
      await tx.entities.upsert(Store, { storeId: store.store_id, name: store.nama }, ['storeId']);
      for (const person of people) await this.place(tx, store.store_id, person);
    });
  }

  /** The stored hash when it matches this password, so that a repeated seed writes nothing new. */
  private async proofOf(user: SeedUser): Promise<Pick<User, 'passwordHash'> & { emailVerifiedAt: Date }> {
    const known = await this.database.entities.findOneBy(User, { id: user.user_id });
    const emailVerifiedAt = known?.emailVerifiedAt ?? new Date();
    const password = user.password ?? this.options.password;
    const same = known && (password === undefined || (await this.passwords.matches(known.passwordHash, password)));
    if (same) return { emailVerifiedAt, passwordHash: known.passwordHash };
    return { emailVerifiedAt, passwordHash: await this.passwords.hash(password ?? this.invented(user)) };
  }

  private invented({ email }: SeedUser): string {
    const password = randomPassword();
    this.options.print(`password of ${email}, shown this once: ${password}`);
    return password;
  }

  private async place(tx: Transaction, storeId: string, person: Person): Promise<void> {
    const { user_id: id, email, nama: name, role, teams = [], passwordHash, emailVerifiedAt } = person;
    await tx.entities.upsert(User, { id, email: normalisedEmail(email), name, passwordHash, emailVerifiedAt }, ['id']);
    await tx.entities.upsert(Membership, { storeId, userId: id, role, teams }, ['storeId', 'userId']);
  }
}
