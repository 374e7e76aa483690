import type { Database, Transaction } from '@platform/data';
import { ApplicationEntity, ApplicationKeyEntity } from './application.entity';
import type { PublicKey } from './public-key';

export interface NewApplication {
  readonly id: string;
  readonly name: string;
  readonly key: PublicKey;
}

/** An application with the key it signs with now. */
export interface ListedApplication {
  readonly client_key: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly fingerprint: string | null;
  readonly created_at: string;
}

const insertKey = async (tx: Transaction, applicationId: string, key: PublicKey, now: Date): Promise<void> => {
  const keys = tx.entities.getRepository(ApplicationKeyEntity);
  const current = await keys.findOneBy({ applicationId, state: 'current' });
  if (current?.fingerprint === key.fingerprint) return;
  await keys.update({ applicationId, state: 'current' }, { state: 'revoked' });
  await keys.save({
    applicationId,
    fingerprint: key.fingerprint,
    spkiPem: key.key.export({ format: 'pem', type: 'spki' }).toString(),
    state: 'current',
    validUntil: null,
    createdAt: now,
  });
};

/** Who may make the handshake: the application registry, written by the command line alone. */
export class ApplicationsRepository {
  constructor(private readonly database: Database) {}

  /** Creates the application, or sets name and key of the one with this id; it is active afterwards. */
  async register({ id, name, key }: NewApplication, now: Date): Promise<void> {
    await this.database.tx(async (tx) => {
      const applications = tx.entities.getRepository(ApplicationEntity);
      const known = await applications.findOneBy({ id });
      await applications.save({ topupPolicy: 'trusted', createdAt: now, ...known, id, name, isActive: true });
      await insertKey(tx, id, key, now);
    });
  }

  async list(): Promise<ListedApplication[]> {
    const [applications, keys] = await Promise.all([
      this.database.entities.find(ApplicationEntity, { order: { createdAt: 'ASC', id: 'ASC' } }),
      this.database.entities.findBy(ApplicationKeyEntity, { state: 'current' }),
    ]);
    const fingerprints = new Map(keys.map((key) => [key.applicationId, key.fingerprint]));
    return applications.map(({ id, name, isActive, createdAt }) => ({
      client_key: id,
      name,
      is_active: isActive,
      fingerprint: fingerprints.get(id) ?? null,
      created_at: createdAt.toISOString(),
    }));
  }

  /** False when there is no such application. Its bearers stop working at once. */
  async disable(id: string): Promise<boolean> {
    const { affected } = await this.database.entities.update(ApplicationEntity, { id }, { isActive: false });
    return affected === 1;
  }
}
