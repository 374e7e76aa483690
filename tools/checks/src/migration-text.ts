/** SQL without comments, literals and function bodies, so that patterns match only statements that run. */
const bare = (sql: string): string =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/"(\w+)"/g, '$1');

/** The statements of a text, one line each. */
export const statementsOf = (sql: string): string[] =>
  bare(sql)
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');

/** The parts between top-level commas, such as the actions of an ALTER TABLE. */
export const partsOf = (text: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return [...parts, part.trim()];
};
