import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';

/** What is kept here of a user of store-auth. */
export interface Person {
  readonly user_id: string;
  readonly nama: string;
  readonly email: string;
  readonly phone: string | null;
}

const REMEMBER = `
  INSERT INTO person AS p (user_id, name, email, phone, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
  ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, email = excluded.email, phone = excluded.phone,
    updated_at = excluded.updated_at
  WHERE (p.name, p.email, p.phone) IS DISTINCT FROM (excluded.name, excluded.email, excluded.phone)`;

/** The read copy of users: names for lists and the audit log, which must not ask store-auth for each. */
export class People {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Refreshes the copy; part of a transaction when one is given. */
  async remember({ user_id: id, nama, email, phone }: Person, sql: Sql = this.sql): Promise<void> {
    await sql.prepared('people.remember', REMEMBER, [id, nama, email, phone, this.clock.now()]);
  }
}
