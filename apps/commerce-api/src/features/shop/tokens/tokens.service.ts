import { randomBytes } from 'node:crypto';
import { diffOf, writeAudit, type Database, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { randomHex, uuidv7, type Clock } from '@platform/runtime';
import { forPeopleOnly, knownAbilities, type Caller, type Need } from '../../../abilities';
import { auditOf } from '../../../audit';
import { refusals } from '../../../refusals';
import { apiTokenHash } from '../../identity/access/public';
import type { ApiTokenView, MadeToken, NewToken } from './tokens.dto';

interface Row extends Pick<ApiTokenView, 'id' | 'name' | 'last4' | 'abilities'> {
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Whoever made it, by the copy of what store-auth knows. */
interface ListedRow extends Row {
  readonly created_by: string;
  readonly maker: string | null;
  readonly works: boolean;
}

const MOST = 100;
export const tokenRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST} API tokens that work`, { code: 'too_many_tokens' }),
} as const;

/** That somebody gets in with, as far as the token itself goes: $2 now. */
const OPEN = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)';
/** One at a time, so that the limit holds. $1 store. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('api tokens ' || $1, 0))`;
const COUNT = `SELECT count(*)::int AS tokens FROM api_token WHERE store_id = $1 AND ${OPEN}`;

const COLUMNS = 'id, name, last4, abilities, last_used_at, expires_at, revoked_at';
/** Whoever made many others hides none: those that work are first. */
export const TOKENS_LIST = `
  SELECT t.*, p.name AS maker,
    m.user_id IS NOT NULL AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2) AS works
  FROM (
    SELECT ${COLUMNS}, store_id, created_by, created_at FROM api_token
    WHERE store_id = $1 ORDER BY (${OPEN}) DESC, created_at DESC, id DESC LIMIT 200
  ) t
  LEFT JOIN membership m ON m.store_id = t.store_id AND m.user_id = t.created_by::uuid AND m.status = 'active'
  LEFT JOIN person p ON p.user_id = t.created_by::uuid
  ORDER BY t.created_at DESC, t.id DESC`;

/** The token and the claim of its hash, by which it is found without knowing its store. */
const CREATE = `
  WITH token AS (
    INSERT INTO api_token (store_id, id, name, last4, hash, abilities, created_by, expires_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING store_id, id, hash
  )
  INSERT INTO global_key (kind, value, store_id, ref_id) SELECT 'api_token', hash, store_id, id::text FROM token`;

const REVOKE = `
  UPDATE api_token SET revoked_at = $3, updated_at = $3 WHERE store_id = $1 AND id = $2 AND revoked_at IS NULL
  RETURNING ${COLUMNS}`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const viewOf = (row: ListedRow): ApiTokenView => ({
  ...{ id: row.id, name: row.name, last4: row.last4, abilities: row.abilities },
  last_used_at: iso(row.last_used_at),
  expires_at: iso(row.expires_at),
  revoked_at: iso(row.revoked_at),
  created_by: { id: row.created_by, name: row.maker },
  works: row.works,
});

/** `sk_` and eight digits to tell it by, then 256 random bits. */
const newToken = (): string => `sk_${randomHex(4)}_${randomBytes(32).toString('base64url')}`;

/** Tokens of a store for programs. The token itself is shown once and kept as its hash. */
export class TokensService {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly clock: Clock,
  ) {}

  async list(storeId: string): Promise<ApiTokenView[]> {
    return (await this.database.query<ListedRow>(TOKENS_LIST, [storeId, this.clock.now()])).map(viewOf);
  }

  /** Throws `InvalidInput` for what no API token can hold, `Forbidden` for what the caller lacks, `too_many_tokens`. */
  async create(caller: Caller, { name, abilities, expires_at }: NewToken): Promise<MadeToken> {
    this.check(caller, abilities, expires_at);
    const [token, id, now] = [newToken(), uuidv7(), this.clock.now()];
    const last4 = token.slice(-4);
    const expires = expires_at === undefined ? null : new Date(expires_at);
    const shown = { id, name, last4, abilities, last_used_at: null, expires_at: iso(expires), revoked_at: null };
    await this.database.tx(async (tx) => {
      const values = [caller.storeId, id, name, last4, apiTokenHash(token), abilities, caller.actor, expires, now];
      await tx.query(LOCK, [caller.storeId]);
      const [count] = await tx.query<{ tokens: number }>(COUNT, [caller.storeId, now]);
      if ((count?.tokens ?? 0) >= MOST) throw tokenRefusals.tooMany();
      await tx.query(CREATE, values);
      const subject = { type: 'api_token', id };
      const diff = diffOf(undefined, shown);
      await writeAudit(tx, auditOf(caller, this.clock), { action: 'token.write', subject, diff });
    });
    return { ...shown, created_by: { id: caller.actor, name: caller.name }, works: true, token };
  }

  /** From the commit on nobody gets in with it. */
  async revoke(caller: Caller, id: string): Promise<void> {
    await this.database.tx(async (tx) => {
      const [row] = await tx.query<Row>(REVOKE, [caller.storeId, id, this.clock.now()]);
      if (!row) throw new NotFound('API token not found');
      const subject = { type: 'api_token', id };
      const diff = diffOf(undefined, { revoked_at: row.revoked_at });
      await writeAudit(tx, auditOf(caller, this.clock), { action: 'token.write', subject, diff });
    });
  }

  private check({ abilities: own }: Caller, wanted: readonly string[], expiresAt: string | undefined): void {
    const wrong = (field: string, message: string) => new InvalidInput([{ field, tag: 'oneof', message }]);
    for (const [at, ability] of wanted.entries()) {
      const known = (knownAbilities as string[]).includes(ability) && !forPeopleOnly.has(ability as Need);
      if (!known) throw wrong(`abilities[${at}]`, `abilities[${at}] must be an ability that an API token can have`);
      if (!own.has(ability as Need)) throw refusals.grantTooFar(ability);
    }
    if (expiresAt !== undefined && new Date(expiresAt) <= this.clock.now())
      throw wrong('expires_at', 'expires_at must be in the future');
  }
}
