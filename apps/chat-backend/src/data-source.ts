import type { MigrationClass } from '@platform/data';
import { Inbox1795132800000 } from './migrations/1795132800000-inbox';
import { Lifecycle1795133100000 } from './migrations/1795133100000-lifecycle';
import { SyncAutomationNotifications1795136400000 } from './migrations/1795136400000-sync-automation-notifications';
import { Templates1795139000000 } from './migrations/1795139000000-templates';

export const SCHEMA = 'chat_backend';
export const migrations: MigrationClass[] = [
  Inbox1795132800000,
  Lifecycle1795133100000,
  SyncAutomationNotifications1795136400000,
  Templates1795139000000,
];
