import { ForwardMigration, portions, type Contract, type MigrationClass, type Portions } from '@platform/data';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BASE_LINE } from './migration-baseline';
import { faultsOf, madeTable, nothingKnown, type Known } from './migration-rules';
import { statementsOf } from './migration-text';
import { workspaceRoot } from './source-files';

const load = createRequire(__filename);
const APPS = readdirSync(join(workspaceRoot, 'apps'));
const LANDED = 37;

const timestampOf = ({ name }: MigrationClass): string => name.slice(-13);

const migrationsOf = (app: string): MigrationClass[] =>
  (load(join(workspaceRoot, 'apps', app, 'src/data-source')) as { migrations: MigrationClass[] }).migrations.toSorted(
    (one, other) => timestampOf(one).localeCompare(timestampOf(other)),
  );

/** Of a migration of the base line: its tables are known, its steps need keep no rule. */
const learn = ({ tables }: Known, { steps = [] }: Partial<ForwardMigration>): void => {
  for (const step of steps)
    for (const statement of typeof step === 'string' ? statementsOf(step) : []) {
      const table = madeTable(statement);
      if (table !== undefined) tables.add(table);
    }
};

/** What breaks the rules in migrations that come after those of the base line. */
const offending = (migrations: readonly MigrationClass[], landed: readonly string[]): string[] => {
  const known = nothingKnown();
  const names = migrations.map(({ name }) => name);
  return migrations.flatMap((migration, at) => {
    const made = new migration();
    if (landed.includes(migration.name)) {
      learn(known, made as Partial<ForwardMigration>);
      return [];
    }
    if (!(made instanceof ForwardMigration) || made.up !== ForwardMigration.prototype.up)
      return [`${migration.name}: its steps cannot be read: extend ForwardMigration and leave up() alone`];
    const suits = made.contract?.suits;
    const strange = suits !== undefined && !names.slice(0, at).includes(suits);
    return [
      ...(strange ? [`${migration.name}: ${suits} is no migration that came before it`] : []),
      ...faultsOf(made, known),
    ];
  });
};

describe('released migrations', () => {
  it.each(APPS)('of %s are compatible with the release before and do not keep its writers waiting', (app) => {
    expect(offending(migrationsOf(app), BASE_LINE[app] ?? [])).toEqual([]);
  });

  it('cannot be added to the base line, which names only existing ones', () => {
    const listed = Object.values(BASE_LINE).flat();
    const landed = APPS.flatMap((app) => migrationsOf(app).map(({ name }) => name));
    expect(listed.filter((name) => !landed.includes(name))).toEqual([]);
    expect(listed.length).toBeLessThanOrEqual(LANDED);
  });

  it('are refused when they rebuild the key and an index of a big table, as one of the base line did', () => {
    const [newest] = migrationsOf('chat-backend').filter(({ name }) => name.startsWith('NewestFirst'));
    const faults = offending(newest ? [newest] : [], []);
    expect(faults).toEqual([
      expect.stringContaining('DROP CONSTRAINT customers_pkey: it takes away'),
      expect.stringContaining('USING INDEX'),
      expect.stringContaining('DROP INDEX conversations_unread: it takes away'),
      expect.stringContaining('writers wait until it is built'),
    ]);
  });
});

interface Planted {
  readonly transaction?: boolean;
  readonly contract?: Contract;
}

const planted = (steps: readonly (string | Portions)[], { transaction, contract }: Planted = {}): ForwardMigration => {
  class Planted1899000000000 extends ForwardMigration {
    readonly transaction = transaction ?? true;
    override readonly contract = contract as Contract;
    readonly steps = steps;
  }
  return new Planted1899000000000();
};

const ALONE = { transaction: false };
const MARK: Portions = { table: 'messages', where: 'mark IS NULL', set: 'mark = 1' };
const CONTRACT = { contract: { suits: 'Before1898000000000' } };

describe('a step that removes what the release before uses is accepted only as a contract step', () => {
  it.each([
    'DROP TABLE messages',
    'DROP INDEX messages_wa_id',
    'DROP FUNCTION IF EXISTS outbox_claim(integer)',
    'DROP TYPE kind',
    'ALTER TABLE messages DROP COLUMN media',
    'ALTER TABLE messages DROP CONSTRAINT messages_pkey',
    'ALTER TABLE messages ALTER COLUMN media DROP DEFAULT',
    'ALTER TABLE messages RENAME COLUMN media TO files',
    'ALTER TABLE messages RENAME TO texts',
    'ALTER INDEX messages_wa_id RENAME TO messages_id',
    'ALTER TABLE messages SET SCHEMA attic',
    'alter table "messages"\n  add column a text, -- harmless\n  drop column b',
    "-- the shop's old words\nDROP TABLE messages; COMMENT ON TABLE stores IS 'it''s empty'",
    `COMMENT ON TABLE stores IS E'the shop\\'s'; DROP TABLE messages; COMMENT ON TABLE stores IS ''`,
    "/* nested /* comment */ isn't over */ DROP TABLE messages --'",
    'DROP TABLE "messages" -- $$ ; $$',
    'ALTER TABLE messages ADD CONSTRAINT there CHECK (mark IS NOT NULL) NOT VALID',
    'ALTER TABLE messages ADD CONSTRAINT here NOT NULL mark NOT VALID',
    'ALTER TABLE messages ADD CONSTRAINT ours FOREIGN KEY (store_id) REFERENCES stores NOT VALID',
    'CREATE TABLE marks (store_id text REFERENCES stores (store_id), at timestamptz)',
  ])('%s', (step) => {
    expect(faultsOf(planted([step]))).toEqual([expect.stringContaining('mark the migration as a contract step')]);
    expect(faultsOf(planted([step], CONTRACT))).toEqual([]);
  });

  it('a unique index beside writers, which rows of the release before may break', () => {
    const step = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS messages_mark ON messages (store_id, mark)';
    expect(faultsOf(planted([step], ALONE))).toEqual([
      expect.stringContaining('mark the migration as a contract step'),
    ]);
    expect(faultsOf(planted([step], { ...ALONE, ...CONTRACT }))).toEqual([]);
  });

  it('SET NOT NULL after its check was validated', () => {
    const known = nothingKnown();
    const check = 'ALTER TABLE messages ADD CONSTRAINT there CHECK (media IS NOT NULL) NOT VALID';
    expect(faultsOf(planted([check], CONTRACT), known)).toEqual([]);
    expect(faultsOf(planted(['ALTER TABLE messages VALIDATE CONSTRAINT there'], ALONE), known)).toEqual([]);
    const required = 'ALTER TABLE messages ALTER COLUMN media SET NOT NULL';
    expect(faultsOf(planted([required]), known)).toEqual([
      expect.stringContaining('mark the migration as a contract step'),
    ]);
    expect(faultsOf(planted([required], CONTRACT), known)).toEqual([]);
  });
});

describe('a step that keeps writers waiting is refused, even as a contract step', () => {
  it.each([
    ['ALTER TABLE messages ALTER COLUMN media SET NOT NULL', 'first a CHECK'],
    ['ALTER TABLE messages ADD CONSTRAINT long CHECK (length(pesan) < 9)', 'NOT VALID'],
    ['ALTER TABLE messages ADD FOREIGN KEY (a) REFERENCES b', 'NOT VALID'],
    ['ALTER TABLE messages ADD CONSTRAINT once UNIQUE (seq)', 'USING INDEX'],
    ['ALTER TABLE messages ADD PRIMARY KEY (seq)', 'USING INDEX'],
    ['CREATE INDEX messages_mark ON messages (mark)', 'CREATE INDEX CONCURRENTLY'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS messages_mark ON ONLY messages (mark)', 'CREATE INDEX CONCURRENTLY'],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_mark ON messages (mark)', '`transaction = false`'],
    ['ALTER TABLE messages ADD COLUMN id uuid DEFAULT gen_random_uuid()', 'volatile'],
    ['ALTER TABLE messages ADD id bigint NOT NULL DEFAULT nextval($$ids$$)', 'volatile'],
    ['ALTER TABLE messages ADD COLUMN at timestamptz DEFAULT clock_timestamp()', 'volatile'],
    ['ALTER TABLE messages ADD COLUMN id bigserial', 'generated'],
    ['ALTER TABLE messages ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY', 'generated'],
    ['ALTER TABLE messages ADD COLUMN words text GENERATED ALWAYS AS (lower(pesan)) STORED', 'generated'],
    ['ALTER TABLE messages ADD COLUMN mark int NOT NULL', 'without a default'],
    ['ALTER TABLE messages ADD COLUMN mark int UNIQUE', 'NOT VALID'],
    ['ALTER TABLE messages ADD COLUMN store text REFERENCES stores', 'NOT VALID'],
    ['ALTER TABLE messages ADD COLUMN mark int CHECK (mark > 0)', 'NOT VALID'],
    ['ALTER TABLE messages VALIDATE CONSTRAINT there', '`transaction = false`'],
    ['ALTER TABLE messages SET TABLESPACE fast', 'does not know'],
    ['ALTER TABLE messages SET UNLOGGED', 'does not know'],
    ['ALTER TABLE messages ALTER COLUMN seq TYPE bigint', 'written anew'],
    ['ALTER TABLE messages ALTER seq SET DATA TYPE bigint USING seq::bigint', 'written anew'],
    ['ALTER TABLE messages ADD COLUMN at int DEFAULT (NULL::int + random())', 'volatile'],
    ['ALTER TABLE messages ADD COLUMN words text GENERATED ALWAYS AS (virtual || pesan) STORED', 'generated'],
    ['ALTER TABLE messages OWNER TO admin', 'does not know'],
    ['CREATE DOMAIN positive AS int CHECK (VALUE > 0)', 'does not know'],
    ['SELECT fill_marks()', 'does not know'],
    ['CREATE TABLE late PARTITION OF messages DEFAULT', 'does not know'],
    ['INSERT INTO messages SELECT * FROM attic ON CONFLICT (id) DO UPDATE SET mark = 1', '`portions`'],
    ['INSERT INTO attic SELECT * FROM messages FOR UPDATE', '`portions`'],
    ['UPDATE messages SET mark = 1', '`portions`'],
    ['DELETE FROM messages WHERE mark = 1', '`portions`'],
    ['WITH gone AS (DELETE FROM messages RETURNING *) INSERT INTO attic SELECT * FROM gone', '`portions`'],
    ['TRUNCATE messages', 'does not know'],
    ['LOCK TABLE messages', 'does not know'],
    ['REINDEX TABLE messages', 'does not know'],
    ['CLUSTER messages', 'does not know'],
    ['SET lock_timeout = 0', 'does not know'],
    [`DO $do$ BEGIN EXECUTE 'DROP TABLE messages'; END $do$`, 'does not know'],
  ])('%s', (step, cure) => {
    expect(faultsOf(planted([step]))).toEqual([expect.stringContaining(cure)]);
    expect(faultsOf(planted([step], CONTRACT))).toEqual([expect.stringContaining(cure)]);
  });

  it('an index whose second try would fail on the first', () => {
    const step = 'CREATE INDEX CONCURRENTLY messages_mark ON messages (mark)';
    expect(faultsOf(planted([step], ALONE))).toEqual([expect.stringContaining('IF NOT EXISTS')]);
  });

  it.each([
    'ALTER TABLE messages ADD COLUMN mark smallint',
    'CREATE TABLE marks (at timestamptz)',
    'INSERT INTO stores VALUES (1)',
    'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    "ALTER TYPE kind ADD VALUE 'sticker'",
  ])('outside a transaction, a step that cannot come again: %s', (step) => {
    expect(faultsOf(planted([step], ALONE))).toEqual([expect.stringContaining('a second try would')]);
    expect(faultsOf(planted([step]))).toEqual([]);
  });

  it('outside a transaction, statements that share a step, or an action beside a validation, and so their locks', () => {
    const [first, then] = [
      'ALTER TABLE messages SET (fillfactor = 50)',
      'ALTER TABLE messages VALIDATE CONSTRAINT there',
    ];
    expect(faultsOf(planted([first, then], ALONE))).toEqual([]);
    expect(faultsOf(planted([`${first}; ${then}`], ALONE))).toEqual([expect.stringContaining('a step each')]);
    expect(faultsOf(planted([`${first}, VALIDATE CONSTRAINT there`], ALONE))).toEqual([
      expect.stringContaining('in a step of its own'),
    ]);
  });

  it('SET NOT NULL when its check is of another table, or was dropped again', () => {
    const check = (table: string) => `ALTER TABLE ${table} ADD CONSTRAINT there CHECK (media IS NOT NULL) NOT VALID`;
    const known = nothingKnown();
    faultsOf(planted([check('messages'), check('attic')], CONTRACT), known);
    faultsOf(planted(['ALTER TABLE attic VALIDATE CONSTRAINT there'], ALONE), known);
    const required = (table: string) =>
      faultsOf(planted([`ALTER TABLE ${table} ALTER media SET NOT NULL`], CONTRACT), known);
    expect(required('messages')).toEqual([expect.stringContaining('first a CHECK')]);
    expect(required('attic')).toEqual([]);
    faultsOf(planted(['ALTER TABLE attic DROP CONSTRAINT there'], CONTRACT), known);
    expect(required('attic')).toEqual([expect.stringContaining('first a CHECK')]);
  });

  it('a change of a table that it only seems to make', () => {
    const known = nothingKnown();
    faultsOf(planted(['CREATE TABLE messages (id uuid)']), known);
    const steps = ['CREATE TABLE IF NOT EXISTS messages (id uuid)', 'CREATE INDEX messages_id ON messages (id)'];
    expect(faultsOf(planted(steps), known)).toEqual([expect.stringContaining('CREATE INDEX CONCURRENTLY')]);
  });

  it.each([
    [{ ...MARK, table: 'messages m' }, 'its table is a name'],
    [{ ...MARK, table: '(SELECT * FROM messages) m' }, 'its table is a name'],
    [{ ...MARK, set: 'mark = 1; DROP TABLE attic' }, 'part of one statement'],
    [{ ...MARK, where: 'mark IS NULL); DROP TABLE attic; --' }, 'part of one statement'],
    [{ ...MARK, where: '' }, 'part of one statement'],
    [{ ...MARK, where: 'true' }, 'no last portion'],
    [{ ...MARK, where: `1 = 1 OR 'mark' IS NOT NULL -- mark` }, 'no last portion'],
    [{ ...MARK, where: 'EXISTS (SELECT FROM stores s WHERE s.id = store_id FOR UPDATE)' }, 'not its own'],
    [{ ...MARK, set: 'mark = (SELECT 1 FROM stores FOR NO KEY UPDATE)' }, 'not its own'],
  ])('portions that are never the last, or do more than change their own rows: %j', (change, cure) => {
    expect(faultsOf(planted([portions(change)], ALONE))).toContainEqual(expect.stringContaining(cure));
  });

  it('portions in one transaction', () => {
    expect(faultsOf(planted([portions(MARK)]))).toEqual([expect.stringContaining('every portion is to commit')]);
  });

  it('steps that are hidden in a method, and a contract that names nothing that came before', () => {
    class Hidden1899000000000 extends ForwardMigration {
      readonly steps = [];
      override up = () => Promise.resolve();
    }
    class Lost1899000000001 extends ForwardMigration {
      override readonly contract = { suits: 'Nothing1700000000000' };
      readonly steps = [];
    }
    class Alone1899000000002 extends ForwardMigration {
      override readonly contract = { suits: 'Alone1899000000002' };
      readonly steps = [];
    }
    expect(offending([Hidden1899000000000, Lost1899000000001, Alone1899000000002], [])).toEqual([
      'Hidden1899000000000: its steps cannot be read: extend ForwardMigration and leave up() alone',
      'Lost1899000000001: Nothing1700000000000 is no migration that came before it',
      'Alone1899000000002: Alone1899000000002 is no migration that came before it',
    ]);
    expect(offending([Hidden1899000000000], ['Hidden1899000000000'])).toEqual([]);
  });
});

describe('what suits both releases is taken', () => {
  it('in a transaction: new tables with all that is theirs, columns, functions', () => {
    const steps = [
      `CREATE TABLE marks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), at timestamptz NOT NULL);
       CREATE INDEX marks_at ON marks (at); ALTER TABLE marks ADD CONSTRAINT once UNIQUE (at); UPDATE marks SET at = now()`,
      'ALTER TABLE messages ADD COLUMN mark smallint, ADD COLUMN marks text[] NOT NULL DEFAULT $${}$$',
      `ALTER TABLE messages ADD COLUMN price numeric(10, 2) DEFAULT 0, ADD COLUMN at timestamptz NOT NULL DEFAULT now()`,
      "ALTER TABLE messages ADD COLUMN kinds text[] NOT NULL DEFAULT ARRAY['a', 'b']::text[] -- it's constant",
      'CREATE TABLE notes (store_id text REFERENCES stores (store_id) ON DELETE CASCADE, mark int REFERENCES marks (id))',
      'ALTER TABLE messages ALTER COLUMN mark SET DEFAULT 1, ALTER COLUMN mark DROP NOT NULL, ALTER mark SET STATISTICS 500',
      `CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $body$ BEGIN DROP TABLE x; END $body$`,
      `INSERT INTO marks SELECT '; DROP TABLE messages;' -- DROP TABLE messages`,
    ];
    expect(faultsOf(planted(steps))).toEqual([]);
  });

  it('outside a transaction: concurrent indexes, validation, updates in portions', () => {
    const steps = [
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_mark ON messages (store_id, mark) WHERE mark IS NOT NULL',
      'ALTER TABLE messages ADD COLUMN IF NOT EXISTS mark smallint',
      'INSERT INTO stores VALUES (1) ON CONFLICT DO NOTHING',
      portions(MARK),
      portions({ table: 'attic', where: `at < now() - interval '1 year'` }),
      portions({ table: 'attic', where: 'true' }),
      'ALTER TABLE messages VALIDATE CONSTRAINT there',
    ];
    expect(faultsOf(planted(steps, ALONE))).toEqual([]);
  });
});
