import type { MigrationClass } from '@platform/data';
import { Inbox1795132800000 } from './migrations/1795132800000-inbox';

export const SCHEMA = 'chat_backend';
export const migrations: MigrationClass[] = [Inbox1795132800000];
