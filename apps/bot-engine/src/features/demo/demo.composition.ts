import { seeding } from '@platform/http';
import type { Area } from '../../area';
import { localStores } from '../stores/public';
import { seedDemo, type SeedDeps } from './seed';

/** The command that fills our tables for the demo. */
export const composeDemo = (parts: Omit<SeedDeps, 'stores'>): Area => ({
  commands: { seed: seeding(seedDemo({ ...parts, stores: localStores(parts.database) })) },
});
