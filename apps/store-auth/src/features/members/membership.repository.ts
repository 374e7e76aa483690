import type { UserRole } from '@platform/contracts';
import type { Transaction } from '@platform/data';
import { Membership, Store, type StoredStatus, type StoreStatus } from '../accounts/public';

export interface MembershipValues {
  readonly role: UserRole;
  readonly teams: readonly string[];
  readonly status: StoredStatus;
  readonly updatedAt: Date;
}

/** Stores and their members. Every method is part of the caller's transaction. */
export class MembershipRepository {
  /** Creates the store when it is new, and locks it: changes to the team of one store run one after the other. */
  async holdStore(tx: Transaction, storeId: string, name = storeId): Promise<void> {
    await tx.query('INSERT INTO stores (store_id, nama) VALUES ($1, $2) ON CONFLICT DO NOTHING', [storeId, name]);
    await tx.query('SELECT 1 FROM stores WHERE store_id = $1 FOR UPDATE', [storeId]);
  }

  /** Call `holdStore` before. */
  async setStore(tx: Transaction, storeId: string, values: { name: string; status: StoreStatus }): Promise<void> {
    await tx.entities.update(Store, { storeId }, values);
  }

  find(tx: Transaction, storeId: string, userId: string): Promise<Membership | null> {
    return tx.entities.findOneBy(Membership, { storeId, userId });
  }

  /** Whether anybody else is an active owner. */
  async hasOwnerBeside(tx: Transaction, storeId: string, userId: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM memberships
       WHERE store_id = $1 AND user_id <> $2 AND role = 'owner' AND status = 'active' LIMIT 1`,
      [storeId, userId],
    );
    return rows.length > 0;
  }

  async put(tx: Transaction, storeId: string, userId: string, values: MembershipValues): Promise<void> {
    const row = { ...values, teams: [...values.teams], storeId, userId };
    await tx.entities.upsert(Membership, row, ['storeId', 'userId']);
  }
}
