import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { sweptWhenHidden } from '../../media/uploads/public';
import { signedOutElsewhere, signedOutOf } from '../../notifications/pushes/public';
import type { Pushes } from './pushes';

/** What is kept here of a user of store-auth. */
export interface Person {
  readonly user_id: string;
  readonly nama: string;
  readonly email: string;
  readonly phone: string | null;
  readonly phone_verified: boolean;
}

const REMEMBER = `
  INSERT INTO person AS p (user_id, name, email, phone, phone_verified, created_at, updated_at) VALUES ($1, $2, $3, $4, $6, $5, $5)
  ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, email = excluded.email, phone = excluded.phone,
    phone_verified = excluded.phone_verified, updated_at = excluded.updated_at
  WHERE (p.name, p.email, p.phone, p.phone_verified)
    IS DISTINCT FROM (excluded.name, excluded.email, excluded.phone, excluded.phone_verified) RETURNING p.user_id`;

/** A picture in the media of a store. */
interface Avatar {
  readonly storeId: string;
  readonly id: string;
  readonly url: string;
}

const AVATAR = 'SELECT avatar_url FROM person WHERE user_id = $1';
/** The picture before is shown once less, the new one once more; locked, so that of two at once the later one stays. */
const BEFORE = 'SELECT avatar_store_id AS "storeId", avatar_media_id AS id FROM person WHERE user_id = $1 FOR UPDATE';
const SHOWN = 'UPDATE media SET refs = refs + 1 WHERE store_id = $1 AND id = $2';
const HIDDEN = `UPDATE media SET refs = refs - 1, sweep_after = ${sweptWhenHidden('$3')} WHERE store_id = $1 AND id = $2`;
const PORTRAY = `UPDATE person SET avatar_store_id = $2, avatar_media_id = $3, avatar_url = $4, updated_at = $5 WHERE user_id = $1`;

/** The read copy of users: names for lists and the audit log, which must not ask store-auth for each. */
export class People {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pushes: Pick<Pushes, 'person'>,
  ) {}

  async avatarOf(userId: string): Promise<string | null> {
    const [row] = await this.database.prepared<{ avatar_url: string | null }>('people.avatar', AVATAR, [userId]);
    return row?.avatar_url ?? null;
  }

  /** Throws `NotFound` for a user of whom there is no copy here. */
  portray(userId: string, { storeId, id, url }: Avatar): Promise<void> {
    return this.database.tx(async (tx) => {
      const [before] = await tx.query<{ storeId: string | null; id: string | null }>(BEFORE, [userId]);
      if (!before) throw new NotFound('User not found');
      if (before.id !== null) await tx.query(HIDDEN, [before.storeId, before.id, this.clock.now()]);
      await tx.query(SHOWN, [storeId, id]);
      await tx.query(PORTRAY, [userId, storeId, id, url, this.clock.now()]);
    });
  }

  /** Refreshes the copy; part of a transaction when one is given. */
  async remember(person: Person, tx?: Sql): Promise<void> {
    if (!tx) return this.database.tx((own) => this.remember(person, own));
    const { user_id: id, nama, email, phone, phone_verified } = person;
    const values = [id, nama, email, phone, this.clock.now(), phone_verified];
    if ((await tx.prepared('people.remember', REMEMBER, values)).length > 0) await this.pushes.person(tx, id);
  }

  /** Who signs out is told nothing there any more: of a login, or of a browser that is known by its id. */
  signedOut(left: Parameters<typeof signedOutOf>[1]): Promise<void> {
    return signedOutOf(this.database, left);
  }

  /** All other logins of the user have ended. */
  signedOutElsewhere(userId: string, sid: string | undefined): Promise<void> {
    return signedOutElsewhere(this.database, userId, sid);
  }
}
