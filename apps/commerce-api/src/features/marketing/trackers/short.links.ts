import { withLinkCode } from '@platform/contracts';
import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { utmNames, type Utm } from '../attribution/public';
import type { Tally } from '../counting/public';
import { isPerson } from '../../../person';

/** Clicks of people, by the day of the store. */
export const CLICKS = {
  name: 'tracker clicks',
  text: `INSERT INTO tracker_daily AS d (store_id, tracker_id, day, clicks)
    SELECT t.store_id, t.id, ($4::timestamptz AT TIME ZONE s.timezone)::date, count(*)
    FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS g(store_id, id, part)
      JOIN tracker_link t ON t.store_id = g.store_id AND t.id = g.id JOIN store s ON s.store_id = t.store_id
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (store_id, tracker_id, day) DO UPDATE SET clicks = d.clicks + EXCLUDED.clicks`,
};

const FIND = `SELECT t.store_id AS "storeId", t.id, t.code, t.target, t.utm FROM global_key k
  JOIN store s ON s.store_id = k.store_id AND s.status <> 'suspended'
  JOIN tracker_link t ON t.store_id = k.store_id AND t.id = nullif(k.ref_id, '')::uuid
  WHERE k.kind = 'tracker' AND k.value = $1`;

interface Found {
  readonly storeId: string;
  readonly id: string;
  readonly code: string;
  readonly target: string;
  readonly utm: Utm;
}

const WHATSAPP = new Set(['wa.me', 'api.whatsapp.com']);

/** Where a click leads: a message ends in the code, by which chat-backend knows it, and a page is told from where its visitor comes. */
export const destinationOf = ({ code, target, utm }: Pick<Found, 'code' | 'target' | 'utm'>): string => {
  const url = new URL(target);
  if (WHATSAPP.has(url.hostname)) {
    url.searchParams.set('text', withLinkCode(url.searchParams.get('text') ?? '', code));
    return url.href;
  }
  for (const name of utmNames) {
    const value = name === 'id' ? code : utm[name];
    if (value !== undefined) url.searchParams.set(`utm_${name}`, value);
  }
  return url.href;
};

/** What the page `/t/{code}` asks. */
export class ShortLinks {
  constructor(
    private readonly sql: Sql,
    private readonly clicks: Pick<Tally, 'count'>,
  ) {}

  /** Counts a person's click, once it is committed, and says where it leads. Throws `NotFound`, also for a store that is suspended. */
  async follow(code: string, userAgent: string | undefined): Promise<string> {
    const [found] = await this.sql.prepared<Found>('short link', FIND, [code.toLowerCase()]);
    if (!found) throw new NotFound('Short link not found');
    if (isPerson(userAgent)) await this.clicks.count({ storeId: found.storeId, id: found.id });
    return destinationOf(found);
  }
}
