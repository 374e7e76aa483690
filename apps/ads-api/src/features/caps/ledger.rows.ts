import { bigintNumber, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Minor } from '../money/public';
import type { LedgerKind } from './caps.types';
import type { AccountKey } from './operation.rows';

export interface LedgerEntry {
  readonly kind: LedgerKind;
  readonly delta: Minor;
  readonly before: Minor;
  readonly operationId?: string;
  readonly batchId?: string | null;
  readonly actor: string;
}

/** Where the ledger of an account stands. */
export interface Head {
  readonly cap: Minor;
  /** What late writes took away and no repair has given back yet. */
  readonly owed: Minor;
  /** The last entry lowered the cap: spend beyond it is worth a note. */
  readonly wasLowered: boolean;
}

/**
 * The last entry of account $2 of application $1, found in an index alone: by the ledger's own order, whatever other accounts had booked since was read
 * where this one has many entries and the last is old.
 */
export const LAST = `application_id = $1 AND account_id = $2 AND seq = (
    SELECT last.seq FROM cap_ledger last WHERE last.application_id = $1 AND last.account_id = $2 ORDER BY last.seq DESC LIMIT 1)`;

const HEAD = `
  SELECT cap_after, delta < 0 AND kind IN ('withdraw', 'refund', 'set', 'transfer_out') AS was_lowered,
    (SELECT -coalesce(sum(late.delta), 0) FROM cap_ledger late
     WHERE late.application_id = $1 AND late.account_id = $2 AND late.kind = 'late_write' AND late.seq > coalesce((
       SELECT max(seq) FROM cap_ledger r WHERE r.application_id = $1 AND r.account_id = $2 AND r.kind = 'repair'), 0)) AS owed
  FROM cap_ledger WHERE ${LAST}`;

/** In the order given: a row's place in the ledger is its number. */
const APPEND = `
  INSERT INTO cap_ledger (id, kind, delta, cap_before, cap_after, operation_id, batch_id, actor, application_id, account_id, fence, created_at)
  SELECT e.id, e.kind, e.delta, e.before, e.before + e.delta, e.operation_id, e.batch_id, e.actor, $8, $9, $10, $11
  FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::uuid[], $6::uuid[], $7::text[])
    WITH ORDINALITY AS e (id, kind, delta, before, operation_id, batch_id, actor, place)
  ORDER BY e.place`;

type HeadRow = { readonly cap_after: string; readonly was_lowered: boolean; readonly owed: string };

/** The table `cap_ledger`: append-only, written only by the holder of the account. */
export const ledgerRows = {
  /** Undefined: the account has no ledger yet. */
  head: async (sql: Sql, { applicationId, accountId }: AccountKey): Promise<Head | undefined> => {
    const [row] = await sql.prepared<HeadRow>('caps.head', HEAD, [applicationId, accountId]);
    if (!row) return undefined;
    return { cap: bigintNumber.from(row.cap_after), owed: bigintNumber.from(row.owed), wasLowered: row.was_lowered };
  },

  /** The ids of the entries. */
  append: async (
    tx: Sql,
    { applicationId, accountId }: AccountKey,
    entries: readonly LedgerEntry[],
    { fence, now }: { readonly fence: string; readonly now: Date },
  ): Promise<string[]> => {
    if (entries.length === 0) return [];
    const ids = entries.map(() => uuidv7());
    const columns = [
      ids,
      entries.map(({ kind }) => kind),
      entries.map(({ delta }) => delta),
      entries.map(({ before }) => before),
      entries.map(({ operationId }) => operationId ?? null),
      entries.map(({ batchId }) => batchId ?? null),
      entries.map(({ actor }) => actor),
    ];
    await tx.prepared('caps.append', APPEND, [...columns, applicationId, accountId, fence, now]);
    return ids;
  },
};
