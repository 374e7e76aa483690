import { seeding } from '@platform/http';
import type { Area } from '../../area';
import { seedCommand, type SeedParts } from './seed/seed.command';

/** The shop to try everything with. */
export const composeDemo = (parts: SeedParts): Area => ({
  endpoints: [],
  components: [],
  abilities: [],
  commands: { seed: seeding(seedCommand(parts)) },
});
