import type { Database } from '@platform/data';
import { seeding, type Service } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import type { Config } from './config';
import { SCHEMA } from './data-source';
import { opsCommand } from './features/automation/push-contacts.command';
import { seed } from './features/seed/seed.command';

/** What an operator or the demo asks of the service beside serving. */
export const composeCommands = (config: Config, sql: Database): NonNullable<Service['commands']> => ({
  seed: seeding(seed(sql)),
  ops: opsCommand({ sql, queue: openJobQueue(`${SCHEMA}_jobs`), isTold: Boolean(config.COMMERCE_URL) }),
});
