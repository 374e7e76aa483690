import { ForwardMigration } from '@platform/data';
import { GLOBAL_SYNONYMS } from './global-synonyms';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const rows = GLOBAL_SYNONYMS.map(([word, expand]) => `('', ${quoted(word)}, ${quoted(expand)})`);

/**
 * Design 3.9: the copy of commerce's products that is searched. `tsv` is made by two dictionaries, because `indonesian` stems
 * pengiriman and kirim to different words; without the explicit regconfig the expression would not be immutable.
 */
export class CreateCatalogue1763904000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE bot_catalogue (
       store_id text NOT NULL,
       sku text NOT NULL,
       product_id text NOT NULL,
       variant_id text NOT NULL,
       name text NOT NULL,
       category text NOT NULL,
       body text NOT NULL,
       image text,
       url text,
       updated_at timestamptz NOT NULL,
       tsv tsvector GENERATED ALWAYS AS (
         setweight(to_tsvector('indonesian'::regconfig, name), 'A') || setweight(to_tsvector('simple'::regconfig, name), 'A') ||
         setweight(to_tsvector('indonesian'::regconfig, category), 'B') || setweight(to_tsvector('simple'::regconfig, category), 'B') ||
         setweight(to_tsvector('indonesian'::regconfig, body), 'D') || setweight(to_tsvector('simple'::regconfig, body), 'D')) STORED,
       PRIMARY KEY (store_id, sku))`,
    // With the store in it: a tenant-blind one took 178 ms where this takes 1 to 4 (design 3.9). Without a pending list, which every
    // search after a copy would read, and for which the planner would avoid the index
    `CREATE INDEX bot_catalogue_words ON bot_catalogue USING gin (store_id, tsv) WITH (fastupdate = off)`,
    `CREATE TABLE bot_vocab (
       store_id text NOT NULL,
       word text NOT NULL,
       PRIMARY KEY (store_id, word))`,
    `CREATE INDEX bot_vocab_similar ON bot_vocab USING gin (store_id, word gin_trgm_ops) WITH (fastupdate = off)`,
    // The store '' stands for all of them
    `CREATE TABLE bot_synonyms (
       store_id text NOT NULL,
       word text NOT NULL,
       expand text NOT NULL,
       PRIMARY KEY (store_id, word, expand))`,
    `INSERT INTO bot_synonyms (store_id, word, expand) VALUES ${rows.join(', ')}`,
    // How far the copy of a store is. Rows appear with its first use
    `CREATE TABLE bot_catalogue_copies (
       store_id text NOT NULL,
       watermark timestamptz,
       copied_at timestamptz,
       used_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id))`,
    `CREATE INDEX bot_catalogue_copies_used ON bot_catalogue_copies (used_at)`,
  ];
}
