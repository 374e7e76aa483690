import { bigintNumber, type Sql } from '@platform/data';
import type { LedgerKind } from '../caps/public';
import type { Minor } from '../money/public';

/** A row of `cap_ledger`, with the currency of its account. */
export interface LedgerRow {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly delta: Minor;
  readonly capBefore: Minor;
  readonly capAfter: Minor;
  readonly operationId: string | null;
  readonly actor: string;
  readonly currency: string;
  readonly createdAt: Date;
}

type Stored = Omit<LedgerRow, 'delta' | 'capBefore' | 'capAfter'> & {
  readonly delta: string;
  readonly capBefore: string;
  readonly capAfter: string;
};

export interface LedgerAsked {
  readonly accountId: string;
  readonly limit: number;
  readonly after: string | undefined;
}

/** Also of an account that the application gave up: its money stays on record. */
const CURRENCY = `
  SELECT currency FROM ad_accounts WHERE application_id = $1 AND account_id = $2
  ORDER BY deleted_at IS NULL DESC, deleted_at DESC LIMIT 1`;

/**
 * The position is that of a row of this application and account, so that a foreign one leads nowhere. Found in an index alone, as the last entry is
 * (`LAST`). For tests of its plan, too.
 */
export const ROWS = `
  SELECT l.id, l.kind, l.delta, l.cap_before AS "capBefore", l.cap_after AS "capAfter", l.operation_id AS "operationId", l.actor, $3 AS currency,
    l.created_at AS "createdAt"
  FROM (
    SELECT r.seq FROM cap_ledger r WHERE r.application_id = $1 AND r.account_id = $2 AND ($4::uuid IS NULL OR
      r.seq < (SELECT p.seq FROM cap_ledger p WHERE p.application_id = $1 AND p.account_id = $2 AND p.id = $4))
    ORDER BY r.seq DESC LIMIT $5) page
  JOIN cap_ledger l ON l.application_id = $1 AND l.seq = page.seq ORDER BY l.seq DESC`;

const read = ({ delta, capBefore, capAfter, ...row }: Stored): LedgerRow => ({
  ...row,
  delta: bigintNumber.from(delta),
  capBefore: bigintNumber.from(capBefore),
  capAfter: bigintNumber.from(capAfter),
});

/** Newest first; undefined: the application never had the account. */
export const ledgerOf = async (
  sql: Sql,
  applicationId: string,
  { accountId, limit, after }: LedgerAsked,
): Promise<LedgerRow[] | undefined> => {
  const [account] = await sql.query<{ currency: string }>(CURRENCY, [applicationId, accountId]);
  if (!account) return undefined;
  const rows = await sql.query<Stored>(ROWS, [applicationId, accountId, account.currency, after ?? null, limit]);
  return rows.map(read);
};
