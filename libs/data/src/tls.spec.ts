import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { certificateAuthority, ownCluster, until, useOpened, type OwnCluster } from '@platform/testing';
import { openDatabase } from './database';
import type { Database, DatabaseOptions } from './database.types';
import { ForwardMigration } from './migrations';
import { provision } from './provision';

class Notes1760000000001 extends ForwardMigration {
  readonly steps = ['CREATE TABLE notes (text text)', `INSERT INTO notes VALUES ('secret')`];
}

const [trusted, foreign] = [certificateAuthority('Ours'), certificateAuthority('Theirs')];
const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const files = {
  ours: fileOf('ours.crt', trusted.certificate),
  theirs: fileOf('theirs.crt', foreign.certificate),
  missing: join(folder, 'nowhere.crt'),
};

let cluster: OwnCluster;
let ownUrl: string;
beforeAll(async () => {
  cluster = await ownCluster(trusted.issue('localhost'));
  ownUrl = await provision(address(cluster.url), { role: 'notes', password: 'p', schema: 'notes', database: 'shop' });
  await open().migrate();
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

/** As k8s/README.md has it: verified in full, against the authority in a file. */
const address = (url: string, { host = 'localhost', file = files.ours } = {}): string => {
  const verified = new URL(url);
  verified.hostname = host;
  verified.search = `?sslmode=verify-full&sslrootcert=${file}`;
  return verified.href;
};

const ended = useOpened();
const open = (more: Partial<DatabaseOptions> = {}): Database =>
  ended(
    openDatabase({
      ...{ url: address(ownUrl), schema: 'notes', migrations: [Notes1760000000001], poolSize: 2, logger: silentLogger },
      ...more,
    }),
  );

const REFUSED = {
  'another authority': [{ file: files.theirs }, /self-signed certificate in certificate chain|unable to verify/],
  'another name in the certificate': [{ host: '127.0.0.1' }, /does not match certificate's altnames/],
  'no such file': [{ file: files.missing }, /ENOENT.*nowhere\.crt/],
} as const;
const cases = Object.entries(REFUSED).map(([name, [how, reason]]) => [name, how, reason] as const);

/** Everything that a failure says, with what caused it. */
const saidBy = (failure: unknown): string =>
  failure instanceof Error ? `${failure.message} ${saidBy(failure.cause)}` : '';

describe('a database whose server has a certificate', () => {
  it('of the trusted authority is reached by every connection of a service, each encrypted', async () => {
    const url = address(ownUrl);
    const database = open({ poolUrl: url, name: 'crowd' });
    await database.start?.();
    const heard: string[] = [];
    await database.listen('news', (text) => void heard.push(text));
    const aside = database.aside({ name: 'searches', poolSize: 1, settings: { statement_timeout: '1s' } });
    expect(await aside.query('SELECT text FROM notes')).toEqual([{ text: 'secret' }]);
    const rows = database.stream<{ text: string }>('SELECT text FROM notes');
    expect((await rows.next()).value).toEqual({ text: 'secret' });
    await database.tx((tx) => tx.query(`SELECT pg_notify('news', 'told')`));
    await until(() => heard.length > 0);
    await database.direct.query('SELECT 1');
    const sessions = await database.query<{ name: string; ssl: boolean }>(
      `SELECT DISTINCT application_name AS name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE application_name LIKE 'crowd%' ORDER BY 1`,
    );
    await rows.return();
    await aside.stop?.();
    const names = ['crowd', 'crowd direct', 'crowd listener', 'crowd searches', 'crowd streams'];
    expect(sessions).toEqual(names.map((name) => ({ name, ssl: true })));
    expect(heard).toEqual(['told']);
  });

  it('takes no connection in plain text', async () => {
    const plain = new URL(ownUrl);
    plain.search = '';
    await expect(open({ url: plain.href }).query('SELECT 1')).rejects.toThrow('no encryption');
  });
});

describe.each(cases)('a certificate that does not fit (%s)', (_, how, reason) => {
  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => open({ url: address(ownUrl, how) }).query('SELECT 1')],
    ['the start of a service', async () => open({ url: address(ownUrl, how) }).start?.()],
    ['a start whose pooler has it', async () => open({ poolUrl: address(ownUrl, how) }).start?.()],
    [
      'a start whose server behind the pooler has it',
      async () => open({ url: address(ownUrl, how), poolUrl: address(ownUrl) }).start?.(),
    ],
    ['a listener', () => open({ url: address(ownUrl, how), poolUrl: address(ownUrl) }).listen('news', () => undefined)],
    ['migrate', () => open({ url: address(ownUrl, how) }).migrate()],
    ['provision', () => provision(address(cluster.url, how), { role: 'x', password: 'p', schema: 'x' })],
  ])('refuses %s, and says why without the password', async (__, work) => {
    const failure = await work().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(saidBy(failure)).toMatch(reason);
    expect(saidBy(failure)).not.toContain('notes:p@');
  });
});

it('a server whose certificate is not trusted any more is away: callers may come again', async () => {
  await expect(open({ url: address(ownUrl, { file: files.theirs }) }).query('SELECT 1')).rejects.toThrow(Unavailable);
});
