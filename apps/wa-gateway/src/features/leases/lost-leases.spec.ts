import { testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { LeasesRepository } from './leases.repository';

let database: TestDatabase;
let leases: LeasesRepository;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
  leases = new LeasesRepository(database, database);
});
afterAll(() => database.stop?.());
beforeEach(() => database.query('TRUNCATE lease, lost_lease'));

const take = (owner: string) => leases.take(['dev1'], { owner, address: `http://${owner}:1` }, 30);
const runOut = () => database.query(`UPDATE lease SET expires_at = now() - interval '1 second'`);
const forgiven = (owner: string) => leases.forgive(owner, 'dev1');

describe('a process that takes a device whose lease had run out', () => {
  it('forgives each of its former owners one login, and then nobody', async () => {
    for (const owner of ['one', 'two', 'three']) {
      await runOut();
      expect(await take(owner)).toEqual(['dev1']);
    }
    expect([await forgiven('three'), await forgiven('three'), await forgiven('three')]).toEqual([true, true, false]);
  });

  it('forgives nothing once the device is another one’s, who then may', async () => {
    await take('one');
    await runOut();
    await take('two');
    await runOut();
    expect(await forgiven('two')).toBe(false);
    await take('three');
    expect([await forgiven('two'), await forgiven('one'), await forgiven('three')]).toEqual([false, false, true]);
  });

  it('forgives none of its own logins, nor what was lost more than an hour ago, which is forgotten', async () => {
    await take('one');
    await runOut();
    await take('two');
    await runOut();
    await take('one');
    await database.query(`UPDATE lost_lease SET lost_at = now() - interval '61 minutes' WHERE owner = 'two'`);
    expect(await forgiven('one')).toBe(false);
    await leases.attend({ owner: 'one', address: 'http://one:1' }, 30);
    expect(await database.query('SELECT owner FROM lost_lease')).toEqual([{ owner: 'one' }]);
  });
});

it('a process that takes a device which was given back forgives nobody: its line was seen to end', async () => {
  await take('one');
  await leases.release('one', 'dev1');
  await take('two');
  await take('two');
  expect([await forgiven('two'), await database.query('SELECT owner FROM lost_lease')]).toEqual([false, []]);
});
