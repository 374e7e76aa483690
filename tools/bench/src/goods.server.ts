// commerce-api taken out: knows one product, for every store.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
const ROW = {
  ...{ sku: 'SKU-1', product_id: 'P1', variant_id: 'V1', name: 'Sepatu Lari Nusa Hitam', category: 'Sepatu' },
  ...{ description: '', price: 250_000, stock: 7, image: null, url: null, status: 'active' },
  updated_at: '2026-01-01T00:00:00.000Z',
};
const STOCK = { product_id: 'P1', variant_id: 'V1', sku: 'SKU-1', qty: 1, stock: 7, available: true };
const envelope = (data: unknown, meta: object): string =>
  JSON.stringify({ status: 'success', message: 'ok', data, meta });
const PAGE = { current_page: 1, per_page: 100, total: 1, last_page: 1, from: 1, to: 1 };

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      request.url?.includes('check-stock') ? envelope([STOCK], { all_available: true }) : envelope([ROW], PAGE),
    );
  });
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
