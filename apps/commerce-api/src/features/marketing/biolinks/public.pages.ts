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

/** Of a product and a checkout link, while they can be bought: $1 store, $2 page. */
const NAMES = `
  SELECT k.id, coalesce(p.name, c.name) AS name FROM biolink_block k
    LEFT JOIN product p ON p.store_id = k.store_id AND p.id = (k.data ->> 'product_id')::uuid AND p.status = 'active'
    LEFT JOIN checkout_link c ON c.store_id = k.store_id AND c.id = (k.data ->> 'checkout_link_id')::uuid AND c.status = 'active'
  WHERE k.store_id = $1 AND k.biolink_id = $2 AND k.kind IN ('product', 'checkout') AND coalesce(p.name, c.name) IS NOT NULL`;
/** $1 store, $2 product, $3 checkout link. */
const GOODS = `
  SELECT '/s/' || s.slug || '/products/' || p.slug AS path FROM store s
    JOIN product p ON p.store_id = s.store_id AND p.id = $2::uuid AND p.status = 'active' WHERE s.store_id = $1
  UNION ALL SELECT '/l/' || c.code FROM checkout_link c WHERE c.store_id = $1 AND c.id = $3::uuid AND c.status = 'active'`;

/** What the goods on a page are called, by the block; those that cannot be bought have no name. */
export const namesOfGoods = async (sql: Sql, storeId: string, id: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql.prepared<{ id: string; name: string }>('biolink names', NAMES, [storeId, id]);
  return new Map(rows.map((row) => [row.id, row.name]));
};

const OPEN = `FROM global_key g JOIN store s ON s.store_id = g.store_id AND s.status <> 'suspended'
  JOIN biolink b ON b.store_id = g.store_id AND b.id = nullif(g.ref_id, '')::uuid AND b.published`;
const FIND = `
  SELECT b.store_id AS "storeId", s.name AS store, s.phone, b.id, b.slug, b.title, b.bio, b.avatar_url, b.theme, b.published,
    ${blocksOf(' AND k.active')} AS blocks
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

/** A page that everybody sees, and whose it is. */
export interface PublicBiolink extends StoredBiolink {
  readonly storeId: string;
  readonly store: string;
  readonly phone: string | null;
}
interface FoundBlock extends Found {
  readonly block: BiolinkBlock;
}

const notFound = (): Failure => new NotFound('Page not found');

/** A chat that begins with a text. */
const chatUrl = (phone: string, text: string | undefined): string => {
  const url = new URL(`https://wa.me/${phone.replace(/\D/g, '')}`);
  if (text !== undefined) url.searchParams.set('text', text);
  return url.href;
};

/** What the pages `/b/{slug}` ask. Neither is there for a page that is not published, or whose store is suspended. */
export class PublicBiolinks {
  constructor(
    private readonly sql: Sql,
    private readonly views: Pick<Tally, 'count'>,
  ) {}

  /** The page with the blocks that it shows. Counts a person's view, once it is committed. Throws `NotFound`. */
  async view(slug: string, userAgent: string | undefined): Promise<PublicBiolink> {
    const [page] = await this.sql.prepared<PublicBiolink>('public biolink', FIND, [slug]);
    if (!page) throw notFound();
    if (isPerson(userAgent)) await this.views.count({ storeId: page.storeId, id: page.id });
    return page;
  }

  /** What the goods on it are called, by the block. */
  names({ storeId, id }: Found): Promise<ReadonlyMap<string, string>> {
    return namesOfGoods(this.sql, storeId, id);
  }

  /** The block that was clicked on. Counts a person's click, once it is committed. Throws `NotFound`, also for one that is not shown. */
  async click(slug: string, blockId: string, userAgent: string | undefined): Promise<BiolinkBlock> {
    const found = await this.found(slug, blockId);
    await this.counted(found, userAgent);
    return found.block;
  }

  /**
   * Where a click leads; of several places of one block to the one called `to`. Counts a person's click. Throws `NotFound`, also for goods that
   * cannot be bought: such a click counts for nothing.
   */
  async follow(
    slug: string,
    blockId: string,
    { userAgent, to = 0 }: { readonly userAgent: string | undefined; readonly to?: number | undefined },
  ): Promise<string> {
    const found = await this.found(slug, blockId);
    const target = await this.target(found, to);
    if (target === undefined) throw notFound();
    await this.counted(found, userAgent);
    return target;
  }

  private async target({ storeId, block }: FoundBlock, to: number): Promise<string | undefined> {
    const { url, links, phone, text, product_id = null, checkout_link_id = null } = block.data;
    if (phone !== undefined) return chatUrl(phone, text);
    if (product_id === null && checkout_link_id === null) return links ? links[to]?.url : url;
    const values = [storeId, product_id, checkout_link_id];
    const [goods] = await this.sql.prepared<{ path: string }>('biolink goods', GOODS, values);
    return goods?.path;
  }

  private async found(slug: string, blockId: string): Promise<FoundBlock> {
    const found = isUuid(blockId)
      ? await this.sql.prepared<FoundBlock>('public biolink block', FIND_BLOCK, [slug, blockId])
      : [];
    if (found[0]) return found[0];
    throw notFound();
  }

  private async counted({ storeId, id, block }: FoundBlock, userAgent: string | undefined): Promise<void> {
    if (isPerson(userAgent)) await this.views.count({ storeId, id, part: block.id });
  }
}

/** For tests of their plans. */
export const PUBLIC_STATEMENTS = { view: FIND, click: FIND_BLOCK } as const;
