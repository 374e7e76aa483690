import type { Sql } from '@platform/data';
import type { SealedColumn } from './sealed-columns';

export interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

export interface SealedCount {
  /** An empty box that only names its key. */
  readonly head: string;
  readonly count: number;
}

const PAGE = 500;

/** The stored sealed secrets. */
export class SealedRepository {
  constructor(private readonly sql: Sql) {}

  /** In order of their ids, those after `after`. */
  page({ table, id, column }: SealedColumn, after: string | undefined): Promise<SealedRow[]> {
    const further = after === undefined ? '' : `AND ${id} > $1`;
    return this.sql.query<SealedRow>(
      `SELECT ${id} AS id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ${further} ORDER BY ${id} LIMIT ${PAGE}`,
      after === undefined ? [] : [after],
    );
  }

  /** False when another secret was stored meanwhile. */
  async replace({ table, id, column }: SealedColumn, row: SealedRow, sealed: string): Promise<boolean> {
    const rows = await this.sql.query(
      `UPDATE ${table} SET ${column} = $3 WHERE ${id} = $1 AND ${column} = $2 RETURNING 1`,
      [row.id, row.sealed, sealed],
    );
    return rows.length > 0;
  }

  /** How many boxes each key has sealed. */
  counts({ table, column }: SealedColumn): Promise<SealedCount[]> {
    return this.sql.query<SealedCount>(
      `SELECT split_part(${column}, '.', 1) || '.' || split_part(${column}, '.', 2) || '.' AS head, count(*)::int AS count
       FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`,
    );
  }
}
