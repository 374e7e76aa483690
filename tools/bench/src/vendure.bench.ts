import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Figures, Report } from './bench.types';
import { httpRequest, measureServer } from './load';
import { offered, shopOrders } from './order-whole';
import { jobOf } from './read-scale';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { seededDatabase } from './seeded-database';
import { startServer, type MeasuredServer } from './server-process';
import { servedShop } from './shop';
import { sizesOf } from './shop-data';
import { workspaceRoot } from './workspace';

/** Of our shop; Vendure has as many products. */
const ORDERS = 10_000;
const CONNECTIONS = 8;
const ROUNDS = 3;
const SECONDS = 4;
const MAIN = 'tools/bench/src/vendure.server.ts';
const FOLDER = join(workspaceRoot, '.data/bench/vendure');
const INSTALL = 'npm install --prefix .data/bench/vendure @vendure/core@3.7.3 pg@8.23.1';

const installedVersion = (): string => {
  const file = join(FOLDER, 'node_modules/@vendure/core/package.json');
  if (!existsSync(file)) throw new Error(`Vendure is not installed for comparison: ${INSTALL}`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/** Vendure on a database of its own in the cluster of ours, which is kept between runs. */
const servedVendure = async (report: Report, products: number): Promise<MeasuredServer> => {
  const { path } = await scratchFolder(report);
  const settings = (url: string) => ({ VENDURE_DIR: FOLDER, DATABASE_URL: url, PRODUCTS: String(products) });
  const title = `Vendure with ${products.toLocaleString('en-US')} products`;
  const { url } = await seededDatabase(report, {
    ...{ database: `vendure_${products}`, schema: 'vendure', main: MAIN, title, steps: [], settings },
  });
  const log = join(path, 'vendure.log');
  return report.shared('vendure', () =>
    startServer({ script: MAIN, settings: settings(url), readyPath: '/health', log }),
  );
};

/** A list of 20 products with their prices. */
const listOf = (query: string, expects: string) => ({
  ...{ connections: CONNECTIONS, seconds: SECONDS, keys: 1, keyWidth: 1, expects },
  request: httpRequest('/shop-api', { 'Content-Type': 'application/json' }, JSON.stringify({ query }), 1),
});
const ENTITIES = listOf(
  '{ products(options: { take: 20, sort: { createdAt: DESC } }) { totalItems items { id name slug variants { id sku priceWithTax } } } }',
  '"priceWithTax":11100',
);
const INDEX = listOf(
  '{ search(input: { take: 20, groupByProduct: true }) { totalItems items { productId productName slug priceWithTax { ... on PriceRange { min max } } } } }',
  '"min":11100',
);

const lists = async (report: Report, vendure: MeasuredServer): Promise<void> => {
  const shop = await servedShop(report, ORDERS);
  const ours = { name: 'products', path: '/api/products?per_page=20', keys: 1, expects: '"current_page":' };
  const found = await alternate(
    {
      'ours, products': () => measureServer(shop.server, { ...jobOf(shop, ours, CONNECTIONS), seconds: SECONDS }),
      'Vendure, products': () => measureServer(vendure, ENTITIES),
      'Vendure, its search index': () => measureServer(vendure, INDEX),
    },
    ROUNDS,
  );
  report.table(`A list of 20 products with prices, ${CONNECTIONS} connections`, found);
  const of = (name: keyof typeof found) => ratioOf(found['ours, products'], found[name], 'requests/s');
  report.ratio('list', of('Vendure, products'), 'lists a second, ours : Vendure');
  report.ratio('list-index', of('Vendure, its search index'), 'lists a second, ours : Vendure from its search index');
};

const orders = async (report: Report, vendure: MeasuredServer, products: number): Promise<void> => {
  // Apart from the shop that is read: orders change it
  const shop = await servedShop(report, 2 * ORDERS);
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const url = `http://127.0.0.1:${vendure.port}`;
  const theirs = { ...load, at: 'vendure' as const, url, headers: {}, order: '', keys: products, keyWidth: 1 };
  const found: Record<'ours' | 'Vendure', Figures> = await alternate(
    {
      ours: () => offered(shop.server, { ...shopOrders(shop, 2 * ORDERS), ...load }),
      Vendure: () => offered(vendure, theirs),
    },
    ROUNDS,
  );
  report.table(`An order of two lines, placed and paid, ${CONNECTIONS} connections`, found);
  report.ratio('order', ratioOf(found.ours, found.Vendure, 'orders/s'), 'orders a second, ours : Vendure');
};

/** The same work at Vendure, for scale. */
export const bench: Bench = {
  name: 'vendure',
  onlyNamed: `it needs Vendure: ${INSTALL}`,
  run: async (report) => {
    const version = installedVersion();
    const { products } = sizesOf(ORDERS);
    const vendure = await servedVendure(report, products);
    await lists(report, vendure);
    await orders(report, vendure, products);
    report.note(
      `Vendure ${version} in its default configuration with its search index, on the same PostgreSQL with as many connections, and without its worker; what follows from our orders is done by jobs of the process that is measured. Its orders are the mutations that a storefront sends: two lines, customer, address, shipping, state, payment. Ours are placed and paid at the counter, in two requests.`,
    );
  },
};
