import { secretBox } from '@platform/auth';
import { seeding } from '@platform/http';
import type { Area } from '../../area';
import type { Config } from '../../config';
import { seedCommand, type SeedParts } from './seed/seed.command';

/** The shop to try everything with. */
export const composeDemo = ({ SHOP_SECRETS_KEY }: Config, parts: Omit<SeedParts, 'box'>): Area => ({
  endpoints: [],
  components: [],
  abilities: [],
  commands: {
    seed: seeding(seedCommand({ ...parts, box: secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }) })),
  },
});
