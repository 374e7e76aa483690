// Stack traces of a bundle name the files and lines that people wrote. A source map would cost a hundred megabytes and a
// fifth of a second at the first error; this reads a few records of an index from the disk instead, and only for a stack
// that somebody looks at.
import { openSync, readFileSync, readSync } from 'node:fs';

/**
 * `app.lines`: the number of records, the records in the order of the bundle's positions, then the names of the sources as
 * JSON. A record is four unsigned numbers of 32 bits, little endian: line and column in the bundle (from 1), source, line in it.
 */
export const RECORD_BYTES = 16;
export const COUNT_BYTES = 4;

type Find = (line: number, column: number) => string | undefined;

const openIndex = (path: string): Find => {
  const file = openSync(path, 'r');
  const record = Buffer.alloc(RECORD_BYTES);
  readSync(file, record, 0, COUNT_BYTES, 0);
  const count = record.readUInt32LE(0);
  const end = COUNT_BYTES + count * RECORD_BYTES;
  const sources = JSON.parse(readFileSync(path).toString('utf8', end)) as string[];
  const isBehind = (index: number, line: number, column: number): boolean => {
    readSync(file, record, 0, RECORD_BYTES, COUNT_BYTES + index * RECORD_BYTES);
    const at = record.readUInt32LE(0);
    return at > line || (at === line && record.readUInt32LE(4) > column);
  };
  return (line, column) => {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBehind(middle, line, column)) high = middle;
      else low = middle + 1;
    }
    if (low === 0 || isBehind(low - 1, line, column) || record.readUInt32LE(0) !== line) return undefined;
    return `${sources[record.readUInt32LE(8)]}:${record.readUInt32LE(12)}`;
  };
};

/** Caches positions, because the same errors recur. */
const REMEMBERED = 2_000;

const remembering = (find: Find): Find => {
  const known = new Map<string, string | undefined>();
  return (line, column) => {
    const key = `${line}:${column}`;
    if (known.has(key)) return known.get(key);
    if (known.size >= REMEMBERED) known.clear();
    const found = find(line, column);
    known.set(key, found);
    return found;
  };
};

const headOf = (error: unknown): string => {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
};

/** From now on stacks name the source and the line of each position in the file `code`, as the index in `lines` has it. */
export const readableStacks = (code: string, lines: string): void => {
  let find: Find | undefined;
  const readable = (frame: string): string => {
    const start = frame.indexOf(`${code}:`);
    if (start < 0) return frame;
    const [position = '', line, column] = /^:(\d+):(\d+)/.exec(frame.slice(start + code.length)) ?? [];
    try {
      find ??= remembering(openIndex(lines));
      const source = find(Number(line), Number(column));
      return source ? frame.replace(`${code}${position}`, source) : frame;
    } catch {
      return frame; // an error must be reported even when its lines cannot be found
    }
  };
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${readable(String(frame))}`)].join('\n');
};
