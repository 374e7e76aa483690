import { isAlone, type ForwardMigration, type Portions } from '@platform/data';
import { stepFault } from './migration-repeats';
import { partsOf, statementsOf } from './migration-text';

/** What the rules know about the schema, collected in the order of the migrations. */
export interface Known {
  /** Tables that the migrations before have made. */
  readonly tables: Set<string>;
  /** Columns that a CHECK demands to be there, as `table column`, by the constraint's name and its table. */
  readonly checked: Map<string, string>;
  /** Those whose constraint was validated. */
  readonly validated: Set<string>;
}

export const nothingKnown = (): Known => ({ tables: new Set(), checked: new Map(), validated: new Set() });

interface Context extends Known {
  /** Tables that the migration itself makes: nobody uses them yet. */
  readonly own: Set<string>;
  readonly inTransaction: boolean;
  readonly isContract: boolean;
}

const MARK = 'it takes away what the release before uses: mark the migration as a contract step';

const NARROWS = 'the release before does not keep it: mark the migration as a contract step';

/** Their value is the same for all rows of a statement, so old rows need not be written. */
const STEADY =
  /\b(now|current_date|current_timestamp|localtimestamp|transaction_timestamp|statement_timestamp|current_setting)\b(\(\s*''?\s*\))?/gi;
const isVolatile = (expression: string): boolean => /\w\s*\(/.test(expression.replaceAll(STEADY, ''));

const TYPE_NAME = /^\s*(IF NOT EXISTS )?\w+ [\w.]+(\[\])?(\(\d+(, ?\d+)?\))?(\[\])?/i;

const addedColumn = (definition: string): string | undefined => {
  const rest = definition.replace(TYPE_NAME, '');
  const fallback = /\bDEFAULT\b(.*)$/i.exec(rest)?.[1];
  if (/\b(small|big)?serial\b|\bGENERATED\b(?!.*\) VIRTUAL\b)/i.test(definition))
    return 'a generated column writes every row anew: add it empty and fill it in portions';
  if (/\b(PRIMARY KEY|UNIQUE|REFERENCES|CHECK)\b/i.test(rest))
    return 'a constraint of a new column is checked while writers wait: add it later, NOT VALID';
  if (fallback !== undefined && isVolatile(fallback))
    return 'a volatile default writes every row anew: add the column without, and fill it in portions';
  if (/\bNOT NULL\b/i.test(rest) && fallback === undefined)
    return 'NOT NULL without a default fails on existing rows, and for the release before';
  return undefined;
};

const addedConstraint = (action: string, { isContract }: Context): string | undefined => {
  if (/\bUSING INDEX\b/i.test(action)) return isContract ? undefined : MARK;
  if (/\b(PRIMARY KEY|UNIQUE|EXCLUDE)\b/i.test(action))
    return 'its index is built while writers wait: build it CONCURRENTLY, then ADD CONSTRAINT ... USING INDEX';
  if (!/\bNOT VALID$/i.test(action))
    return 'all rows are checked while writers wait: add it NOT VALID, and VALIDATE it in a later step';
  return isContract ? undefined : NARROWS;
};

const required = (table: string, column: string, { isContract, validated }: Context): string | undefined => {
  if (!validated.has(`${table} ${column}`))
    return 'all rows are checked while writers wait: first a CHECK (... IS NOT NULL) NOT VALID, and VALIDATE it';
  return isContract ? undefined : MARK;
};

const QUICK =
  /^(ALTER (COLUMN )?\w+ (SET DEFAULT|SET STATISTICS|SET STORAGE|DROP NOT NULL)|SET \(|RESET \(|ENABLE TRIGGER|REPLICA IDENTITY|CLUSTER ON|SET WITHOUT CLUSTER)/i;

/** Notes which columns a CHECK demands to be there, and whether all rows were found to keep it. */
const remember = (table: string, action: string, { checked, validated }: Context): void => {
  const [, name, tested] = /^ADD CONSTRAINT (\w+) CHECK \(+\s*(\w+) IS NOT NULL\s*\)+ NOT VALID$/i.exec(action) ?? [];
  if (name !== undefined) checked.set(`${table} ${name}`, `${table} ${tested}`);
  const [, verb = '', constraint] = /^(VALIDATE|DROP) CONSTRAINT (?:IF EXISTS )?(\w+)/i.exec(action) ?? [];
  const column = checked.get(`${table} ${constraint}`);
  if (column === undefined) return;
  if (/^VALIDATE$/i.test(verb)) validated.add(column);
  else validated.delete(column);
};

/** What is wrong with one action on a table that the release before uses. */
const actionFault = (table: string, action: string, context: Context): string | undefined => {
  const { inTransaction, isContract } = context;
  remember(table, action, context);
  if (/^(DROP|RENAME|ALTER (COLUMN )?\w+ DROP (?!NOT NULL)|SET SCHEMA|DISABLE)\b/i.test(action))
    return isContract ? undefined : MARK;
  if (/^ALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(action))
    return 'every row and index is written anew while everybody waits: add another column, fill it in portions, drop this one later';
  const [, column] = /^ALTER (?:COLUMN )?(\w+) SET NOT NULL$/i.exec(action) ?? [];
  if (column !== undefined) return required(table, column, context);
  if (/^VALIDATE CONSTRAINT \w+$/i.test(action))
    return inTransaction
      ? 'the locks of earlier steps are held while all rows are read: set `transaction = false`'
      : undefined;
  if (/^ADD (CONSTRAINT|PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY|EXCLUDE)\b/i.test(action))
    return addedConstraint(action, context);
  const [, definition] = /^ADD (?:COLUMN )?(.*)$/i.exec(action) ?? [];
  if (definition !== undefined) return addedColumn(definition);
  return QUICK.test(action) ? undefined : 'this check does not know it';
};

const alteredTable = (statement: string, context: Context): string[] => {
  const [, table = '', actions = ''] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+) (.*)$/i.exec(statement) ?? [];
  if (context.own.has(table.toLowerCase())) return [];
  return partsOf(actions).flatMap((action) => {
    const fault = actionFault(table, action, context);
    return fault === undefined ? [] : [`${action}: ${fault}`];
  });
};

const indexFault = (statement: string, { own, inTransaction, isContract }: Context): string | undefined => {
  const [, unique, concurrently, fresh, table = ''] =
    /^CREATE (UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?(?:\w+ )?ON (?:ONLY )?([\w.]+)/i.exec(statement) ?? [];
  const isOwn = own.has(table.toLowerCase());
  if (!fresh && !(isOwn && inTransaction))
    return concurrently || isOwn
      ? 'a second try would find what the first has built: IF NOT EXISTS'
      : 'writers wait until it is built: CREATE INDEX CONCURRENTLY';
  if (isOwn) return undefined;
  if (!concurrently) return 'writers wait until it is built: CREATE INDEX CONCURRENTLY';
  if (inTransaction) return 'it cannot run in a transaction: set `transaction = false`';
  return unique && !isContract ? NARROWS : undefined;
};

const ADDS =
  /^(CREATE (OR REPLACE )?(FUNCTION|PROCEDURE|VIEW|TYPE|SEQUENCE|EXTENSION|(CONSTRAINT )?TRIGGER|AGGREGATE|STATISTICS|SCHEMA)|INSERT|COMMENT|GRANT|ANALYZE|ALTER TYPE \w+ ADD VALUE|CREATE (UNLOGGED )?TABLE)\b/i;

/** The table that a statement makes. */
export const madeTable = (statement: string): string | undefined =>
  /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([\w.]+)/i.exec(statement)?.[1]?.toLowerCase();

/** A new table whose rows forbid the release before to delete those of another. */
const tableFault = (statement: string, { own, isContract }: Context): string | undefined => {
  if (/\bPARTITION OF\b|\bINHERITS\b/i.test(statement)) return 'this check does not know it: write it out';
  const keys = [...statement.matchAll(/\bREFERENCES ([\w.]+)(?: ?\([^)]*\))?([^,]*)/gi)];
  const binds = keys.some(
    ([, table = '', rest = '']) =>
      !own.has(table.toLowerCase()) && !/\bON DELETE (CASCADE|SET NULL|SET DEFAULT)\b/i.test(rest),
  );
  return binds && !isContract ? NARROWS : undefined;
};

/** Writes rows that are there, or locks them, until the migration commits. */
const KEEPS_ROWS = /\bDO UPDATE\b|\bFOR (NO KEY )?(UPDATE|SHARE)\b|\b(UPDATE|DELETE FROM|MERGE INTO) \w/i;

/** What is wrong with one statement of a migration; empty when the release before works during and after it. */
const statementFaults = (statement: string, context: Context): string[] => {
  const made = madeTable(statement);
  if (made !== undefined && !context.tables.has(made)) context.own.add(made);
  if (/^ALTER TABLE\b/i.test(statement)) return alteredTable(statement, context);
  const fault = (text: string | undefined): string[] =>
    text === undefined ? [] : [`${statement.slice(0, 100)}: ${text}`];
  if (/^CREATE (UNIQUE )?INDEX\b/i.test(statement)) return fault(indexFault(statement, context));
  if (made !== undefined) return fault(tableFault(statement, context));
  if (/^(DROP|ALTER .*\bRENAME)\b/i.test(statement)) return fault(context.isContract ? undefined : MARK);
  const [, changed = ''] = /^(?:UPDATE|DELETE FROM|INSERT INTO) (?:ONLY )?([\w.]+)/i.exec(statement) ?? [];
  if (context.own.has(changed.toLowerCase())) return [];
  const writes = /^(UPDATE|DELETE|WITH)\b/i.test(statement);
  if (writes || (/^INSERT\b/i.test(statement) && KEEPS_ROWS.test(statement)))
    return fault('every row stays locked until the end: change them in `portions`');
  return fault(ADDS.test(statement) ? undefined : 'this check does not know it: write it out');
};

/** True of every row or of none, whatever was done to it. */
const CONSTANT = /^(\W|\d|\b(true|false|null|is|not|and|or)\b)*$/i;

/** The pieces are put together by the runner, which sees to the number of rows, their locks and the last portion. */
const portionFaults = ({ table, where, set }: Portions, { inTransaction }: Context): string[] => {
  const pieces = [table, where, ...(set === undefined ? [] : [set])].map((piece) => statementsOf(piece));
  const rules: [boolean, string][] = [
    [!inTransaction, 'every portion is to commit: set `transaction = false`'],
    [/^\w+$/.test(table), 'its table is a name, without an alias'],
    [pieces.every((statements) => statements.length === 1), 'each piece is part of one statement'],
    [!pieces.flat().some((piece) => KEEPS_ROWS.test(piece)), 'rows that are not its own stay locked as well'],
    [
      set === undefined || !CONSTANT.test(statementsOf(where).join()),
      'there is no last portion: where is to tell what is still to be done',
    ],
  ];
  return rules.flatMap(([isKept, fault]) => (isKept ? [] : [`portions of ${table.slice(0, 100)}: ${fault}`]));
};

const stepFaults = (statements: readonly string[], context: Context): string[] => {
  const faults = statements.flatMap((statement) => statementFaults(statement, context));
  const fault = faults.length > 0 || context.inTransaction ? undefined : stepFault(statements);
  return fault === undefined ? faults : [`${statements.join('; ').slice(0, 100)}: ${fault}`];
};

/** What would break the release before or keep its writers waiting; `known` carries over from earlier migrations. */
export const faultsOf = (migration: ForwardMigration, known: Known = nothingKnown()): string[] => {
  const name = migration.constructor.name;
  const inTransaction = !isAlone(migration);
  const context = { ...known, own: new Set<string>(), inTransaction, isContract: migration.contract !== undefined };
  const faults = migration.steps.flatMap((step) =>
    typeof step === 'string' ? stepFaults(statementsOf(step), context) : portionFaults(step, context),
  );
  for (const table of context.own) known.tables.add(table);
  return faults.map((fault) => `${name}: ${fault}`);
};
