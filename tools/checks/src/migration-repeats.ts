import { partsOf } from './migration-text';

const SAME_AGAIN =
  /^(CREATE OR REPLACE\b|CREATE (UNLOGGED )?\w+ IF NOT EXISTS\b|CREATE (UNIQUE )?INDEX\b|DROP [A-Z ]+? IF EXISTS\b|INSERT\b.*\bON CONFLICT\b|COMMENT\b|GRANT\b|ANALYZE\b|ALTER TYPE \w+ ADD VALUE IF NOT EXISTS\b)/i;
const SAME_ACTION =
  /^(ADD (COLUMN )?IF NOT EXISTS|DROP (COLUMN |CONSTRAINT )?IF EXISTS|ALTER|VALIDATE|SET|RESET|REPLICA|CLUSTER|ENABLE|DISABLE)\b/i;

/** Whether the statement does nothing new when it comes again: nothing undoes what a try outside a transaction has done. */
const isSameAgain = (statement: string): boolean => {
  const [, actions] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?[\w.]+ (.*)$/i.exec(statement) ?? [];
  return actions === undefined
    ? SAME_AGAIN.test(statement)
    : partsOf(actions).every((action) => SAME_ACTION.test(action));
};

/** What is wrong with a step outside a transaction, whose statements share the locks of one try and may come again. */
export const stepFault = (statements: readonly string[]): string | undefined => {
  if (statements.length > 1)
    return 'the statements of one step are one transaction, and the locks of the first are held to its end: a step each';
  const [statement = ''] = statements;
  if (/\bVALIDATE CONSTRAINT\b/i.test(statement) && partsOf(statement).length > 1)
    return 'all rows are read under the lock of the actions beside it: VALIDATE in a step of its own';
  return isSameAgain(statement)
    ? undefined
    : 'a second try would fail at what the first has done, or do it twice: IF [NOT] EXISTS, OR REPLACE, ON CONFLICT, or a migration with a transaction';
};
