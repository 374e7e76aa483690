import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultOf } from '../records/public';
import { refusals, requireStore } from '../tenancy/public';
import { StatsAnswer, StatsQuery } from './stats.dto';
import { STATS } from './stats.sql';

const DAY_MS = 24 * 3600 * 1000;
const MOST_DAYS = 366;

const demandSpan = ({ from, to }: StatsQuery): void => {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const wrong = (tag: string, text: string) => new InvalidInput([{ field: 'to', tag, message: `to ${text}` }]);
  if (days < 1) throw wrong('gtefield', 'must be greater than or equal to from');
  if (days > MOST_DAYS) throw wrong('max', `must be at most ${MOST_DAYS} days after from`);
};

/** Figures of a store and its people, for reports (design 2.9). */
export const statsEndpoints = (sql: Sql): Endpoint[] => [
  endpoint({
    get: '/internal/stats',
    summary: 'What happened in a store on some days, and how busy its people are now',
    guard: 'service',
    internal: true,
    tag: 'internal',
    query: StatsQuery,
    reply: StatsAnswer,
    refuses: [refusals.forbidden],
    handle: async ({ caller, query }) => {
      const storeId = requireStore(caller, query.store_id, refusals.forbidden);
      demandSpan(query);
      const [row] = await sql.prepared<{ record: string }>('stats', STATS, [storeId, query.from, query.to]);
      return resultOf(`"message":"success","data":${row?.record ?? 'null'}`);
    },
  }),
];
