import { until } from '@platform/testing';
import { asked, useCaps } from './caps.fixture';

const { database, upstream, start, account, states, expectBalanced } = useCaps();
afterEach(() => jest.restoreAllMocks());

it('a write whose sender died long before it was looked for is looked at as long as it counts as late, also by a clock that is an hour behind', async () => {
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
  let process = await start();
  const key = await account();
  upstream.misbehave('apply_late');
  const killed = upstream.afterWrite(() => void process.kill());
  const lost = process.caps.submit(asked(key, 'topup', { amount: 500, canBeAsked: true })).catch(() => undefined);
  await killed;
  await database.query(`UPDATE account_leases SET until = '-infinity' WHERE account_id = $1`, [key.accountId]);
  const ago = `jsonb_set(attempts, '{0,sent_at}', to_jsonb(clock_timestamp() - interval '6 minutes'))`;
  await database.query(`UPDATE cap_batches SET attempts = ${ago} WHERE account_id = $1`, [key.accountId]);
  process = await start();
  await until(
    () => states(key),
    ([state]) => state === 'applied',
  );
  await lost;
  const looks = await database.query<{ minutes: number }>(
    `SELECT round(extract(epoch FROM run_at - now()) / 60)::int AS minutes FROM ads_api_jobs._private_jobs
     WHERE payload ->> 'accountId' = $1 AND key LIKE '%late%' ORDER BY run_at`,
    [key.accountId],
  );
  expect(looks.at(-1)).toEqual({ minutes: 10 });
  await expectBalanced(key);
});
