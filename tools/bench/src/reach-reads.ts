import type { Read } from './read-scale';
import { keyed } from './shop-data';

const DAY_MS = 86_400_000;

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** What somebody looks at who wants to know how the shop does. */
export const figureReads = (): Read[] => {
  const read = (name: string, path: string): Read => ({ name, path, keys: 1, expects: '"status":"success"' });
  const span = (days: number): string => `from=${dayBefore(days - 1)}&to=${dayBefore(0)}`;
  return [
    read('dashboard', '/api/dashboard/summary'),
    read('dashboard, alerts', '/api/dashboard/alerts'),
    read('dashboard, chart of 90 days', '/api/dashboard/sales-chart?days=90'),
    read('dashboard, best sellers of 30 days', '/api/dashboard/top-products?days=30'),
    read('sales of 90 days', `/api/report/sales?${span(90)}`),
    read('sales of a year by channel', `/api/report/sales?group=channel&${span(365)}`),
    read('products of a day', `/api/report/products?${span(1)}`),
    read('products of 90 days', `/api/report/products?${span(90)}`),
    read('products of a year', `/api/report/products?${span(365)}`),
    read('payments of 90 days', `/api/report/payments?${span(90)}`),
    read('sources of 30 days', `/api/tracking/sources?${span(30)}`),
    read('funnel of 30 days', `/api/tracking/funnel?${span(30)}`),
  ];
};

/** Segments of the contacts of a large shop, the first page of each. */
export const segmentReads = (): Read[] => {
  const tag = keyed('tag').replace('{key}', '0000007');
  const read = (name: string, filter: string): Read => ({
    ...{ name: `contacts ${name}`, path: `/api/contact?per_page=20&${filter}`, keys: 1, expects: '"current_page":' },
  });
  return [
    read('of a tag', `tag_ids=${tag}`),
    read('of a source', 'source=order'),
    read('with two orders', 'min_orders=2'),
    read('who ordered lately', `last_order_from=${dayBefore(30)}T00:00:00Z`),
    read('of a tag who ordered lately', `tag_ids=${tag}&min_orders=1&last_order_from=${dayBefore(90)}T00:00:00Z`),
  ];
};
