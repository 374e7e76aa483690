import type { CopiedRows } from './chat.copies';

/** Rows of several tables as one kind; an id is in one of them. What names a row that is gone is the same for all. */
export const together = (first: CopiedRows, ...others: readonly CopiedRows[]): CopiedRows => ({
  standing: async (sql, storeId, rowIds) =>
    (await Promise.all([first, ...others].map((rows) => rows.standing(sql, storeId, rowIds)))).flat(),
  keys: (rowId) => first.keys(rowId),
});
