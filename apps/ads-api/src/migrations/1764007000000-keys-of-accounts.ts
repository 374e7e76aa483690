import { ForwardMigration } from '@platform/data';

/**
 * An account that an application has or had: by the other index only those are found that nobody has given up. And its entries in the ledger, in their
 * order and without their rows.
 */
export class KeysOfAccounts1764007000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS ad_accounts_known ON ad_accounts (application_id, account_id)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS cap_ledger_entries ON cap_ledger (application_id, account_id, seq)',
  ];
}
