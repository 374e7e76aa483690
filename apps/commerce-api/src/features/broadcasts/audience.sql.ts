import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { demandRows } from '../../known-rows';
import type { Audience, AudiencePreview } from './audience.dto';

/** The conditions of an audience, each with its value at its place; of those that are not asked for nothing is looked at. */
const conditionsOf = ({ tag_ids, exclude_tag_ids, segment = {}, contact_ids }: Audience, from: number) => {
  const values: unknown[] = [];
  const where: string[] = [];
  const also = (value: unknown, sql: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`AND ${sql(`$${from + values.length - 1}`)}`);
  };
  const tagged = (place: string): string => `EXISTS (SELECT FROM contact_tag x JOIN tag t
    ON t.store_id = x.store_id AND t.id = x.tag_id AND t.deleted_at IS NULL
    WHERE x.store_id = $1 AND x.contact_id = c.id AND x.tag_id = ANY (${place}::uuid[]))`;
  also(contact_ids, (place) => `c.id = ANY (${place}::uuid[])`);
  also(tag_ids, tagged);
  also(exclude_tag_ids, (place) => `NOT ${tagged(place)}`);
  also(segment.last_order_days, (place) => `c.last_order_at >= $2::timestamptz - make_interval(days => ${place}::int)`);
  also(segment.min_orders, (place) => `c.orders_count >= ${place}::int`);
  also(segment.source, (place) => `c.source = ${place}`);
  also(
    segment.city,
    (place) => `EXISTS (SELECT FROM contact_address a
    WHERE a.store_id = $1 AND a.contact_id = c.id AND lower(a.address ->> 'city') = lower(${place}))`,
  );
  return { where: where.join('\n  '), values };
};

/** Digits of E.164, as chat-backend takes them. */
const REACHABLE = `p.phone ~ '^[1-9][0-9]{6,14}$'`;
const WANTED = `NOT c.blocked AND c.opted_out_at IS NULL AND ${REACHABLE}`;

/** Contacts `c` of store $1 with their main number `p`, known at $2. */
const among = (where: string): string => `
  FROM contact c JOIN contact_phone p ON p.store_id = c.store_id AND p.contact_id = c.id AND p.is_main
  WHERE c.store_id = $1 AND c.created_at <= $2::timestamptz ${where}`;

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How many of store `storeId` an audience means at `at`, who is left out and why: one statement. */
export const previewOf = (storeId: string, at: Date, audience: Audience): Statement => {
  const { where, values } = conditionsOf(audience, 3);
  return {
    text: `
  WITH meant AS MATERIALIZED (
    SELECT c.id, c.name, p.phone, c.blocked, c.opted_out_at IS NOT NULL AS opted_out, ${REACHABLE} AS reachable ${among(where)})
  SELECT count(*) FILTER (WHERE NOT blocked AND NOT opted_out AND reachable)::int AS count,
    count(*) FILTER (WHERE blocked)::int AS blocked,
    count(*) FILTER (WHERE opted_out AND NOT blocked)::int AS opted_out,
    count(*) FILTER (WHERE NOT reachable AND NOT blocked AND NOT opted_out)::int AS invalid,
    coalesce((SELECT json_agg(s) FROM (SELECT id, name, phone FROM meant
      WHERE NOT blocked AND NOT opted_out AND reachable ORDER BY id LIMIT 10) s), '[]') AS sample
  FROM meant`,
    values: [storeId, at, ...values],
  };
};

/** Who gets it, and what the text of a message may name of them. */
export interface Recipient {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string;
  readonly city: string | null;
  readonly orders: number;
}

export const MOST_OF_A_PAGE = 10_000;

/** The next of them behind the contact `after`, in the order of their ids. */
export const recipientsOf = (storeId: string, at: Date, audience: Audience, after: string | null): Statement => {
  const { where, values } = conditionsOf(audience, 4);
  return {
    text: `
  SELECT c.id, c.name, p.phone, c.orders_count AS orders,
    (SELECT a.address ->> 'city' FROM contact_address a WHERE a.store_id = c.store_id AND a.contact_id = c.id ORDER BY a.id LIMIT 1) AS city
  ${among(where)} AND ${WANTED} AND c.id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
  ORDER BY c.id LIMIT ${MOST_OF_A_PAGE}`,
    values: [storeId, at, after, ...values],
  };
};

const placeIn = (name: string) => (at: number) => `audience.${name}[${at}]`;

/** Throws `NotFound` for tags that the store has not: without one, nobody knows who was meant, and who was left out by it would get it. */
export const demandTags = async (
  sql: Sql,
  storeId: string,
  { tag_ids = [], exclude_tag_ids = [] }: Audience,
): Promise<void> => {
  await demandRows(sql, storeId, ['tag_ids', tag_ids], placeIn('tag_ids'));
  await demandRows(sql, storeId, ['tag_ids', exclude_tag_ids], placeIn('exclude_tag_ids'));
};

/** Throws `InvalidInput` for one that means nobody in particular, `NotFound` for tags and contacts that the store has not. */
export const demandAudience = async (sql: Sql, storeId: string, audience: Audience): Promise<void> => {
  const { all, segment, contact_ids = [] } = audience;
  const narrowed = Object.entries(audience).some(([name, value]) => name !== 'all' && value !== undefined);
  const empty = segment && Object.values(segment).every((value) => value === undefined);
  if ((all === true) === narrowed || empty)
    throw new InvalidInput([
      { field: 'audience', tag: 'audience', message: 'audience must be all, or at least one condition' },
    ]);
  await demandTags(sql, storeId, audience);
  await demandRows(sql, storeId, ['contact_id', contact_ids], placeIn('contact_ids'));
};

export const preview = async (sql: Sql, storeId: string, at: Date, audience: Audience): Promise<AudiencePreview> => {
  await demandAudience(sql, storeId, audience);
  const { text, values } = previewOf(storeId, at, audience);
  const [found] = await sql.query<AudiencePreview>(text, [...values]);
  return found as AudiencePreview;
};
