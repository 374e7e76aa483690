import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { CATALOGUE_FILE, exportListing, ExportQuery, withoutCosts } from './export';

export const exportEndpoints = (database: Database): Endpoint[] => [
  endpoint({
    get: '/api/products/export',
    summary: 'Export catalogue as CSV',
    tag: 'E-commerce',
    guard: 'product.read',
    query: ExportQuery,
    reply: CATALOGUE_FILE,
    refuses: [],
    handle: ({ caller, query, signal }) => {
      const rows = exportListing.stream(database, caller.storeId, query, { signal });
      return caller.abilities.has('product.cost') ? rows : withoutCosts(rows);
    },
  }),
];
