/** Columns of `ad_accounts` that rooms read. */
export const ACCOUNT_COLUMNS = [
  ...['id', 'application_id', 'account_id', 'token_id', 'business_id', 'name', 'default_name', 'currency'],
  ...['account_status', 'disable_reason', 'balance', 'amount_spent', 'spend_cap', 'funding_source', 'is_imported'],
  ...['rental_status', 'rental_expires_at', 'synced_at'],
];

const columns = (alias: string): string => ACCOUNT_COLUMNS.map((name) => `${alias}.${name}`).join(', ');

/** Most social accounts that are asked for an account that nobody knows yet (design 3.2, rule 3). */
const MOST_ASKED = 3;

/**
 * Over all applications, because an account is one application's at a time. Whom to ask: the account's own social account, then that of
 * its business, then the others, the newest first.
 */
export const FIND_ACCOUNT = `
  SELECT ${columns('a')}, b.token_id AS business_token,
    ARRAY(SELECT t.id || '@' || t.connected_at FROM (
        SELECT t.id, t.connected_at FROM social_tokens t WHERE t.application_id = $2 AND t.is_active AND t.id IN (a.token_id, b.token_id)
        UNION (SELECT t.id, t.connected_at FROM social_tokens t WHERE t.application_id = $2 AND t.is_active
          ORDER BY t.connected_at DESC, t.id DESC LIMIT ${MOST_ASKED})) t
      ORDER BY t.id IS NOT DISTINCT FROM a.token_id DESC, t.id IS NOT DISTINCT FROM b.token_id DESC, t.connected_at DESC, t.id DESC
      LIMIT ${MOST_ASKED}) AS candidates
  FROM (VALUES ($1::text)) AS asked (account_id)
  LEFT JOIN ad_accounts a ON a.account_id = asked.account_id AND a.deleted_at IS NULL
  LEFT JOIN businesses b ON b.application_id = a.application_id AND b.business_id = a.business_id`;

/** A business links its accounts only while the application has it stored. */
const IMPORTED_BUSINESS = `(SELECT b.business_id FROM businesses b WHERE b.application_id = $11 AND b.business_id = $9)`;

/**
 * One statement, so that an account never stands without its opening. Whoever takes an account again goes on with the ledger that it had:
 * the sum of its deltas stays the cap.
 */
export const SAVE_ACCOUNT = `
  WITH saved AS (
    INSERT INTO ad_accounts AS a (name, currency, account_status, disable_reason, balance, amount_spent, spend_cap, funding_source,
      business_id, synced_at, application_id, account_id, id, token_id, default_name, is_imported, rental_status, rental_expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, COALESCE($17, ${IMPORTED_BUSINESS}), $10, $11, $12, $13, $14, $15, $16,
      CASE WHEN $18::timestamptz IS NULL THEN 'none' ELSE 'active' END, $18)
    ON CONFLICT (account_id) WHERE deleted_at IS NULL DO UPDATE SET
      name = EXCLUDED.name, currency = EXCLUDED.currency, account_status = EXCLUDED.account_status,
      disable_reason = EXCLUDED.disable_reason, balance = EXCLUDED.balance, amount_spent = EXCLUDED.amount_spent,
      spend_cap = EXCLUDED.spend_cap, funding_source = EXCLUDED.funding_source, synced_at = EXCLUDED.synced_at,
      token_id = EXCLUDED.token_id, is_imported = a.is_imported OR EXCLUDED.is_imported,
      business_id = COALESCE($17, a.business_id, EXCLUDED.business_id),
      rental_status = CASE WHEN $18::timestamptz IS NULL THEN a.rental_status ELSE 'active' END,
      rental_expires_at = COALESCE($18, a.rental_expires_at)
    WHERE a.application_id = EXCLUDED.application_id
    RETURNING ${columns('a')}, a.xmax = 0 AS is_new
  ), opened AS (
    INSERT INTO cap_ledger (id, account_id, application_id, kind, delta, cap_before, cap_after, actor, fence, created_at)
    SELECT $19, s.account_id, s.application_id, 'opening', s.spend_cap - head.cap, head.cap, s.spend_cap, $20, 0, s.synced_at
    FROM saved s CROSS JOIN LATERAL (SELECT COALESCE((
      SELECT l.cap_after FROM cap_ledger l WHERE l.application_id = s.application_id AND l.account_id = s.account_id
      ORDER BY l.seq DESC LIMIT 1), 0) AS cap) head
    WHERE s.is_new
  )
  SELECT ${columns('saved')} FROM saved`;

export const OBSERVE_ACCOUNT = `
  UPDATE ad_accounts a SET name = $1, currency = $2, account_status = $3, disable_reason = $4, balance = $5, amount_spent = $6,
    spend_cap = $7, funding_source = $8, business_id = COALESCE(a.business_id, ${IMPORTED_BUSINESS}), synced_at = $10
  WHERE a.application_id = $11 AND a.account_id = $12 AND a.deleted_at IS NULL
  RETURNING ${columns('a')}`;

export const LIST_ACCOUNTS = `
  SELECT ${columns('a')} FROM ad_accounts a
  WHERE a.application_id = $1 AND a.deleted_at IS NULL AND ($2::text IS NULL OR a.business_id = $2)
    AND ($3::boolean IS NULL OR (a.account_status = ANY($4::integer[])) = $3) AND ($5::uuid IS NULL OR a.id > $5)
  ORDER BY a.id LIMIT $6`;

/** Each is looked up (OFFSET keeps it from being joined): otherwise all accounts of the application were met with those that are asked for. */
export const ACCOUNTS_OF = `
  SELECT ${columns('a')} FROM (SELECT DISTINCT unnest($2::text[])) AS asked (account_id) CROSS JOIN LATERAL (
    SELECT * FROM ad_accounts a WHERE a.account_id = asked.account_id AND a.deleted_at IS NULL OFFSET 0) a
  WHERE a.application_id = $1`;

export const ACCOUNTS_OF_BUSINESS = `
  SELECT ${columns('a')} FROM ad_accounts a
  WHERE a.application_id = $1 AND a.business_id = $2 AND a.deleted_at IS NULL ORDER BY a.id LIMIT $3`;
