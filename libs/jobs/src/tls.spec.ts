import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, provision } from '@platform/data';
import { Sends, silentLogger } from '@platform/runtime';
import { certificateAuthority, ownCluster, until } from '@platform/testing';
import { openJobs } from './jobs';

it('jobs are heard of and done over connections that are all encrypted, where the server takes no others', async () => {
  const authority = certificateAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  writeFileSync(join(folder, 'ca.crt'), authority.certificate);
  const verified = (url: string): string => {
    const address = new URL(url);
    address.hostname = 'localhost';
    address.search = `?sslmode=verify-full&sslrootcert=${join(folder, 'ca.crt')}`;
    return address.href;
  };
  const cluster = await ownCluster(authority.issue('localhost'));
  const url = verified(
    await provision(verified(cluster.url), { role: 'shop', password: 'p', schema: 'shop', database: 'shop' }),
  );
  const database = openDatabase({ url, schema: 'shop', logger: silentLogger, name: 'shop' });
  await database.migrate();
  const done: string[] = [];
  const jobs = openJobs<{ greet: { name: string } }>({
    database,
    logger: silentLogger,
    schema: 'shop_jobs',
    tasks: { greet: { effect: 'inside', run: async ({ name }) => void done.push(name) } },
    sends: new Sends(),
  });
  await jobs.migrate();
  await jobs.start?.();
  await database.tx((tx) => jobs.enqueue(tx, 'greet', { name: 'Rina' }));
  await until(() => done.length > 0);
  const sessions = await database.query(
    `SELECT DISTINCT ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE datname = 'shop'`,
  );
  await jobs.stop?.();
  await database.stop?.();
  await cluster.stop();
  rmSync(folder, { recursive: true });
  expect([done, sessions]).toEqual([['Rina'], [{ ssl: true }]]);
});
