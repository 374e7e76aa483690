import type { Sql } from '@platform/data';
import { NotFound, type Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { isPerson } from '../../../person';
import type { Tally } from '../counting/public';
import { BLOCK_SHOWN, blocksOf, type StoredBiolink } from './biolinks.sql';
import type { BiolinkBlock } from './blocks.dto';

/** Views of pages and clicks on their blocks, by the day of the store. */
export const VIEWS = {
  name: 'biolink views',
  text: `INSERT INTO biolink_daily AS d (store_id, biolink_id, day, block_id, count)
    SELECT b.store_id, b.id, ($4::timestamptz AT TIME ZONE s.timezone)::date, g.part, count(*)
    FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS g(store_id, id, part)
      JOIN biolink b ON b.store_id = g.store_id AND b.id = g.id JOIN store s ON s.store_id = b.store_id
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (store_id, biolink_id, day, block_id) DO UPDATE SET count = d.count + EXCLUDED.count`,
};

const OPEN = `FROM global_key g JOIN store s ON s.store_id = g.store_id AND s.status <> 'suspended'
  JOIN biolink b ON b.store_id = g.store_id AND b.id = nullif(g.ref_id, '')::uuid AND b.published`;
const FIND = `
  SELECT b.store_id AS "storeId", b.id, b.slug, b.title, b.bio, b.avatar_url, b.theme, b.published, ${blocksOf(' AND k.active')} AS blocks
  ${OPEN} WHERE g.kind = 'biolink' AND g.value = $1`;
/** A heading leads nowhere. */
const FIND_BLOCK = `
  SELECT b.store_id AS "storeId", b.id, ${BLOCK_SHOWN} AS block ${OPEN}
  JOIN biolink_block k ON k.store_id = b.store_id AND k.biolink_id = b.id AND k.id = $2 AND k.active AND k.kind <> 'heading'
  WHERE g.kind = 'biolink' AND g.value = $1`;

interface Found {
  readonly storeId: string;
  readonly id: string;
}

const notFound = (): Failure => new NotFound('Page not found');

/** What the pages `/b/{slug}` ask. Neither is there for a page that is not published, or whose store is suspended. */
export class PublicBiolinks {
  constructor(
    private readonly sql: Sql,
    private readonly views: Pick<Tally, 'count'>,
  ) {}

  /** The page with the blocks that it shows. Counts a person's view, once it is committed. Throws `NotFound`. */
  async view(slug: string, userAgent: string | undefined): Promise<StoredBiolink & Found> {
    const [page] = await this.sql.prepared<StoredBiolink & Found>('public biolink', FIND, [slug]);
    if (!page) throw notFound();
    if (isPerson(userAgent)) await this.views.count({ storeId: page.storeId, id: page.id });
    return page;
  }

  /** The block that was clicked on. Counts a person's click, once it is committed. Throws `NotFound`, also for one that is not shown. */
  async click(slug: string, blockId: string, userAgent: string | undefined): Promise<BiolinkBlock> {
    const values = [slug, blockId];
    const found = isUuid(blockId)
      ? await this.sql.prepared<Found & { readonly block: BiolinkBlock }>('public biolink block', FIND_BLOCK, values)
      : [];
    const [{ storeId, id, block } = { block: undefined }] = found;
    if (!block) throw notFound();
    if (isPerson(userAgent)) await this.views.count({ storeId, id, part: block.id });
    return block;
  }
}

/** For tests of their plans. */
export const PUBLIC_STATEMENTS = { view: FIND, click: FIND_BLOCK } as const;
