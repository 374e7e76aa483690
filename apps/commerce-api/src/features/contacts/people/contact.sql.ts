import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { since } from '../../../moment';
import { phoneSought, soughtIn } from '../../../search-text';
import { SegmentQuery, type Contact, type ContactRow } from './contact.dto';

/** Of a contact `c`. */
const TAGS = `coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) ORDER BY lower(t.name))
  FROM contact_tag x JOIN tag t ON t.store_id = x.store_id AND t.id = x.tag_id AND t.deleted_at IS NULL
  WHERE x.store_id = c.store_id AND x.contact_id = c.id), '[]')`;

const COLUMNS = `c.id, c.name, c.email, c.birthday::text, c.source, c.custom, c.blocked, c.opted_out_at IS NOT NULL AS opted_out,
  c.orders_count, c.spent, c.last_order_at, c.created_at, ${TAGS} AS tags,
  (SELECT p.phone FROM contact_phone p WHERE p.store_id = c.store_id AND p.contact_id = c.id AND p.is_main) AS phone`;

const MOST_NOTES = 100;
const NESTED = `
  coalesce((SELECT json_agg((a.address || jsonb_build_object('id', a.id)) ORDER BY a.id) FROM contact_address a
    WHERE a.store_id = c.store_id AND a.contact_id = c.id), '[]') AS addresses,
  coalesce((SELECT json_agg(n ORDER BY n.id DESC) FROM (
    SELECT o.id, o.text, o.author, to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
    FROM contact_note o WHERE o.store_id = c.store_id AND o.contact_id = c.id ORDER BY o.id DESC LIMIT ${MOST_NOTES}
  ) n), '[]') AS notes`;

/** As PostgreSQL answers it. */
type Raw<View extends ContactRow> = Omit<View, 'spent' | 'last_order_at' | 'created_at'> & {
  readonly spent: string;
  readonly last_order_at: Date | null;
  readonly created_at: Date;
};

const shown = <View extends ContactRow>(row: Raw<View>): View =>
  ({
    ...row,
    spent: bigintNumber.from(row.spent),
    last_order_at: row.last_order_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }) as unknown as View;

const idsOf = (text: string): string[] => {
  const ids = text.split(',').map((id) => id.trim());
  if (ids.every(isUuid)) return ids;
  throw new InvalidInput([{ field: 'tag_ids', tag: 'uuid', message: 'tag_ids must be ids, separated by commas' }]);
};

const TAGGED = `FROM contact_tag x JOIN tag t ON t.store_id = x.store_id AND t.id = x.tag_id AND t.deleted_at IS NULL
  WHERE x.store_id = $1`;

export const contactListing = listingOf(SegmentQuery, {
  from: 'contact c',
  tenant: 'c.store_id',
  select: COLUMNS,
  sort: { name: `coalesce(c.name, '')`, created_at: 'c.created_at', spent: 'c.spent' },
  usualSort: '-created_at',
  tie: 'c.id',
  ...soughtIn('c.search_text'),
  soughtAs: phoneSought,
  where: {
    tag_ids: {
      // Counted, those who have a tag are sought among all contacts, not all contacts among those who have it
      sql: (ids, _, counts) =>
        counts
          ? `c.id = ANY (ARRAY(SELECT x.contact_id ${TAGGED} AND x.tag_id = ANY (${ids}::uuid[])))`
          : `EXISTS (SELECT ${TAGGED} AND x.contact_id = c.id AND x.tag_id = ANY (${ids}::uuid[]))`,
      value: idsOf,
      weighed: true,
    },
    blocked: 'c.blocked = ?',
    source: 'c.source = ?',
    city: {
      sql: `EXISTS (SELECT FROM contact_address a WHERE a.store_id = $1 AND a.contact_id = c.id AND lower(a.address ->> 'city') = lower(?))`,
      weighed: true,
    },
    min_orders: 'c.orders_count >= ?',
    // Nearly all of a shop, or nearly none
    last_order_from: { sql: since('c.last_order_at'), weighed: true },
  },
  read: (row: Raw<ContactRow>) => shown(row),
});

const ONE = `SELECT ${COLUMNS}, ${NESTED} FROM contact c WHERE c.store_id = $1`;
const BY_ID = `${ONE} AND c.id = $2`;
const BY_PHONE = `${ONE} AND c.id = (SELECT o.contact_id FROM contact_phone o WHERE o.store_id = $1 AND o.phone = $2)`;

const oneOf = async (sql: Sql, name: string, text: string, values: readonly [string, string]): Promise<Contact> => {
  const [row] = await sql.prepared<Raw<Contact>>(name, text, values);
  if (row) return shown(row);
  throw new NotFound('Contact not found');
};

/** Throws `NotFound`, also for one of another store. */
export const contactById = (sql: Sql, storeId: string, id: string): Promise<Contact> =>
  oneOf(sql, 'contact.id', BY_ID, [storeId, id]);

/** By any of its numbers, as digits of the international form. Throws `NotFound`. */
export const contactByPhone = (sql: Sql, storeId: string, phone: string): Promise<Contact> =>
  oneOf(sql, 'contact.phone', BY_PHONE, [storeId, phone]);

/** Throws `NotFound`, also for one of another store. */
export const refuseUnknown = async (sql: Sql, storeId: string, id: string): Promise<void> => {
  const known = 'SELECT 1 FROM contact WHERE store_id = $1 AND id = $2';
  if ((await sql.prepared('contact is there', known, [storeId, id])).length === 0)
    throw new NotFound('Contact not found');
};

/** For tests of their plans. */
export const CONTACT_STATEMENTS = { id: BY_ID, phone: BY_PHONE } as const;
