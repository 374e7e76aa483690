import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadConfig, type Settings } from '@platform/runtime';
import { passingSecrets } from '@platform/stack/secrets';
import { workspaceRoot } from '@platform/stack/workspace';
import { freeAddresses, ONCE, replicaPorts, settingsOf, TWICE } from './replica-settings';

const load = createRequire(__filename);
const DATABASE = { DATABASE_URL: 'postgres://service:secret@127.0.0.1:5432/platform' };

// A run of replicas takes minutes and is not part of the suite: what it leaves out of a new setting would be seen much later
it.each([...TWICE, ...ONCE])(
  '%s accepts the settings of production that a run of replicas gives it',
  async (service) => {
    const { settings } = load(join(workspaceRoot, 'apps', service, 'src/config')) as { settings: Settings };
    const around = {
      ...{ addresses: await freeAddresses(), secrets: passingSecrets(), folder: '/var/lib/replicas', pay: {} },
      merchant: '127.0.0.1:8080',
      databases: Object.fromEntries([...TWICE, ...ONCE].map((name) => [name, DATABASE])) as never,
    };
    const given = settingsOf(service, around, await replicaPorts(true));
    expect(loadConfig(settings, given)).toMatchObject({ ...DATABASE, PORT: Number(given.PORT) });
  },
);
