import { metricsOf } from '@platform/testing';
import { bearer, useApp } from './app.fixture';

const { app } = useApp({ environment: { COMMERCE_URL: 'http://127.0.0.1:9' } });

it('/metrics of store-auth shows the breaker of commerce-api open, and what it refuses, while commerce-api is away', async () => {
  const shown = () => metricsOf(app.url, 'peer_breaker_state', 'peer_calls_refused_total', 'db_pool_waiting');
  const expected = (state: number, refused: number) => ({
    'peer_breaker_state{peer="commerce-api"}': state,
    'peer_calls_refused_total{peer="commerce-api"}': refused,
    'db_pool_waiting{component="database"}': 0,
  });
  expect(await shown()).toEqual(expected(0, 0));
  const user = bearer((await app.login()).token);
  const order = { products: [{ sku: 'KAOS-M', qty: 1 }] };
  for (let tries = 0; tries < 7; tries++) await app.post('/api/product/check_stock_products', order, user);
  expect(await shown()).toEqual(expected(2, 2));
});
