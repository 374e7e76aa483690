import { In, Not, type EntityManager } from 'typeorm';
import type { Database, Transaction } from '@platform/data';
import { SigningKeyEntity, type KeyState } from './signing-key.entity';

/** The stored key ring. */
export class SigningKeyRepository {
  constructor(private readonly database: Database) {}

  /** Every key that is not retired. */
  live(entities: EntityManager = this.database.entities): Promise<SigningKeyEntity[]> {
    return entities.findBy(SigningKeyEntity, { state: Not(In(['retired'])) });
  }

  /** Runs `work` on the live keys while no other replica does. */
  exclusively(work: (keys: SigningKeyEntity[], tx: Transaction) => Promise<void>): Promise<void> {
    return this.database.tx(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('store-auth signing keys', 0))`);
      await work(await this.live(tx.entities), tx);
    });
  }

  async insert(entities: EntityManager, key: SigningKeyEntity): Promise<void> {
    await entities.insert(SigningKeyEntity, key);
  }

  async move(entities: EntityManager, kid: string, state: KeyState, stateSince: Date): Promise<void> {
    const sealed = state === 'retired' ? { privateSealed: null } : {};
    await entities.update(SigningKeyEntity, { kid }, { state, stateSince, ...sealed });
  }
}
