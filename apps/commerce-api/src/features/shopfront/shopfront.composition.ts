import type { Area } from '../../area';
import { scriptPages } from './doors/scripts.pages';
import { sitemapPage, type SitemapParts } from './doors/sitemap.pages';
import { shopPages, type ShopParts } from './shelf/shop.pages';

/** What everybody sees of a shop. */
export const composeShopfront = ({
  database,
  sessions,
  publicUrl,
  shopAt,
}: ShopParts & Omit<SitemapParts, 'database'>): Area => ({
  ...{ endpoints: [], components: [], abilities: [] },
  pages: [shopPages({ database, sessions }), scriptPages(database), sitemapPage({ database, publicUrl, shopAt })],
});
