/** Everything in which a letter is no SQL: comments, texts (with escapes too), dollar quotes, quoted names. In the server's order. */
const QUOTED =
  /--[^\n]*|\/\*|(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|(?<![\w$])\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"/g;

/** Where the comment ends that begins at `from`: comments of PostgreSQL nest. */
const endOfComment = (sql: string, from: number): number => {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  for (let depth = 0, found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
};

const replacementOf = (quoted: string): string => {
  if (quoted.startsWith('--') || quoted.startsWith('/*')) return ' ';
  return quoted.startsWith('"') ? quoted.slice(1, -1).replace(/\W/g, '_') : "''";
};

/** SQL with comments, texts and bodies of functions taken out, so that patterns see only what the server does. */
const bare = (sql: string): string => {
  let [text, at] = ['', 0];
  QUOTED.lastIndex = 0;
  for (let found = QUOTED.exec(sql); found; found = QUOTED.exec(sql)) {
    if (found[0] === '/*') QUOTED.lastIndex = endOfComment(sql, found.index);
    text += sql.slice(at, found.index) + replacementOf(found[0]);
    at = QUOTED.lastIndex;
  }
  return text + sql.slice(at);
};

/** The statements of a text, one line each. */
export const statementsOf = (sql: string): string[] =>
  bare(sql)
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');

/** Parts between commas that stand in no parentheses or brackets: the actions of an ALTER TABLE. */
export const partsOf = (text: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of text) {
    if ('(['.includes(letter)) depth += 1;
    if (')]'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return [...parts, part.trim()];
};
