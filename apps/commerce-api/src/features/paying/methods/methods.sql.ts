import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { demandSeen } from '../../../web/seen';
import { accountClaims, isSameAccount } from './account.claims';
import {
  buyersFee,
  changedTerms,
  checkedCredentials,
  isGatewayCode,
  isMethodCode,
  kindOf,
  methodRefusals,
  takes,
  termsNow,
  usualTerms,
  type GatewayCode,
  type Gateways,
  type SetTerms,
} from './method.rules';
import { methodCodes, type MethodBody, type MethodCode, type MethodView, type OfferedMethod } from './methods.dto';

const TERMS = `json_build_object('enabled', m.enabled, 'fee_bearer', m.fee_bearer,
  'fee', json_build_object('percent_bp', m.fee_percent_bp, 'fixed', m.fee_fixed),
  'min', m.min_total, 'max', m.max_total, 'channels', m.channels, 'sealed', m.credentials_enc IS NOT NULL)`;

/** An expression: what a store has set of a method, null when nothing, for `termsNow`. Both are expressions, too. */
export const termsIn = (storeId: string, code: string): string =>
  `(SELECT ${TERMS} FROM payment_method m WHERE m.store_id = ${storeId} AND m.code = ${code})`;

export const METHODS = `
  SELECT c.code, CASE WHEN m.code IS NOT NULL THEN ${TERMS} END AS terms,
    EXISTS (SELECT FROM transfer_account a WHERE a.store_id = $1 AND a.active) AS reachable
  FROM unnest($2::text[]) WITH ORDINALITY AS c(code, position)
    LEFT JOIN payment_method m ON m.store_id = $1 AND m.code = c.code
  ORDER BY c.position`;

interface Row {
  readonly code: MethodCode;
  readonly terms: SetTerms | null;
  readonly reachable: boolean;
}

const isConfigured = ({ code, terms, reachable }: Row, gateways: Gateways): boolean => {
  if (code === 'transfer') return reachable;
  if (!isGatewayCode(code)) return true;
  return gateways.isThere(code) && (terms?.sealed === true || gateways.hasPlatform(code));
};

const shown =
  (gateways: Gateways) =>
  (row: Row): MethodView => {
    const { code, terms } = row;
    const kind = kindOf(code);
    const mode = kind === 'gateway' && !terms?.sealed ? 'platform' : 'direct';
    return {
      code,
      kind,
      provider: code,
      configured: isConfigured(row, gateways),
      mode,
      ...termsNow(code, terms, gateways),
    };
  };

const rowsOf = (sql: Sql, storeId: string, codes: readonly MethodCode[]): Promise<Row[]> =>
  sql.prepared<Row>('payment methods', METHODS, [storeId, codes]);

/** All methods that there are, with what the store has set of them. */
export const methodsOf = async (sql: Sql, storeId: string, gateways: Gateways): Promise<MethodView[]> =>
  (await rowsOf(sql, storeId, methodCodes)).map(shown(gateways));

const rowOf = async (sql: Sql, storeId: string, code: MethodCode): Promise<Row> =>
  (await rowsOf(sql, storeId, [code]))[0] as Row;

const methodOf = async (sql: Sql, storeId: string, code: MethodCode, gateways: Gateways): Promise<MethodView> =>
  shown(gateways)(await rowOf(sql, storeId, code));

/** Whether a store takes money so. */
export const isSwitchedOn = async (sql: Sql, storeId: string, code: MethodCode): Promise<boolean> => {
  const { terms } = await rowOf(sql, storeId, code);
  return (terms ?? usualTerms(code)).enabled;
};

/** What a buyer whose order costs `total` can choose from: switched on, with all it needs, and for this total; undefined: for some. */
export const methodsFor = async (
  sql: Sql,
  storeId: string,
  total: number | undefined,
  gateways: Gateways,
): Promise<OfferedMethod[]> => {
  const all = await methodsOf(sql, storeId, gateways);
  return all
    .filter((method) => method.enabled && method.configured && (total === undefined || takes(method, total)))
    .map((method) => ({ code: method.code, kind: method.kind, fee: buyersFee(method) }));
};

const WRITE = `
  INSERT INTO payment_method AS m (store_id, code, enabled, fee_bearer, fee_fixed, fee_percent_bp, min_total, max_total, channels,
    credentials_enc, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $12)
  ON CONFLICT (store_id, code) DO UPDATE SET enabled = excluded.enabled, fee_bearer = excluded.fee_bearer,
    fee_fixed = excluded.fee_fixed, fee_percent_bp = excluded.fee_percent_bp, min_total = excluded.min_total,
    max_total = excluded.max_total, channels = excluded.channels, updated_at = excluded.updated_at,
    credentials_enc = CASE WHEN $11 THEN excluded.credentials_enc ELSE m.credentials_enc END`;

/** To what the box of a method's credentials is bound. */
const purposeOf = (storeId: string, code: MethodCode): string => `payment_method/${storeId}/${code}`;

const SEALED = `SELECT credentials_enc FROM payment_method WHERE store_id = $1 AND code = $2`;

/** A store's own account with a gateway; undefined: it has none there. */
export const credentialsOf = async (
  sql: Sql,
  box: SecretBox,
  storeId: string,
  code: GatewayCode,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const [row] = await sql.prepared<{ credentials_enc: string | null }>('method credentials', SEALED, [storeId, code]);
  if (!row?.credentials_enc) return undefined;
  return JSON.parse(box.open(row.credentials_enc, purposeOf(storeId, code))) as Record<string, string>;
};

/**
 * Whether a store waits for payments to an account of its own with a gateway: nobody else can tell what becomes of them. A first try that has
 * failed, or an order that was cancelled, may be paid all the same as long as the provider is asked about it.
 */
const AWAITED = `SELECT 1 FROM payment p WHERE p.store_id = $1 AND p.provider = $2 AND p.mode = 'direct'
  AND (p.status IN ('created', 'pending') OR p.poll_at IS NOT NULL) LIMIT 1`;

/** Attempts that begin at this moment are written before it goes on, and those that begin later see what it writes. */
const ALONE = `SELECT 1 FROM payment_method WHERE store_id = $1 AND code = $2 FOR UPDATE`;

interface Replacing {
  readonly box: SecretBox;
  readonly storeId: string;
  /** The new ones, as JSON; null: they are taken away. */
  readonly credentials: string | null;
}

/** Throws `account_in_use` when another account, or none, would take the place of one to which payments are waited for. */
const refuseAwaited = async (tx: Sql, code: GatewayCode, { box, storeId, credentials }: Replacing): Promise<void> => {
  await tx.query(ALONE, [storeId, code]);
  const before = await credentialsOf(tx, box, storeId, code);
  if (!before || isSameAccount(code, before, credentials)) return;
  if ((await tx.query(AWAITED, [storeId, code])).length > 0) throw methodRefusals.accountInUse();
};

/** What a form shows of it; credentials are told by whether there are some. */
export const editableOf = ({ kind, enabled, fee_bearer, fee, min, max, channels, mode }: MethodView): object => ({
  ...{ enabled, fee_bearer, min, max, channels, mode },
  // Of a gateway it is the platform's
  ...(kind !== 'gateway' && { fee }),
});

const refuseUnconfigured = ({ code, enabled, configured }: MethodView): void => {
  if (enabled && !configured && isGatewayCode(code)) throw methodRefusals.noProvider();
};

/**
 * Changes what is given. Credentials are sealed, and neither an answer nor the audit log has them; notices of the account are then known
 * as the store's. Throws `NotFound` for a code that is none, `InvalidInput`, and `provider_unavailable` when a gateway is to be switched on
 * with which neither the platform nor the store has an account, `account_in_use`; `version_conflict` when it is not any more what was `seen` of it.
 */
export const changeMethod = async (
  tx: Sql,
  { by, box, gateways }: { readonly by: Writer; readonly box: SecretBox; readonly gateways: Gateways },
  code: string,
  body: MethodBody,
  seen?: string,
): Promise<MethodView> => {
  if (!isMethodCode(code)) throw new NotFound('Payment method not found');
  const { storeId, at } = by;
  const credentials = body.credentials && checkedCredentials(code, body.credentials);
  // Of two who change different members neither is lost
  await lockStore(tx, storeId);
  const before = await methodOf(tx, storeId, code, gateways);
  demandSeen(seen, editableOf(before));
  const { enabled, fee_bearer, fee, min, max, channels } = changedTerms(code, before, body);
  if (credentials !== undefined && isGatewayCode(code)) await refuseAwaited(tx, code, { box, storeId, credentials });
  const sealed = credentials ? box.seal(credentials, purposeOf(storeId, code)) : null;
  const terms = [enabled, fee_bearer, fee.fixed, fee.percent_bp, min, max, channels];
  await tx.query(WRITE, [storeId, code, ...terms, sealed, credentials !== undefined, at]);
  if (credentials !== undefined && isGatewayCode(code)) await accountClaims.replace(tx, storeId, code, credentials);
  const after = await methodOf(tx, storeId, code, gateways);
  refuseUnconfigured(after);
  const told = credentials ? { ...after, credentials: '***' } : after;
  await audited(tx, by, { action: 'payment.settings', type: 'payment_method', id: code, before, after: told });
  return after;
};
