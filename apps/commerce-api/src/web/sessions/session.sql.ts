import type { Sql } from '@platform/data';
import type { Membership } from '../../membership';

/** Of one browser; nothing is found of a login that has ended or was not used for a day. */
export const IDLE = '24 hours';
export const LONGEST = '14 days';

/** With everything that every page shows of its reader, and what they may. */
const FIND = `
  SELECT w.user_id, w.store_id, w.token_enc, w.token_expires_at, w.locale,
    w.seen_at < $2::timestamptz - interval '5 minutes' AS seen_anew,
    p.name, p.email, s.name AS store_name, s.slug, s.status, s.plan_state, s.timezone, m.system_role, r.name AS role_name, r.abilities,
    coalesce(m.status = 'active', false) AS belongs,
    (SELECT coalesce(json_agg(json_build_object('id', o.store_id, 'name', o.name) ORDER BY x.created_at, o.store_id), '[]')
      FROM membership x JOIN store o ON o.store_id = x.store_id WHERE x.user_id = w.user_id AND x.status = 'active') AS stores
  FROM web_session w
  JOIN store s ON s.store_id = w.store_id
  LEFT JOIN person p ON p.user_id = w.user_id
  LEFT JOIN membership m ON m.store_id = w.store_id AND m.user_id = w.user_id
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE w.id_hash = $1 AND w.ended_at IS NULL
    AND w.seen_at > $2::timestamptz - interval '${IDLE}' AND w.created_at > $2::timestamptz - interval '${LONGEST}'`;

export interface SessionRow extends Membership {
  readonly token_enc: string;
  readonly token_expires_at: Date;
  readonly locale: 'id' | 'en';
  readonly seen_anew: boolean;
  readonly email: string | null;
  readonly store_name: string;
  readonly slug: string;
  readonly timezone: string;
  readonly role_name: string | null;
  readonly stores: readonly { readonly id: string; readonly name: string }[];
}

export const findSession = async (sql: Sql, hash: string, now: Date): Promise<SessionRow | undefined> =>
  (await sql.prepared<SessionRow>('web session', FIND, [hash, now]))[0];

/** Of whom a browser was, whose login is over: what they typed is kept for nobody else. */
const FORMER = 'SELECT user_id, store_id FROM web_session WHERE id_hash = $1';
export const formerOwner = async (
  sql: Sql,
  hash: string,
): Promise<{ readonly user_id: string; readonly store_id: string } | undefined> =>
  (await sql.query<{ user_id: string; store_id: string }>(FORMER, [hash]))[0];

/** Who sat before the browser until now is told nothing there any more, also where they have only closed it: $8 its id, or null. */
const BEGIN = `WITH former AS (DELETE FROM push_subscription WHERE id = $8 AND user_id <> $2)
  INSERT INTO web_session (id_hash, user_id, store_id, token_enc, token_expires_at, locale, created_at, seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`;
export interface NewSession {
  readonly hash: string;
  readonly userId: string;
  readonly storeId: string;
  readonly sealed: string;
  readonly tokenExpiresAt: Date;
  readonly locale: string;
  /** By which it is known as one that is pushed to. */
  readonly browser: string | undefined;
  readonly at: Date;
}
export const insertSession = async (sql: Sql, row: NewSession): Promise<void> => {
  const { hash, userId, storeId, sealed, tokenExpiresAt, locale, at, browser = null } = row;
  const values = [hash, userId, storeId, sealed, tokenExpiresAt, locale, at, browser];
  await sql.prepared('web session begin', BEGIN, values);
};

/** Only over the token that was exchanged: a switch of stores in between stays. */
const RENEW = `UPDATE web_session SET token_enc = $3, token_expires_at = $4, seen_at = $5 WHERE id_hash = $1 AND token_enc = $2`;
export const renewSession = async (
  sql: Sql,
  hash: string,
  before: string,
  after: Pick<NewSession, 'sealed' | 'tokenExpiresAt' | 'at'>,
): Promise<void> => {
  await sql.query(RENEW, [hash, before, after.sealed, after.tokenExpiresAt, after.at]);
};

const MOVE = `UPDATE web_session SET store_id = $3, token_enc = $4, token_expires_at = $5, seen_at = $6 WHERE id_hash = $1 AND token_enc = $2`;
export const moveSession = async (
  sql: Sql,
  hash: string,
  before: string,
  after: Pick<NewSession, 'storeId' | 'sealed' | 'tokenExpiresAt' | 'at'>,
): Promise<void> => {
  await sql.query(MOVE, [hash, before, after.storeId, after.sealed, after.tokenExpiresAt, after.at]);
};

const SEEN = 'UPDATE web_session SET seen_at = greatest(seen_at, $2) WHERE id_hash = $1';
export const touchSession = async (sql: Sql, hash: string, at: Date): Promise<void> => {
  await sql.query(SEEN, [hash, at]);
};

const END = 'UPDATE web_session SET ended_at = $2 WHERE id_hash = $1 AND ended_at IS NULL';
export const endSession = async (sql: Sql, hash: string, at: Date): Promise<void> => {
  await sql.query(END, [hash, at]);
};

const END_OTHERS = 'UPDATE web_session SET ended_at = $3 WHERE user_id = $1 AND id_hash <> $2 AND ended_at IS NULL';
/** All browsers of a user but one. */
export const endOthers = async (sql: Sql, userId: string, spared: string, at: Date): Promise<void> => {
  await sql.query(END_OTHERS, [userId, spared, at]);
};

/** Nothing is kept of who signs out: not even whose it was. */
const FORGET = 'DELETE FROM web_session WHERE id_hash = $1';
export const forgetSession = async (sql: Sql, hash: string): Promise<void> => {
  await sql.query(FORGET, [hash]);
};

const SPEAK = 'UPDATE web_session SET locale = $2 WHERE user_id = $1';
/** The language of all browsers of a user. */
export const setLocale = async (sql: Sql, userId: string, locale: string): Promise<void> => {
  await sql.query(SPEAK, [userId, locale]);
};
