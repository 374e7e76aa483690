import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@platform/data';
import { startCluster, type Cluster } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import { provisionRoles } from './roles';
import { workspaceRoot } from './workspace';

const folder = mkdtempSync(join(tmpdir(), 'stack-roles-'));
let cluster: Cluster;
/** As a managed server has one: no superuser, owns the database, may create roles. */
let adminUrl: string;

const addressIn = (service: string): string =>
  /^DATABASE_URL=(.*)$/m.exec(readFileSync(join(folder, `${service}.env`), 'utf8'))?.[1] ?? '';

beforeAll(async () => {
  cluster = await startCluster({ directory: join(folder, 'postgres'), throwaway: true });
  const root = openDatabase({ url: cluster.url, schema: 'public', poolSize: 1, logger: silentLogger });
  await root.query(`CREATE ROLE administrator LOGIN CREATEROLE CREATEDB PASSWORD 'a'`);
  await root.query('CREATE DATABASE platform OWNER administrator');
  await root.stop?.();
  const url = new URL(cluster.url);
  url.pathname = '/platform';
  Object.assign(url, { username: 'administrator', password: 'a' });
  adminUrl = url.href;
  execFileSync(process.execPath, [join(workspaceRoot, 'docker/secrets.mjs'), url.hostname, join(folder, 'made')]);
  execFileSync('sh', ['-c', `mv "$0"/made/* "$0" && sed -i "s/:5432/:${url.port}/" "$0"/*.env`, folder]);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

describe('roles on a managed server', () => {
  it('are created by an administrator who is no superuser, repeatably, and a service starts with the address of its file', async () => {
    const printed: string[] = [];
    await provisionRoles(adminUrl, folder, (line) => printed.push(line));
    await provisionRoles(adminUrl, folder, () => undefined);
    expect(printed).toHaveLength(6);
    expect(printed[1]).toBe('role chat_backend with the schema chat_backend');
    const chat = openDatabase({ url: addressIn('chat-backend'), schema: 'chat_backend', logger: silentLogger });
    await chat.start?.();
    expect(await chat.query('CREATE TABLE made (name citext)')).toEqual([]);
    expect(
      await chat.query(
        `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS "limit", to_regclass('chat_backend.made')::text AS made`,
      ),
    ).toEqual([{ path: 'chat_backend, public', limit: '15s', made: 'made' }]);
    await chat.stop?.();
  });

  it('are refused for a folder without the env files', async () => {
    await expect(provisionRoles(adminUrl, tmpdir(), () => undefined)).rejects.toThrow('holds no <service>.env file of');
  });
});
