import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Line = readonly [table: string, id: string, row: unknown];

const PRIVATE = { mode: 0o600 };

const parsed = (line: string): Line[] => {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return []; // the last line of a process that was killed while it wrote
  }
};

/**
 * Rows by table and id, in a file of one line a change: what `put` returned from is there after a `kill -9`. Without a file they end with the
 * process.
 */
export class Journal {
  private readonly tables = new Map<string, Map<string, unknown>>();

  constructor(private readonly file?: string) {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const [table, id, row] of text.split('\n').flatMap(parsed)) this.table(table).set(id, row);
    const lines = [...this.tables].flatMap(([table, rows]) => [...rows].map(([id, row]) => lineOf(table, id, row)));
    // Renamed into place: whoever is killed here leaves the old file or the new one
    writeFileSync(`${file}.new`, lines.join(''), PRIVATE);
    renameSync(`${file}.new`, file);
  }

  get<Row>(table: string, id: string): Row | undefined {
    return this.table(table).get(id) as Row | undefined;
  }

  /** In the order in which they came. */
  all<Row>(table: string): Row[] {
    return [...this.table(table).values()] as Row[];
  }

  put<Row>(table: string, id: string, row: Row): Row {
    if (this.file !== undefined) appendFileSync(this.file, lineOf(table, id, row), PRIVATE);
    this.table(table).set(id, row);
    return row;
  }

  private table(name: string): Map<string, unknown> {
    const rows = this.tables.get(name) ?? new Map<string, unknown>();
    this.tables.set(name, rows);
    return rows;
  }
}

const lineOf = (...line: Line): string => `${JSON.stringify(line)}\n`;
