import type { Sql } from '@platform/data';
import { shopPagesOf } from '../shelf/public';
import type { ShopWindow } from '../../catalogue/storefront/public';

/** A sitemap may hold 50,000; of a shop with more the newest are told. */
const MOST = 10_000;

const ADDRESSES = `
  (SELECT '/s/' || s.slug || '/products/' || p.slug AS path, p.updated_at AS at FROM store s
    JOIN product p ON p.store_id = s.store_id AND p.status = 'active' WHERE s.store_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST})
  UNION ALL
  (SELECT '/b/' || b.slug, b.updated_at FROM biolink b WHERE b.store_id = $1 AND b.published ORDER BY b.id LIMIT 50)`;

interface Address {
  readonly path: string;
  readonly at?: Date;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const entryOf = (origin: string, { path, at }: Address): string => {
  const changed = at ? `<lastmod>${at.toISOString().slice(0, 10)}</lastmod>` : '';
  return `<url><loc>${escaped(new URL(path, origin).href)}</loc>${changed}</url>`;
};

/** Every page of a shop that search engines may show. */
export const sitemapOf = async (sql: Sql, shop: ShopWindow, origin: string): Promise<string> => {
  const rows = await sql.prepared<Required<Address>>('sitemap', ADDRESSES, [shop.store_id]);
  const home = `/s/${shop.slug}`;
  const own = [home, `${home}/products`, ...shopPagesOf(shop).map(({ page }) => `${home}/pages/${page}`)];
  const entries = [...own.map((path) => ({ path })), ...rows].map((address) => entryOf(origin, address));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`,
  ].join('\n');
};
