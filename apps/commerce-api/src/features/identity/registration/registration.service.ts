import type { Database, Transaction } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { uuidv7, type Clock } from '@platform/runtime';
import type { Account, AccountsClient } from '../../../clients/store-auth.accounts';
import { VERIFY_SECONDS } from '../../../clients/store-auth.codes';
import type { Queue } from '../../../jobs';
import { createStore } from '../../shop/store/public';
import type { People, Pushes } from '../access/public';
import type { CodeSender } from '../codes/public';
import { knownZone, userView } from '../profile/public';
import type { RegisterBody, Registered } from './registration.dto';

const RESUME_AFTER_SECONDS = 60;
const ZONE = 'Asia/Jakarta';

/**
 * The same ids for whoever registers the same address again before it is done, or after it was dropped: store-auth may have made
 * the user later than anybody waited, and then they would own the address and no store. What was wanted last counts.
 */
const BEGIN = `
  INSERT INTO registration AS r (id, user_id, store_id, email, wanted, created_at, updated_at)
  SELECT $1::uuid, coalesce(d.user_id, $2::uuid), coalesce(d.store_id, $3::varchar), $4::text, $5::jsonb, $6::timestamptz, $6::timestamptz
  FROM (SELECT) one LEFT JOIN (
    SELECT user_id, store_id FROM registration WHERE email = $4::text AND state = 'dropped' ORDER BY created_at DESC LIMIT 1
  ) d ON true
  ON CONFLICT (email) WHERE state = 'begun' DO UPDATE SET wanted = excluded.wanted, updated_at = excluded.updated_at
  RETURNING id, user_id, store_id, wanted`;
/** For tests of its plan. */
export const REGISTRATION_BEGIN = BEGIN;

const LOCKED = `SELECT id, user_id, store_id, wanted, state FROM registration WHERE id = $1 FOR UPDATE`;
const END = 'UPDATE registration SET state = $2, updated_at = $3 WHERE id = $1';

interface Begun {
  readonly id: string;
  readonly user_id: string;
  readonly store_id: string;
  readonly wanted: { readonly store_name: string; readonly timezone: string };
}

export interface RegistrationParts {
  readonly database: Database;
  readonly accounts: Pick<AccountsClient, 'create' | 'find'>;
  readonly people: People;
  readonly pushes: Pushes;
  readonly codes: CodeSender;
  readonly queue: Queue;
  readonly clock: Clock;
}

const taken = () => new InvalidInput([{ field: 'email', tag: 'taken', message: 'email is registered already' }]);

/**
 * A new user with a first store. The user is made at store-auth, the store here; the row that says so is there first, so that
 * `registration.resume` finishes what a crash interrupted: one user, one store. The password is kept nowhere here.
 */
export class RegistrationService {
  constructor(private readonly parts: RegistrationParts) {}

  async register(body: RegisterBody): Promise<Registered> {
    const { email, password, name: nama, phone, locale, timezone = ZONE, store_name } = body;
    knownZone(timezone);
    const begun = await this.begin(email, { store_name, timezone });
    const { user_id, store_id, wanted } = begun;
    const store = { store_id, nama: wanted.store_name };
    const account = await this.parts.accounts.create({
      user_id,
      email,
      password,
      nama,
      phone,
      locale,
      timezone,
      store,
    });
    if (!account) throw taken();
    await this.finish(begun.id, account);
    return this.registered(begun, account);
  }

  /** The job: what became of a registration whose request did not come to its end. */
  async resume(id: string): Promise<void> {
    const { database, accounts } = this.parts;
    const [row] = await database.query<Begun>('SELECT user_id FROM registration WHERE id = $1', [id]);
    const account = row && (await accounts.find(row.user_id));
    if (account) return this.finish(id, account);
    await database.tx((tx) => this.end(tx, id, 'dropped'));
  }

  private begin(email: string, wanted: Begun['wanted']): Promise<Begun> {
    const { database, queue, clock } = this.parts;
    const now = clock.now();
    return database.tx(async (tx) => {
      const values = [uuidv7(), uuidv7(), uuidv7(), email, JSON.stringify(wanted), now];
      const [begun] = await tx.query<Begun>(BEGIN, values);
      if (!begun) throw new Error('a registration was not begun');
      const later = { key: `registration:${begun.id}`, afterSeconds: RESUME_AFTER_SECONDS };
      await queue.enqueue(tx, 'registration.resume', { id: begun.id }, later);
      return begun;
    });
  }

  /** Once, whoever comes first: the request or the job. */
  private finish(id: string, account: Account): Promise<void> {
    const { database, people, pushes, codes, clock } = this.parts;
    const now = clock.now();
    return database.tx(async (tx) => {
      const [row] = await tx.query<Begun & { state: string }>(LOCKED, [id]);
      if (row?.state !== 'begun') return;
      const { store_name: name, timezone } = row.wanted;
      await createStore(tx, { storeId: row.store_id, name, timezone, ownerId: row.user_id, now });
      await pushes.store(tx, row.store_id);
      await pushes.member(tx, row.store_id, row.user_id, now);
      await people.remember(account, tx);
      await codes.request(account.email, 'verify_email', tx);
      await this.end(tx, id, 'done');
    });
  }

  private async end(tx: Transaction, id: string, state: 'done' | 'dropped'): Promise<void> {
    await tx.query(`${END} AND state = 'begun'`, [id, state, this.parts.clock.now()]);
  }

  private async registered({ store_id: id }: Begun, account: Account): Promise<Registered> {
    const [store] = await this.parts.database.query<Registered['store']>(
      'SELECT store_id AS id, name, slug, status FROM store WHERE store_id = $1',
      [id],
    );
    if (!store) throw taken();
    return { user: userView(account), store, verification: { channel: 'email', expires_in: VERIFY_SECONDS } };
  }
}
