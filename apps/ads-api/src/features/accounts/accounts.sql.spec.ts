import { explain, type Plan, useDatabase, vacuumed } from '@platform/testing';
import { entities, migrations, schema } from '../../data-source';
import { ACCOUNTS_OF_BUSINESS, FIND_ACCOUNT } from './accounts.sql';

const database = useDatabase({ schema, entities, migrations });
const APPLICATION = '00000000-0000-7000-8000-000000000001';

const indexesOf = (plan: Plan): string[] => [plan['Index Name'] ?? '', ...(plan.Plans ?? []).flatMap(indexesOf)];

describe('of an application with many social accounts', () => {
  beforeAll(async () => {
    await database.query(`INSERT INTO applications (id, name, created_at) VALUES ($1, 'Large', now())`, [APPLICATION]);
    await database.query(
      `INSERT INTO social_tokens (application_id, id, social_user_id, social_user_name, connected_at)
       SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n, 'U', timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, 1000) n`,
      [APPLICATION],
    );
    await vacuumed(database);
  });

  it('those who are asked for an account are taken, not picked out of all', async () => {
    const values = ['act1', APPLICATION];
    expect(indexesOf(await explain(database, FIND_ACCOUNT, values))).toContain('social_tokens_newest');
    const [row] = await database.query<{ candidates: string[] }>(FIND_ACCOUNT, values);
    expect(row?.candidates.map((candidate) => Number(candidate.slice(24, 36)))).toEqual([1000, 999, 998]);
  });

  it('the accounts of a business are found by it', async () =>
    expect(indexesOf(await explain(database, ACCOUNTS_OF_BUSINESS, [APPLICATION, 'b1', 10]))).toContain(
      'ad_accounts_business',
    ));
});
