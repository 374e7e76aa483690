import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from '@platform/runtime';
import type { Sql } from './database.types';

/** A migration's steps: the table that `writeAudit` adds to. Rows are read by time or by subject, and never change. */
export const CREATE_AUDIT_LOG: readonly string[] = [
  `CREATE TABLE audit_log (
    tenant_id varchar(36) NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'service', 'token', 'operator', 'system')),
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    diff jsonb NOT NULL,
    ip text,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX audit_log_at ON audit_log (tenant_id, at, id)',
  'CREATE INDEX audit_log_subject ON audit_log (tenant_id, subject_type, subject_id, at, id)',
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'audit_log is append-only'; END $$`,
  `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
];

/** Who does something, as an endpoint knows it and passes it to every write. */
export interface Audit {
  readonly tenantId: string;
  readonly actor: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'user' | 'service' | 'token' | 'operator' | 'system';
  };
  readonly at: Date;
  readonly ip?: string;
}

/** What was done to what. */
export interface AuditedChange {
  /** The ability that was used, such as `coupon.write`. */
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly diff: AuditDiff;
}

/** By member, the value before and after; one of the two is missing when the subject was created or deleted. */
export type AuditDiff = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

type Members = Record<string, unknown>;

const asJson = (value: unknown, secret: ReadonlySet<string> = new Set()): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each: unknown) => {
      if (secret.has(name) && each !== null) return '***';
      return typeof each === 'bigint' ? String(each) : each;
    }),
  );

/**
 * The difference between two states of a row, as JSON. `undefined` is a state in which it does not exist. Members named
 * in `secrets` are written as `***`, at any depth: the change is shown, not the value.
 */
export const diffOf = (
  before: object | undefined,
  after: object | undefined,
  secrets: readonly string[] = [],
): AuditDiff => {
  const [old, now] = [asJson(before ?? {}) as Members, asJson(after ?? {}) as Members];
  const secret = new Set(secrets);
  const [oldShown, nowShown] = [asJson(before ?? {}, secret) as Members, asJson(after ?? {}, secret) as Members];
  const changed = Object.keys({ ...old, ...now }).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  return Object.fromEntries(
    changed.map((name) => [
      name,
      { ...(name in old ? { from: oldShown[name] } : {}), ...(name in now ? { to: nowShown[name] } : {}) },
    ]),
  );
};

const INSERT = `
  INSERT INTO audit_log (tenant_id, id, at, actor_id, actor_name, actor_kind, action, subject_type, subject_id, diff, ip)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** Adds an entry, with the next statement. `tx` is the transaction of the change itself: both are committed, or neither. */
export const writeAudit = async (
  tx: Sql,
  { tenantId, actor, at, ip }: Audit,
  { action, subject, diff }: AuditedChange,
): Promise<void> => {
  const who = [tenantId, uuidv7(), at, actor.id, actor.name, actor.kind];
  await tx.later('audit', INSERT, [...who, action, subject.type, subject.id, JSON.stringify(diff), ip ?? null]);
};
