import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Slug } from '@platform/validation';
import { buyerFile } from '../../../web/buyer.file';
import type { Pages } from '../../../web/kit';
import { windowOf } from '../../catalogue/storefront/public';
import { sitemapOf } from './sitemap';

class SitemapQuery {
  @Slug({ optional: true, description: 'The shop; on a host of its own it is that of the host' }) shop?: string;
}

export interface SitemapParts {
  readonly database: Sql;
  /** Of our own pages. */
  readonly publicUrl: string | undefined;
  /** The shop that a host leads to. Throws `NotFound`. */
  readonly shopAt: (host: string) => Promise<{ readonly slug: string; readonly host: string }>;
}

/** What search engines are told of a shop: on its own host by itself, on ours of the shop that they name. */
export const sitemapPage = ({ database, publicUrl = '', shopAt }: SitemapParts): Pages =>
  buyerFile({
    ...{ get: '/sitemap.xml', query: SitemapQuery, type: 'application/xml', seconds: 3600 },
    load: async ({ query, host = '' }) => {
      const own = query.shop === undefined ? await shopAt(host) : undefined;
      const slug = query.shop ?? own?.slug ?? '';
      const origin = own === undefined ? publicUrl : `https://${own.host}`;
      if (!URL.canParse(origin)) throw new NotFound('Store not found');
      return sitemapOf(database, await windowOf(database, slug), origin);
    },
  });
