export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const recordsOf = (value: unknown): Json[] => arrayOf(value).filter(isRecord);

/** The rows of a tool result: the value itself when it is a list, else the first list of objects inside it. */
export const rowsOf = (value: unknown): Json[] => {
  if (Array.isArray(value)) return recordsOf(value);
  if (!isRecord(value)) return [];
  return recordsOf(Object.values(value).find((item) => Array.isArray(item) && item.some(isRecord)));
};

/** First of `keys` that holds a non-empty text or a number, as text. */
export const textAt = (row: Json, ...keys: string[]): string | undefined => {
  for (const key of keys) {
    const value = row[key];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
};

export const numberAt = (row: Json, ...keys: string[]): number | undefined => {
  for (const key of keys) {
    const value = row[key];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  }
  return undefined;
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Every complete JSON object in the text, in order. */
export const objectsIn = (text: string): Json[] => {
  const found: Json[] = [];
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    const end = endOfObject(text, start);
    const value = end === -1 ? undefined : parseJson(text.slice(start, end));
    if (!isRecord(value)) continue;
    found.push(value);
    start = end - 1;
  }
  return found;
};

const endOfObject = (text: string, start: number): number => {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}' && (depth -= 1) === 0) return at + 1;
  }
  return -1;
};
