import type { Sql } from '@platform/data';
import { NO_PART, type Days } from '../counting/public';
import { biolinkById } from './biolinks.sql';
import type { BiolinkDay, BiolinkStatistics, BlockClicks } from './biolinks.dto';

/** How many blocks that are gone are told of. */
const MOST_GONE = 100;

const STATISTICS = `
  WITH counted AS (
    SELECT day, block_id, count FROM biolink_daily
    WHERE store_id = $1 AND biolink_id = $4 AND day BETWEEN $2::date AND $3::date
  ), daily AS (
    SELECT day, sum(count) FILTER (WHERE block_id = '${NO_PART}') AS views, sum(count) FILTER (WHERE block_id <> '${NO_PART}') AS clicks
    FROM counted GROUP BY day
  ), clicked AS (
    SELECT block_id AS id, sum(count) AS clicks FROM counted WHERE block_id <> '${NO_PART}' GROUP BY 1
  ), shown AS (SELECT id, position FROM biolink_block WHERE store_id = $1 AND biolink_id = $4),
  gone AS (SELECT id, clicks FROM clicked WHERE id NOT IN (SELECT id FROM shown) ORDER BY clicks DESC, id LIMIT ${MOST_GONE}),
  blocks AS (
    SELECT id, coalesce(clicks, 0) AS clicks, position FROM shown LEFT JOIN clicked USING (id) UNION ALL SELECT id, clicks, NULL FROM gone
  )
  SELECT (SELECT json_agg(json_build_object('id', id, 'clicks', clicks) ORDER BY position NULLS LAST, clicks DESC, id) FROM blocks) AS blocks,
    (SELECT json_agg(json_build_object('day', g.day::date, 'views', coalesce(views, 0), 'clicks', coalesce(clicks, 0)) ORDER BY g.day)
      FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS g(day) LEFT JOIN daily d ON d.day = g.day::date) AS days`;

interface Row {
  readonly blocks: BlockClicks[] | null;
  readonly days: BiolinkDay[];
}

/** What people did with a page day by day, where the store is. Throws `NotFound`. */
export const biolinkStatistics = async (
  sql: Sql,
  storeId: string,
  id: string,
  { from, to }: Days,
): Promise<BiolinkStatistics> => {
  await biolinkById(sql, storeId, id);
  const rows = await sql.prepared<Row>('biolink statistics', STATISTICS, [storeId, from, to, id]);
  const { blocks, days } = rows[0] as Row;
  const total = (name: 'views' | 'clicks'): number => days.reduce((sum, day) => sum + day[name], 0);
  return { views: total('views'), clicks: total('clicks'), blocks: blocks ?? [], days };
};

/** For tests of their plans. */
export const STATISTICS_STATEMENT = STATISTICS;
