import type { Database } from '@platform/data';
import { filePage } from '../../../web/file.page';
import type { Pages } from '../../../web/kit';
import { CATALOGUE_FILE, exportListing, ExportQuery, withoutCosts } from './export';

/** The catalogue as a file, for people. */
export const exportPages = (database: Database): Pages =>
  filePage({
    ...{ get: '/products/export', ability: 'product.read', query: ExportQuery, reply: CATALOGUE_FILE },
    load: ({ viewer: { caller }, query, signal }) => {
      const rows = exportListing.stream(database, caller.storeId, query, { signal });
      return caller.abilities.has('product.cost') ? rows : withoutCosts(rows);
    },
  });
