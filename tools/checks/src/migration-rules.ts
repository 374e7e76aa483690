import { isAlone, type ForwardMigration } from '@platform/data';
import { partsOf, statementsOf } from './migration-text';

/** What the rules know about the schema, collected in the order of the migrations. */
export interface Known {
  /** Tables that the migration itself creates, which nothing uses yet. */
  readonly own: Set<string>;
  /** Columns with a CHECK (... IS NOT NULL), as `table column`, by the constraint's name. */
  readonly checked: Map<string, string>;
  /** Those whose constraint was validated. */
  readonly validated: Set<string>;
}

export const nothingKnown = (): Known => ({ own: new Set(), checked: new Map(), validated: new Set() });

interface Context extends Known {
  readonly inTransaction: boolean;
  readonly isContract: boolean;
}

const MARK = 'it takes away what the release before uses: mark the migration as a contract step';

/** Functions with one value for all rows of a statement, so that existing rows are not rewritten. */
const STEADY =
  /\b(now|current_date|current_timestamp|localtimestamp|transaction_timestamp|statement_timestamp|current_setting)\b(\(\s*''?\s*\))?/gi;
const isVolatile = (expression: string): boolean => /\w\s*\(/.test(expression.replaceAll(STEADY, ''));

const TYPE_NAME = /^\s*(IF NOT EXISTS )?\w+ [\w.]+(\[\])?(\(\d+(, ?\d+)?\))?(\[\])?/i;

const addedColumn = (definition: string): string | undefined => {
  const rest = definition.replace(TYPE_NAME, '');
  const fallback = /\bDEFAULT\b(.*?)(?=\bNOT NULL\b|\bNULL\b|\bCHECK\b|\bREFERENCES\b|\bUNIQUE\b|$)/i.exec(rest)?.[1];
  if (/\b(small|big)?serial\b|\bGENERATED\b(?!.*\bVIRTUAL\b)/i.test(definition))
    return 'a generated column rewrites every row: add it empty and fill it in portions';
  if (fallback !== undefined && isVolatile(fallback))
    return 'a volatile default rewrites every row: add the column without, and fill it in portions';
  if (/\b(PRIMARY KEY|UNIQUE|REFERENCES|CHECK)\b/i.test(rest))
    return 'a constraint of a new column is checked while writers wait: add it later, NOT VALID';
  if (/\bNOT NULL\b/i.test(rest) && fallback === undefined)
    return 'NOT NULL without a default fails on existing rows, and for the release before';
  return undefined;
};

const addedConstraint = (action: string, { isContract }: Context): string | undefined => {
  if (/\bUSING INDEX\b/i.test(action)) return isContract ? undefined : MARK;
  if (/\b(PRIMARY KEY|UNIQUE|EXCLUDE)\b/i.test(action))
    return 'its index is built while writers wait: build it CONCURRENTLY, then ADD CONSTRAINT ... USING INDEX';
  return /\bNOT VALID$/i.test(action)
    ? undefined
    : 'all rows are checked while writers wait: add it NOT VALID, and VALIDATE it in a later step';
};

const required = (table: string, column: string, { isContract, validated }: Context): string | undefined => {
  if (!validated.has(`${table} ${column}`))
    return 'all rows are checked while writers wait: first a CHECK (... IS NOT NULL) NOT VALID, and VALIDATE it';
  return isContract ? undefined : MARK;
};

const QUICK =
  /^(ALTER (COLUMN )?\w+ (SET DEFAULT|SET STATISTICS|SET STORAGE|DROP NOT NULL)|SET \(|RESET \(|OWNER TO|ENABLE TRIGGER|REPLICA IDENTITY|CLUSTER ON|SET WITHOUT CLUSTER)/i;

/** What is wrong with one action on a table that the release before uses. */
const actionFault = (table: string, action: string, context: Context): string | undefined => {
  const { inTransaction, isContract, checked, validated } = context;
  if (
    /^(DROP|RENAME|ALTER (COLUMN )?\w+ (SET DATA )?TYPE|ALTER (COLUMN )?\w+ DROP (?!NOT NULL)|SET SCHEMA|DISABLE)\b/i.test(
      action,
    )
  )
    return isContract ? undefined : MARK;
  const [, column] = /^ALTER (?:COLUMN )?(\w+) SET NOT NULL$/i.exec(action) ?? [];
  if (column !== undefined) return required(table, column, context);
  const [, validating] = /^VALIDATE CONSTRAINT (\w+)$/i.exec(action) ?? [];
  if (validating !== undefined) {
    validated.add(checked.get(validating) ?? '');
    return inTransaction
      ? 'the locks of earlier steps are held while all rows are read: set `transaction = false`'
      : undefined;
  }
  const [, name, tested] = /^ADD CONSTRAINT (\w+) CHECK \(+\s*(\w+) IS NOT NULL\s*\)+ NOT VALID$/i.exec(action) ?? [];
  if (name !== undefined) checked.set(name, `${table} ${tested}`);
  if (/^ADD (CONSTRAINT|PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY|EXCLUDE)\b/i.test(action))
    return addedConstraint(action, context);
  const [, definition] = /^ADD (?:COLUMN )?(.*)$/i.exec(action) ?? [];
  if (definition !== undefined) return addedColumn(definition);
  return QUICK.test(action) ? undefined : 'this check does not know it';
};

const alteredTable = (statement: string, context: Context): string[] => {
  const [, table = '', actions = ''] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+) (.*)$/i.exec(statement) ?? [];
  if (context.own.has(table)) return [];
  return partsOf(actions).flatMap((action) => {
    const fault = actionFault(table, action, context);
    return fault === undefined ? [] : [`${action}: ${fault}`];
  });
};

const indexFault = (statement: string, { own, inTransaction }: Context): string | undefined => {
  const [, concurrently, fresh, table = ''] =
    /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?(?:\w+ )?ON (?:ONLY )?([\w.]+)/i.exec(statement) ?? [];
  if (own.has(table)) return undefined;
  if (!concurrently) return 'writers wait until it is built: CREATE INDEX CONCURRENTLY';
  if (!fresh) return 'a second try would fail on the index of the first: IF NOT EXISTS';
  return inTransaction ? 'it cannot run in a transaction: set `transaction = false`' : undefined;
};

const ADDS =
  /^(CREATE (OR REPLACE )?(FUNCTION|PROCEDURE|VIEW|TYPE|SEQUENCE|EXTENSION|TRIGGER|AGGREGATE|STATISTICS|DOMAIN|SCHEMA)|INSERT|COMMENT|GRANT|ANALYZE|SELECT|ALTER TYPE \w+ ADD VALUE|CREATE (UNLOGGED )?TABLE)\b/i;

/** What is wrong with one statement of a migration; empty when the release before works during and after it. */
const statementFaults = (statement: string, context: Context): string[] => {
  const [, made] = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([\w.]+)/i.exec(statement) ?? [];
  if (made !== undefined) context.own.add(made);
  if (/^ALTER TABLE\b/i.test(statement)) return alteredTable(statement, context);
  const fault = (text: string | undefined): string[] =>
    text === undefined ? [] : [`${statement.slice(0, 100)}: ${text}`];
  if (/^CREATE (UNIQUE )?INDEX\b/i.test(statement)) return fault(indexFault(statement, context));
  if (/^DROP\b|\bRENAME\b/i.test(statement)) return fault(context.isContract ? undefined : MARK);
  const [, changed = ''] = /^(?:UPDATE|DELETE FROM) (?:ONLY )?([\w.]+)/i.exec(statement) ?? [];
  if (/^(UPDATE|DELETE|WITH)\b/i.test(statement) && !context.own.has(changed))
    return fault('every row stays locked until the end: change them in `portions`');
  return fault(
    ADDS.test(statement) || context.own.has(changed) ? undefined : 'this check does not know it: write it out',
  );
};

/** Rows of a portion stay locked until it commits. */
const MOST_ROWS = 500;

const portionFaults = (statement: string, { inTransaction }: Context): string[] => {
  const faults = [
    ...(inTransaction ? ['every portion is to commit: set `transaction = false`'] : []),
    ...(Number(/\bLIMIT (\d+)\b/i.exec(statement)?.[1] ?? Infinity) <= MOST_ROWS
      ? []
      : [`a portion has a LIMIT, ${MOST_ROWS} at most`]),
  ];
  return faults.map((fault) => `${statement.slice(0, 100)}: ${fault}`);
};

/** What would break the release before or keep its writers waiting; `known` carries over from earlier migrations. */
export const faultsOf = (migration: ForwardMigration, known: Known = nothingKnown()): string[] => {
  const name = migration.constructor.name;
  const inTransaction = !isAlone(migration);
  const context = { ...known, own: new Set<string>(), inTransaction, isContract: migration.contract !== undefined };
  return migration.steps
    .flatMap((step) =>
      typeof step === 'string'
        ? statementsOf(step).flatMap((statement) => statementFaults(statement, context))
        : statementsOf(step.portions).flatMap((statement) => portionFaults(statement, context)),
    )
    .map((fault) => `${name}: ${fault}`);
};
