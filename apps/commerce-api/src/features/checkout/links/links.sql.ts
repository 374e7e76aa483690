import { listingOf, type Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import { randomInt } from 'node:crypto';
import { audited, type Writer } from '../../../by';
import { cartLines } from '../../sales/carts/public';
import { onceEach } from './link.rules';
import {
  CheckoutLinksQuery,
  type CheckoutLink,
  type CheckoutLinkChange,
  type LinkLine,
  type LinkLineInput,
  type LinkSettings,
  type LinkSettingsChange,
  type NewCheckoutLink,
} from './links.dto';

/** As PostgreSQL returns it; only the pages know where it opens. */
export type StoredLink = Omit<CheckoutLink, 'url'>;
type Written = Omit<StoredLink, 'placed' | 'paid'>;

const OWN = `l.id, l.code, l.name, l.lines, l.settings, l.status, l.views`;
/** Orders are counted where they are: whatever is paid or given back later needs no counter. */
const COUNTED = `${OWN}, (
    SELECT json_build_object('placed', count(*),
      'paid', count(*) FILTER (WHERE o.payment_status IN ('paid', 'partially_refunded', 'refunded')))
    FROM checkout_session s JOIN sales_order o ON o.store_id = s.store_id AND o.id = s.order_id
    WHERE s.store_id = l.store_id AND s.link_id = l.id AND s.state = 'placed'
  ) AS orders`;
type Counted = Written & { readonly orders: Pick<StoredLink, 'placed' | 'paid'> };
const shown = ({ orders, ...link }: Counted): StoredLink => ({ ...link, ...orders });

export const linkListing = listingOf(CheckoutLinksQuery, {
  from: 'checkout_link l',
  tenant: 'l.store_id',
  select: COUNTED,
  sort: { created_at: 'l.created_at', name: 'l.name', views: 'l.views' },
  usualSort: '-created_at',
  tie: 'l.id',
  words: ['l.name', 'l.code'],
  where: { status: 'l.status = ?' },
  read: shown,
});

const BY_ID = `SELECT ${COUNTED} FROM checkout_link l WHERE l.store_id = $1 AND l.id = $2`;

/** Throws `NotFound`, also for one of another store. */
export const linkById = async (sql: Sql, storeId: string, id: string): Promise<StoredLink> => {
  const [row] = await sql.query<Counted>(BY_ID, [storeId, id]);
  if (row) return shown(row);
  throw new NotFound('Checkout link not found');
};

const LOCK = `SELECT ${OWN} FROM checkout_link l WHERE l.store_id = $1 AND l.id = $2 FOR UPDATE`;
const INSERT = `
  WITH claimed AS (
    INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('checkout_link', $3, $1::text, $2::text)
    ON CONFLICT DO NOTHING RETURNING value
  )
  INSERT INTO checkout_link AS l (store_id, id, code, name, lines, settings, status, created_at, updated_at)
  SELECT $1, $2::uuid, value, $4, $5, $6, 'active', $7, $7 FROM claimed RETURNING ${OWN}`;
const UPDATE = `UPDATE checkout_link l SET name = $3, lines = $4, settings = $5, status = $6, updated_at = $7
  WHERE l.store_id = $1 AND l.id = $2 RETURNING ${OWN}`;

/** Without letters and digits that people take for each other. */
const SIGNS = 'abcdefghjkmnpqrstvwxyz23456789';
const CODE_LENGTH = 8;
const newCode = (): string => Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');

const NO_SETTINGS: LinkSettings = { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] };

const settingsOf = (before: LinkSettings, given: LinkSettingsChange = {}): LinkSettings => {
  const at = (given.pixel_ids ?? []).findIndex((id) => !isUuid(id));
  if (at >= 0) {
    const field = `settings.pixel_ids[${at}]`;
    throw new InvalidInput([{ field, tag: 'uuid', message: `${field} must be a valid UUID` }]);
  }
  return { ...before, ...given };
};

/** Throws `InvalidInput` for what is not on sale in the store, and for a variant that is named twice. */
const linesOf = async (sql: Sql, storeId: string, lines: readonly LinkLineInput[]): Promise<LinkLine[]> => {
  const sold = onceEach('lines', lines).map(({ variant_id, qty, editable = false }) => ({ variant_id, qty, editable }));
  const found = await cartLines(sql, storeId, sold, 'lines');
  return sold.map((line, at) => ({ ...line, name: found[at]?.name ?? '' }));
};

const AUDIT = { action: 'checkout.write', type: 'checkout_link' };

/** Throws `InvalidInput`. A code that somebody has is drawn again. */
export const createLink = async (tx: Sql, by: Writer, given: NewCheckoutLink): Promise<StoredLink> => {
  const lines = JSON.stringify(await linesOf(tx, by.storeId, given.lines));
  const settings = JSON.stringify(settingsOf(NO_SETTINGS, given.settings));
  for (;;) {
    const values = [by.storeId, uuidv7(), newCode(), given.name, lines, settings, by.at];
    const [row] = await tx.query<Written>(INSERT, values);
    if (!row) continue;
    await audited(tx, by, { ...AUDIT, id: row.id, after: row });
    return { ...row, placed: 0, paid: 0 };
  }
};

/** Changes what is given, decided on the locked row. Carts that were begun keep their lines. Throws `NotFound`, `InvalidInput`. */
export const changeLink = async (tx: Sql, by: Writer, id: string, change: CheckoutLinkChange): Promise<StoredLink> => {
  const [before] = await tx.query<Written>(LOCK, [by.storeId, id]);
  if (!before) throw new NotFound('Checkout link not found');
  const lines = change.lines ? await linesOf(tx, by.storeId, change.lines) : before.lines;
  const settings = settingsOf(before.settings, change.settings);
  const { name = before.name, status = before.status } = change;
  const values = [by.storeId, id, name, JSON.stringify(lines), JSON.stringify(settings), status, by.at];
  const [after] = await tx.query<Written>(UPDATE, values);
  await audited(tx, by, { ...AUDIT, id, before, after: { ...after } });
  return linkById(tx, by.storeId, id);
};

/** Nobody can begin a cart with it any more. Throws `NotFound`. */
export const disableLink = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  await changeLink(tx, by, id, { status: 'disabled' });
};

const VIEWED = 'UPDATE checkout_link SET views = views + 1 WHERE store_id = $1 AND id = $2';

/** Counts a cart that begins with the link; the last statement of its transaction, as everybody locks the same row. */
export const viewed = async (tx: Sql, storeId: string, id: string): Promise<void> => {
  await tx.later('link viewed', VIEWED, [storeId, id]);
};

/** For tests of their plans. */
export const LINK_STATEMENTS = { byId: BY_ID } as const;
