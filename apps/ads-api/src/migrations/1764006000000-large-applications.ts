import { ForwardMigration } from '@platform/data';

/** Whom a large application asks for an account that nobody knows yet: the newest who are connected. And the accounts of one of its businesses. */
export class LargeApplications1764006000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS social_tokens_newest ON social_tokens (application_id, connected_at DESC, id DESC) WHERE is_active',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS ad_accounts_business ON ad_accounts (application_id, business_id, id) WHERE deleted_at IS NULL',
  ];
}
