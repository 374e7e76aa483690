import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Transform } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { InvalidInput } from '@platform/errors';
import { withoutCsvGuards } from '@platform/http';
import { cut } from '@platform/runtime';

/** Characters of one row; the longest description is a fifth of it. */
const LONGEST_ROW = 100_000;
const MOST_ROWS = 50_000;
const HEAD_BYTES = 4_096;
/** Before the text of a file, read as Latin-1. */
const UTF8_MARK = /^\u00EF\u00BB\u00BF/;

/** The cells of one row by their column; `row` counts as a spreadsheet does, the header being 1. */
export interface CsvRow {
  readonly row: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** Why a file is none of ours; `importTexts` says each to people. */
type CsvRule = 'column' | 'nameless' | 'columnTwice' | 'longRow' | 'quote' | 'utf8' | 'manyRows' | 'empty';
const refused = (tag: CsvRule, text: string, about?: string): InvalidInput =>
  new InvalidInput([{ field: 'file', tag, message: `file ${text}`, about }]);

/** What most often stands between the names of the header. */
const delimiterOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const lines = buffer
      .toString('latin1', 0, bytesRead)
      .replace(UTF8_MARK, '')
      .split(/[\r\n]/);
    const head = lines.find((line) => /[^\s,;]/.test(line)) ?? '';
    const count = (mark: string): number => head.split(mark).length;
    return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  } finally {
    await file.close();
  }
};

/** Text of bytes; a file that is not UTF-8 ends it with a `TypeError`. A byte order mark goes. */
const decoding = (): Transform => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Buffer | undefined, done: (error: Error | null, text?: string) => void): void => {
    try {
      done(null, bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
    } catch (error) {
      done(error as Error);
    }
  };
  return new Transform({
    decodeStrings: true,
    transform: (bytes: Buffer, _, done) => decode(bytes, done),
    flush: (done) => decode(undefined, done),
  });
};

const isBlank = (record: readonly string[]): boolean => record.every((cell) => cell.trim() === '');

/** The names of the header; a spreadsheet leaves columns without one, which must have nothing in them. */
const columnsOf = (head: readonly string[], known: readonly string[]): string[] => {
  const names = head.map((name) => name.trim().toLowerCase());
  const strange = names.findIndex(
    (name, index) => name !== '' && (!known.includes(name) || names.indexOf(name) !== index),
  );
  if (strange < 0) return names;
  const about = cut(head[strange] ?? '', 40);
  const name = JSON.stringify(about);
  throw known.includes(names[strange] ?? '')
    ? refused('columnTwice', `has the column ${name} twice`, about)
    : refused('column', `has an unknown column ${name}`, about);
};

const cellsOf = (columns: readonly string[], record: readonly string[]): CsvRow['cells'] => {
  const nameless = columns.findIndex((name, at) => name === '' && (record[at] ?? '').trim() !== '') + 1;
  if (nameless > 0) throw refused('nameless', `has no name for column ${nameless}`, String(nameless));
  const cells = columns.map((name, at) => [name, withoutCsvGuards(record[at] ?? '')] as const);
  return Object.fromEntries(cells.filter(([name]) => name !== ''));
};

const failureOf = (error: unknown): unknown => {
  if (error instanceof CsvError) {
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      return refused('longRow', `has a row of more than ${LONGEST_ROW} characters`);
    const line = String(Number(error.lines));
    return refused('quote', `has a quote that does not fit in line ${line}`, line);
  }
  // Of the decoder alone: nothing else here throws it
  return error instanceof TypeError ? refused('utf8', 'is not UTF-8: save it as "CSV UTF-8"') : error;
};

/**
 * Streams the rows of a CSV file with a header: UTF-8, with commas, semicolons or tabs between the cells, any line ends. Empty rows are left out. Throws
 * `InvalidInput` for `file` when it is none, has a column that is not known, or too many rows.
 */
export const csvRows = async function* (
  path: string,
  known: readonly string[],
): AsyncGenerator<CsvRow, void, undefined> {
  const delimiter = await delimiterOf(path);
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: LONGEST_ROW });
  const records: AsyncIterable<string[]> = pipeline(createReadStream(path), decoding(), parser, () => undefined);
  let columns: string[] | undefined;
  let row = 0;
  try {
    for await (const record of records) {
      row += 1;
      if (!columns) columns = isBlank(record) ? undefined : columnsOf(record, known);
      else if (row > MOST_ROWS + 1) throw refused('manyRows', `has more than ${MOST_ROWS} rows`);
      else if (record.some((cell) => cell !== '')) yield { row, cells: cellsOf(columns, record) };
    }
  } catch (error) {
    throw failureOf(error);
  }
  if (!columns) throw refused('empty', 'is empty');
};
