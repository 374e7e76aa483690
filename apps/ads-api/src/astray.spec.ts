// A process whose clock is days off beside others that are right.
import { until } from '@platform/testing';
import { useAdsWithGraph } from './ads.fixture';
import { jobQueue, type AdsJobs } from './jobs';

const DAY_MS = 86_400_000;
const ads = useAdsWithGraph({}, undefined, new Date());

type Task = keyof AdsJobs & ('accounts.rentals' | 'social.expiring');
/** By a clock that is so many days ahead. */
const doneBy = async (days: number, task: Task): Promise<void> => {
  ads.clock.advance(days * DAY_MS);
  await jobQueue().enqueue(ads.database, task, {}, { key: 'now' });
  const left = `SELECT 1 FROM ads_api_jobs._private_jobs WHERE key = 'now'`;
  await until(async () => (await ads.database.query(left)).length === 0);
  ads.clock.advance(-days * DAY_MS);
};

it('a process that is days ahead ends the rentals that are over, and no others', async () => {
  const { client, tokenId } = await ads.connected();
  await ads.database.query(
    `INSERT INTO ad_accounts (application_id, account_id, id, token_id, name, default_name, currency, account_status, balance, amount_spent,
       spend_cap, rental_status, rental_expires_at, synced_at)
     SELECT $1::uuid, account, gen_random_uuid(), $2::uuid, account, account, 'USD', 1, 0, 0, 0, 'active', now() + days * interval '1 day', now()
     FROM (VALUES ('1001', 1), ('1002', -1)) AS a (account, days)`,
    [client.id, tokenId],
  );
  const rentals = async () =>
    (
      await ads.database.query<{ rental_status: string }>('SELECT rental_status FROM ad_accounts ORDER BY account_id')
    ).map(({ rental_status }) => rental_status);
  await doneBy(3, 'accounts.rentals');
  expect(await rentals()).toEqual(['active', 'expired']);
});

it('a token that works is used on, whatever a process says that is two months ahead', async () => {
  const { tokenId } = await ads.connected();
  await ads.database.query(`UPDATE social_tokens SET expires_at = now() + interval '30 days' WHERE id = $1`, [tokenId]);
  await doneBy(60, 'social.expiring');
  const stands = 'SELECT is_active, inactive_reason FROM social_tokens WHERE id = $1';
  expect(await ads.database.query(stands, [tokenId])).toEqual([{ is_active: true, inactive_reason: null }]);
});
