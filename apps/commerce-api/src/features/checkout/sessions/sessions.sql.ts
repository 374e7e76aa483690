import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { PaymentState } from '../../sales/orders/public';
import { inForce } from '../../shop/settings/public';
import { sessionRefusals, type CartContents, type Session, type SessionKey } from './session';

/** A cart is kept so long after its last change or reminder, and can be opened until then. */
export const PRESERVED_DAYS = 7;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const OF_STORE = `json_build_object('name', t.name, 'slug', t.slug, 'logo_url', t.logo_url, 'description', t.description,
    'city', t.address ->> 'city', 'hours', t.hours, 'status', t.status) AS store, t.currency, g.value AS checkout`;
const JOINED = `LEFT JOIN setting g ON g.store_id = t.store_id AND g.name = 'checkout'`;

/** What somebody has typed: not for a reminder, which may have gone to a number that they mistyped. */
const typed = (column: string): string => `CASE WHEN $3 = s.token_hash THEN s.${column} END AS ${column}`;
/** A token opens its own store's cart alone; those of a suspended store are closed. */
const READ = `
  SELECT s.store_id AS "storeId", s.id, s.state, s.link_id, s.lines, ${typed('buyer')}, ${typed('address')}, $3 = s.token_hash AS "isOwn", s.shipping, s.coupon, s.utm, s.visitor_id,
    s.order_id, s.expires_at, s.created_at AS "begunAt", ${OF_STORE}, l.lines AS link_lines, l.settings AS link_settings
  FROM checkout_session s JOIN store t ON t.store_id = s.store_id AND t.status <> 'suspended' ${JOINED}
    LEFT JOIN checkout_link l ON l.store_id = s.store_id AND l.id = s.link_id
  WHERE s.store_id = $1 AND s.id = $2 AND $3 IN (s.token_hash, s.reminder_hash)`;
const LOCK = `${READ} FOR UPDATE OF s`;

const sessionBy = async (sql: Sql, name: string, text: string, { storeId, id, hash }: SessionKey): Promise<Session> => {
  const [row] = await sql.prepared<Session>(name, text, [storeId, id, hash]);
  if (row) return row;
  throw sessionRefusals.unknown();
};

/** Throws `NotFound` for a token that opens nothing. */
export const readSession = (sql: Sql, key: SessionKey): Promise<Session> =>
  sessionBy(sql, 'checkout session', READ, key);
/** The same under its lock, the first of every write to a cart: before an order's. */
export const lockSession = (tx: Sql, key: SessionKey): Promise<Session> =>
  sessionBy(tx, 'checkout session lock', LOCK, key);

const NEW = `SELECT t.store_id AS "storeId", ${OF_STORE}, l.id AS link_id, l.lines AS link_lines, l.settings AS link_settings
  FROM global_key k JOIN store t ON t.store_id = k.store_id AND t.status <> 'suspended' ${JOINED}
    LEFT JOIN checkout_link l ON l.store_id = k.store_id AND l.id = CASE k.kind WHEN 'checkout_link' THEN k.ref_id::uuid END
  WHERE k.kind = $1 AND k.value = $2 AND (k.kind = 'slug' OR l.status = 'active')`;

export type Begun = Pick<
  Session,
  'storeId' | 'store' | 'currency' | 'checkout' | 'link_id' | 'link_lines' | 'link_settings'
>;

/** The store, and the link, with which a cart begins. Throws `NotFound`, also for a link that is disabled and a store that is suspended. */
export const beginning = async (sql: Sql, kind: 'slug' | 'checkout_link', value: string): Promise<Begun> => {
  const [row] = await sql.prepared<Begun>('checkout begins', NEW, [kind, value.toLowerCase()]);
  if (row) return row;
  throw new NotFound(kind === 'slug' ? 'Store not found' : 'Checkout link not found');
};

const FOR_SALE = `
  SELECT t.slug, (SELECT CASE count(DISTINCT p.id) WHEN 1 THEN min(p.slug) END FROM jsonb_array_elements(l.lines) line
      JOIN variant v ON v.store_id = l.store_id AND v.id = (line->>'variant_id')::uuid AND v.status = 'active'
      JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.status = 'active') AS product
  FROM global_key k JOIN store t ON t.store_id = k.store_id AND t.status <> 'suspended'
    JOIN checkout_link l ON l.store_id = k.store_id AND l.id = k.ref_id::uuid AND l.status = 'active'
  WHERE k.kind = 'checkout_link' AND k.value = $1`;

/** By their slugs, the shop of a link and its product where it sells but one. Throws `NotFound`, as `beginning`. */
export const forSaleBy = async (sql: Sql, code: string): Promise<{ slug: string; product: string | null }> => {
  const [row] = await sql.prepared<{ slug: string; product: string | null }>('for sale', FOR_SALE, [
    code.toLowerCase(),
  ]);
  if (row) return row;
  throw new NotFound('Checkout link not found');
};

/** When it counts as abandoned unless it changes, and when it is closed. */
const timesOf = ({ checkout, lines }: Pick<Session, 'checkout' | 'lines'>, at: Date) => {
  const { abandoned_minutes: minutes } = inForce('checkout', { ...checkout }) as { abandoned_minutes: number };
  const abandonAt = lines.length === 0 ? null : new Date(at.getTime() + minutes * MINUTE_MS);
  return { abandonAt, expiresAt: new Date(at.getTime() + PRESERVED_DAYS * DAY_MS) };
};

const contentsOf = ({ lines, buyer, address, shipping, coupon }: CartContents): unknown[] => [
  ...[lines, buyer, address, shipping].map((value) => (value === null ? null : JSON.stringify(value))),
  coupon,
];

/** As written: what the cart costs is kept for lists alone. */
interface Written {
  readonly session: Session;
  readonly total: number;
  readonly at: Date;
}

const INSERT = `
  INSERT INTO checkout_session (store_id, id, lines, buyer, address, shipping, coupon, total, abandon_at, expires_at, updated_at,
    state, token_hash, link_id, utm, visitor_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open', $12, $13, $14, $15, $11)`;
const SAVE = `
  UPDATE checkout_session SET state = 'open', lines = $3, buyer = $4, address = $5, shipping = $6, coupon = $7, total = $8,
    abandon_at = $9, expires_at = $10, updated_at = $11
  WHERE store_id = $1 AND id = $2`;

const writing = async (tx: Sql, name: string, text: string, written: Written, more: unknown[]): Promise<Date> => {
  const { session, total, at } = written;
  const { abandonAt, expiresAt } = timesOf(session, at);
  const { storeId, id } = session;
  await tx.prepared(name, text, [storeId, id, ...contentsOf(session), total, abandonAt, expiresAt, at, ...more]);
  return expiresAt;
};

/** Resolves to when it expires. */
export const insertSession = (tx: Sql, written: Written, hash: string): Promise<Date> => {
  const { link_id, utm, visitor_id } = written.session;
  const more = [hash, link_id, utm && JSON.stringify(utm), visitor_id];
  return writing(tx, 'checkout insert', INSERT, written, more);
};

/** A cart that was given up is open again when somebody changes it. Resolves to when it expires. */
export const saveSession = (tx: Sql, written: Written): Promise<Date> =>
  writing(tx, 'checkout save', SAVE, written, []);

const PLACED = `
  UPDATE checkout_session SET state = 'placed', order_id = $3, total = $4, buyer = NULL, address = NULL, abandon_at = NULL,
    expires_at = NULL, updated_at = $5
  WHERE store_id = $1 AND id = $2`;

/** The order has the buyer and the address now. */
export const sessionPlaced = async (
  tx: Sql,
  { storeId, id }: Pick<Session, 'storeId' | 'id'>,
  order: { readonly id: string; readonly total: number },
  at: Date,
): Promise<void> => {
  await tx.prepared('checkout placed', PLACED, [storeId, id, order.id, order.total, at]);
};

const STATUS = `
  SELECT o.number, o.payment_status, o.paid_at FROM checkout_session s
    JOIN store t ON t.store_id = s.store_id AND t.status <> 'suspended'
    LEFT JOIN sales_order o ON o.store_id = s.store_id AND o.id = s.order_id
  WHERE s.store_id = $1 AND s.id = $2 AND $3 IN (s.token_hash, s.reminder_hash)`;

/** How its payment stands; all null before it is placed. Throws `NotFound`. */
export interface PaymentOfSession {
  readonly number: string | null;
  readonly payment_status: PaymentState | null;
  readonly paid_at: Date | null;
}

export const paymentOf = async (sql: Sql, { storeId, id, hash }: SessionKey): Promise<PaymentOfSession> => {
  const [row] = await sql.prepared<PaymentOfSession>('checkout status', STATUS, [storeId, id, hash]);
  if (row) return row;
  throw sessionRefusals.unknown();
};

/** For tests of their plans. */
export const SESSION_STATEMENTS = { read: READ, begins: NEW, status: STATUS } as const;
