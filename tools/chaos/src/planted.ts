import { ForwardMigration, portions, type MigrationClass } from '@platform/data';
import type { ServiceName } from '@platform/stack/ports';

// A typical expand migration: a column, a backfill in portions, and an index built concurrently.

/** A new column without a default does not rewrite existing rows, so this takes no time. */
const addMark = (table: string): string => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS planted_mark smallint`;

export class PlantedMark1899000000000 extends ForwardMigration {
  readonly steps = [addMark('messages')];
}

/**
 * Backfills only the third of the rows that the shop sent, and builds the index afterwards: before, each update would write to
 * all indexes.
 */
export class PlantedMarks1899000000001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    portions({ table: 'messages', where: 'planted_mark IS NULL AND from_me', set: 'planted_mark = 1' }),
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_planted_mark ON messages (store_id, conversation_id, seq) WHERE planted_mark IS NOT NULL',
  ];
}

export class PlantedGatewayMark1899000000000 extends ForwardMigration {
  readonly steps = [addMark('message')];
}

export class PlantedGatewayMarks1899000000001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS message_planted_mark ON message (instance_id, planted_mark, seq)',
  ];
}

/** Rows that the planted release has left out. */
export const LEFT_OUT = 'SELECT count(*)::int AS rows FROM messages WHERE planted_mark IS NULL AND from_me';

export const PLANTED: Readonly<Partial<Record<ServiceName, readonly MigrationClass[]>>> = {
  'chat-backend': [PlantedMark1899000000000, PlantedMarks1899000000001],
  'wa-gateway': [PlantedGatewayMark1899000000000, PlantedGatewayMarks1899000000001],
};

/** The folder of this module, relative to the root of the workspace. */
export const PLANTING = 'tools/chaos/src';

type Sources = Readonly<Record<string, () => { readonly migrations: MigrationClass[] }>>;

/** Turns the services that are loaded afterwards into those of the next release. */
export const plant = (sources: Sources): void => {
  for (const [service, migrations] of Object.entries(PLANTED)) sources[service]?.().migrations.push(...migrations);
};
