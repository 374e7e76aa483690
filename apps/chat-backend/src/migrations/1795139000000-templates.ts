import { ForwardMigration } from '@platform/data';

const TEMPLATES = `
  CREATE TABLE templates (
    store_id text NOT NULL, id text NOT NULL, nama text NOT NULL, type text NOT NULL DEFAULT 'chat', isi text NOT NULL DEFAULT '', media jsonb,
    aktif boolean NOT NULL DEFAULT true,
    PRIMARY KEY (store_id, id)
  );`;

/** Texts and files that a send can take from the store; commerce-api pushes them. */
export class Templates1795139000000 extends ForwardMigration {
  readonly steps = [TEMPLATES];
}
