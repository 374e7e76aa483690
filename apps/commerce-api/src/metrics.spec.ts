import { metricsOf, useOpened } from '@platform/testing';
import { startCommerce } from './commerce.fixture';

const opened = useOpened();

it('/metrics of commerce-api shows the breaker of store-auth open, and what it refuses, while store-auth is away', async () => {
  const commerce = opened(await startCommerce());
  const shown = () => metricsOf(commerce.url, 'peer_breaker_state', 'peer_calls_refused_total', 'db_pool_waiting');
  const expected = (state: number, refused: number) => ({
    'peer_breaker_state{peer="store-auth"}': state,
    'peer_calls_refused_total{peer="store-auth"}': refused,
    'db_pool_waiting{component="commerce_api"}': 0,
  });
  expect(await shown()).toEqual(expected(0, 0));
  await commerce.storeAuth.stop();
  const credentials = { email: 'owner@toko-nusa.example', password: 'any of them' };
  for (let tries = 0; tries < 7; tries++) await commerce.post('/api/auth/login', credentials);
  expect(await shown()).toEqual(expected(2, 2));
});
