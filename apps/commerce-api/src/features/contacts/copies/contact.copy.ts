import type { Sql } from '@platform/data';
import type { CopiedRows, Standing } from '../../chat/copies/public';

const STANDING = `
  SELECT p.phone, c.id, c.name, c.email, c.custom, c.blocked, c.opted_out_at IS NOT NULL AS opted_out,
    c.orders_count, c.spent::text, c.last_order_at,
    (SELECT a.address FROM contact_address a WHERE a.store_id = $1 AND a.contact_id = c.id ORDER BY a.id LIMIT 1) AS address,
    (SELECT n.text FROM contact_note n WHERE n.store_id = $1 AND n.contact_id = c.id ORDER BY n.id DESC LIMIT 1) AS note,
    ARRAY(SELECT t.name FROM contact_tag x JOIN tag t ON t.store_id = x.store_id AND t.id = x.tag_id AND t.deleted_at IS NULL
      WHERE x.store_id = $1 AND x.contact_id = c.id ORDER BY lower(t.name)) AS tags
  FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id
  WHERE p.store_id = $1 AND p.phone = ANY ($2::text[])`;

interface Row {
  readonly phone: string;
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly custom: object;
  readonly blocked: boolean;
  readonly opted_out: boolean;
  readonly orders_count: number;
  readonly spent: string;
  readonly last_order_at: Date | null;
  readonly address: Readonly<Record<string, string>> | null;
  readonly note: string | null;
  readonly tags: readonly string[];
}

/** Most tags that chat-backend takes. */
const MOST_TAGS = 200;

const copyOf = ({ address, ...row }: Row): Standing => ({
  rowId: row.phone,
  row: {
    nohp: row.phone,
    id: row.id,
    // Without one, that from WhatsApp stays
    nama: row.name ?? undefined,
    email: row.email ?? undefined,
    alamat: address?.line,
    kota: address?.city,
    provinsi: address?.province,
    kodepos: address?.postcode,
    tags: row.tags.slice(0, MOST_TAGS),
    catatan: row.note ?? undefined,
    custom: row.custom,
    opt_out: row.opted_out,
    blokir: row.blocked,
    total_order: row.orders_count,
    total_belanja: Number(row.spent),
    last_order_at: row.last_order_at?.toISOString(),
  },
});

/** Contacts as chat-backend's customers: one row a number, so that each number of a merged contact leads to it. */
export const customerCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, phones) => (await sql.query<Row>(STANDING, [storeId, phones])).map(copyOf),
  keys: (nohp) => ({ nohp }),
  versioned: true,
};
