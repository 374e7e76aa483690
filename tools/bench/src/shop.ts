import { join } from 'node:path';
import type { Database } from '@platform/data';
import type { Report, Started } from './bench.types';
import type { Served } from './read-scale';
import { scratchFolder } from './scratch-folder';
import { seededDatabase } from './seeded-database';
import { startServer } from './server-process';
import { SHOP, shopSteps, sizesOf } from './shop-data';
import { shopReads } from './shop-reads';
import { tokenIssuer } from './token-issuer';

const SCHEMA = 'commerce_api';
const MAIN = 'apps/commerce-api/src/main.ts';

interface Place {
  readonly url: string;
  readonly issuer: string;
  readonly folder: string;
}

const settingsOf = ({ url, issuer, folder }: Place): Record<string, string> => ({
  APP_ENV: 'development',
  DATABASE_URL: url,
  STORE_AUTH_URL: issuer,
  SERVICE_CLIENT_SECRET: 'bench',
  MEDIA_DIR: join(folder, 'shop-media'),
  // A limit per user, and each bench is a single user
  RATE_PER_MINUTE: '1000000',
});

export interface ServedShop extends Served, Started {
  /** Superuser of its database. */
  readonly admin: Database;
}

/** The real commerce-api on a shop with so many orders, which is kept between runs; `more` settings than the usual. */
export const servedShop = async (
  report: Report,
  orders: number,
  more: Readonly<Record<string, string>> = {},
): Promise<ServedShop> => {
  const { path: folder } = await scratchFolder(report);
  const { url: issuer, tokenFor } = await tokenIssuer(report);
  const { products, contacts } = sizesOf(orders);
  const size = `${orders.toLocaleString('en-US')} orders, ${products.toLocaleString('en-US')} products, ${contacts.toLocaleString('en-US')} contacts`;
  const { url, admin } = await seededDatabase(report, {
    ...{ database: `shop_${orders}`, schema: SCHEMA, main: MAIN, title: `shop of ${size}`, steps: shopSteps(orders) },
    settings: (own) => settingsOf({ url: own, issuer, folder }),
  });
  return report.shared(['commerce-api on', orders, ...Object.keys(more)].join(' '), async () => {
    const settings = { ...settingsOf({ url, issuer, folder }), ...more };
    const server = await startServer({ script: MAIN, settings, readyPath: '/ready', log: join(folder, 'shop.log') });
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${tokenFor('commerce-api', SHOP, 'owner')}`,
    };
    const reads = shopReads(orders);
    return { size, server, url, admin, schema: SCHEMA, folder, headers, reads, stop: () => server.stop() };
  });
};
