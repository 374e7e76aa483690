import { Readable } from 'node:stream';
import { Binary } from './replies';

/** A number is written as it is, a Date as ISO 8601 in UTC, a boolean as `true` or `false`, null or undefined as an empty cell. */
export type Cell = string | number | bigint | boolean | Date | null | undefined;

/** Header of each column, in order, with the member of the row, or a function of the row, that fills it. */
export type Columns<Row> = readonly (readonly [
  header: string,
  value: { [K in keyof Row]-?: Row[K] extends Cell ? K : never }[keyof Row] | ((row: Row) => Cell),
])[];

/** The reply of an endpoint whose handler returns rows: an iterable or, from a database cursor, an async one. */
export class CsvReply<Row> {
  /** Names the row for the compiler; never set. */
  declare readonly row?: Row;
  readonly mimetype = 'text/csv; charset=utf-8; header=present';
  constructor(
    readonly columns: Columns<Row>,
    /** File name of the download; `export.csv` by default. Letters, digits, `.`, `_` and `-`. */
    readonly filename = 'export.csv',
  ) {
    if (!/^[\w.-]+$/.test(filename))
      throw new Error(`The file name "${filename}" may hold letters, digits, ".", "_" and "-" only.`);
  }
}

/** A CSV reply with rows of any type. */
export type AnyCsv = Omit<CsvReply<unknown>, 'columns'> & { readonly columns: readonly unknown[] };

export const csv = <Row>(columns: Columns<Row>, options: { readonly filename?: string } = {}): CsvReply<Row> =>
  new CsvReply(columns, options.filename);

/** Characters of a chunk: large enough for few writes, small enough to hold while a slow reader catches up. */
const CHUNK = 32 * 1024;

/**
 * A spreadsheet runs a text that begins like this, even in full-width characters: https://owasp.org/www-community/attacks/CSV_Injection.
 * Where commas stand in numbers it cuts lines at semicolons, whatever is quoted between: there the parts of a text begin, too.
 */
const RUN = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s"]*)/g;
const GUARDS = /^'(?=[=+\-@\t\r\n＝＋－＠])|'(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s"]*')/g;

/** A text as it was before a CSV file was made of it here. */
export const withoutCsvGuards = (text: string): string => text.replace(GUARDS, '');

/** A number cannot be a formula, so a negative one stays a number; every text is guarded. */
const plain = (cell: Cell): string => {
  if (typeof cell === 'string') return cell.replace(RUN, "'");
  if (cell instanceof Date) return cell.toISOString();
  return cell === null || cell === undefined ? '' : String(cell);
};

/** RFC 4180: a cell with a quote, a comma or a line break is quoted, its own quotes doubled. */
const quoted = (cell: Cell): string => {
  const text = plain(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly Cell[]): string => `${cells.map(quoted).join(',')}\r\n`;

/**
 * The text of a CSV file (RFC 4180, header first, CRLF), in pieces of about 32 KB. A row is requested only when the piece
 * before was consumed; ending the iteration early ends that of the rows. What a spreadsheet would run as a formula,
 * a text cell or a part of one, is prefixed with `'`.
 */
export const csvText = async function* <Row>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<string, void> {
  const readers = columns.map(([, value]): ((row: Row) => Cell) =>
    typeof value === 'function' ? value : (row) => row[value] as Cell,
  );
  let piece = line(columns.map(([header]) => header));
  for await (const row of rows) {
    piece += line(readers.map((read) => read(row)));
    if (piece.length < CHUNK) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
};

/**
 * The answer that streams rows as a file. It resolves when the first piece is ready, so that rows that cannot be read at all
 * are a failure like any other; a later failure cuts the connection. A caller that goes away ends the rows.
 */
export const csvFile = async <Row>(
  { columns, mimetype, filename }: CsvReply<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<Binary> => {
  const text = csvText(columns, rows);
  const first = await text.next();
  const file = Readable.from(text);
  // Put back rather than yielded by a wrapping generator: one that is never started does not run its `finally`
  if (!first.done) file.unshift(first.value);
  return new Binary(file, mimetype, { 'Content-Disposition': `attachment; filename="${filename}"` });
};
