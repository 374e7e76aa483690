import { Rejected } from '@platform/errors';
import type { Database } from '@platform/data';
import { isUuid, type Clock } from '@platform/runtime';
import { bareAccountId, isAccountId } from './account-id';
import { accountRefusals as refusals } from './accounts.refusals';
import { storedAccount, type AccountRow } from './accounts.repository';
import { LIST_ACCOUNTS } from './accounts.sql';
import type { StoredAccount } from './accounts.types';

export const unfinished = (): Rejected => new Rejected('Account has unfinished operations');

export interface AccountFilter {
  readonly businessId?: string;
  /** Whether the status is, or is not, among these. */
  readonly active?: { readonly is: boolean; readonly statuses: readonly number[] };
  readonly after?: string;
  readonly limit: number;
}

const UNFINISHED = `
  SELECT EXISTS (SELECT FROM cap_operations WHERE account_id = $1 AND state IN ('queued', 'planned', 'unknown'))
    OR EXISTS (SELECT FROM cap_batches WHERE account_id = $1 AND state IN ('planned', 'unknown'))
    OR EXISTS (SELECT FROM transfers WHERE application_id = $2 AND state = 'pending' AND $1 IN (from_account, to_account)) AS open`;

/** The rows of one application. */
export class AccountsList {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In the order in which they were taken up (their ids are UUIDv7). */
  async page(applicationId: string, { businessId, active, after, limit }: AccountFilter): Promise<StoredAccount[]> {
    // Without a name, so that it is planned for what is asked: a plan for any question read all accounts of a large application
    const rows = await this.database.query<AccountRow>(LIST_ACCOUNTS, [
      ...[applicationId, businessId ?? null, active?.is ?? null, active?.statuses ?? []],
      ...[after ?? null, limit],
    ]);
    return rows.map(storedAccount);
  }

  /** Bare digits of the account that a path names: by the id of its row, or by upstream's. */
  async accountIdOf(applicationId: string, id: string): Promise<string> {
    if (isAccountId(id)) return bareAccountId(id);
    const [row] = isUuid(id)
      ? await this.database.prepared<{ account_id: string }>(
          'accounts.id-of-row',
          'SELECT account_id FROM ad_accounts WHERE application_id = $1 AND id = $2 AND deleted_at IS NULL',
          [applicationId, id],
        )
      : [];
    if (!row) throw refusals.accountNotFound();
    return row.account_id;
  }

  /** Sets the account free for another application. Its row is locked first: an operation that is being added (`holdAccount`) is seen. */
  async remove(applicationId: string, accountId: string): Promise<void> {
    const of = [applicationId, accountId];
    const where = 'WHERE application_id = $1 AND account_id = $2 AND deleted_at IS NULL';
    await this.database.tx(async (tx) => {
      const [row] = await tx.query(`SELECT id FROM ad_accounts ${where} FOR UPDATE`, of);
      if (!row) throw refusals.accountNotFound();
      const [standing] = await tx.query<{ open: boolean }>(UNFINISHED, [accountId, applicationId]);
      if (standing?.open) throw unfinished();
      await tx.query(`UPDATE ad_accounts SET deleted_at = $3 ${where}`, [...of, this.clock.now()]);
    });
  }
}
