import type { Sql } from '@platform/data';
import type { SystemRole } from '../../../roles';

/** A user of the demo shop; store-auth has the rest. */
export interface DemoMember {
  readonly user_id: string;
  readonly nama?: string;
  readonly email?: string;
  readonly teams?: readonly string[];
}

const SEED_PERSON = `
  INSERT INTO person (user_id, name, email, created_at, updated_at) VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING`;

const SEED_MEMBER = `
  INSERT INTO membership (store_id, user_id, system_role, chat_team_ids, created_at, updated_at)
  VALUES ($1, $2, $3, $5, $4, $4) ON CONFLICT DO NOTHING`;

/** Part of the `seed` command: the members of the demo shop, in the transaction that makes it. Existing ones stay as they are. */
export const seedMembers = async (
  tx: Sql,
  { storeId, now }: { readonly storeId: string; readonly now: Date },
  members: readonly (readonly [DemoMember, SystemRole])[],
): Promise<void> => {
  for (const [{ user_id: user, nama, email, teams = [] }, role] of members) {
    if (email !== undefined) await tx.query(SEED_PERSON, [user, nama ?? email, email, now]);
    await tx.query(SEED_MEMBER, [storeId, user, role, now, teams]);
  }
};
