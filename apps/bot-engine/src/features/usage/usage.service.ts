import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { StoreDirectory } from '../stores/public';
import type { UsageQuery, UsageView } from './usage.dto';
import { USAGE } from './usage.sql';

const MOST_DAYS = 366;
const DAY_MS = 86_400_000;
/** Of the platform, for a store whose own is none. */
const USUAL_ZONE = 'Asia/Jakarta';

type Day = UsageView['days'][number];
/** `bigint` columns arrive as text. */
interface DayRow extends Omit<Day, 'tokens_in' | 'tokens_out' | 'cost_micros'> {
  readonly tokens_in: string;
  readonly tokens_out: string;
  readonly cost_micros: string;
}

const refused = (field: string, message: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'period', message: `${field} ${message}` }]);

const checked = ({ from, to }: UsageQuery): void => {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw refused('to', 'must not be before from');
  if (days > MOST_DAYS) throw refused('to', `must be at most ${MOST_DAYS - 1} days after from`);
};

const zoneOf = (timezone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return USUAL_ZONE;
  }
};

const dayOf = ({ tokens_in, tokens_out, cost_micros, ...day }: DayRow): Day => ({
  ...day,
  tokens_in: Number(tokens_in),
  tokens_out: Number(tokens_out),
  cost_micros: Number(cost_micros),
});

const COUNTS = ['replies', 'handovers', 'fallbacks', 'tokens_in', 'tokens_out', 'cost_micros', 'unpriced'] as const;

/** What the agents of a store did and cost, from its runs and the log of its model calls. */
export class UsageService {
  constructor(
    private readonly database: Pick<Sql, 'query'>,
    private readonly stores: Pick<StoreDirectory, 'get'>,
  ) {}

  async of(storeId: string, query: UsageQuery): Promise<UsageView> {
    checked(query);
    const { timezone } = await this.stores.get(storeId);
    const values = [storeId, query.from, query.to, zoneOf(timezone), query.agent_id ?? null];
    const days = (await this.database.query<DayRow>(USAGE, values)).map(dayOf);
    const sums = COUNTS.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)] as const);
    return { ...(Object.fromEntries(sums) as Record<(typeof COUNTS)[number], number>), days };
  }
}
