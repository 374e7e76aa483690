import { List, Nested, Text, Texts } from '@platform/validation';

class SeedStore {
  @Text({ max: 36 }) store_id!: string;
  @Text({ max: 200 }) nama!: string;
}

export class SeedUser {
  @Text({ format: 'uuid' }) user_id!: string;
  @Text({ max: 254, format: 'email' }) email!: string;
  @Text({ optional: true, min: 8, max: 128, description: 'SEED_PASSWORD when left out, else a random one' })
  password?: string;
  @Text({ max: 200 }) nama!: string;
  @Texts({ optional: true, max: 50, maxLength: 36 }) teams?: string[];
}

/** The parts of the demo shop that this service uses. */
export class SeedShop {
  @Nested(() => SeedStore) store!: SeedStore;
  @Nested(() => SeedUser) owner!: SeedUser;
  @List(() => SeedUser, { max: 100 }) agents!: SeedUser[];
}
