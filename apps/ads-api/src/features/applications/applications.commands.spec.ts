import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock } from '@platform/runtime';
import { truncateAll, useDatabase } from '@platform/testing';
import { entities, migrations, schema } from '../../data-source';
import { applicationsCommand, seedCommand } from './applications.commands';
import { ApplicationsRepository } from './applications.repository';
import { requirePublicKey } from './public-key';

const ID = '0199f7a0-0000-7000-8000-000000000001';
const pair = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'pem', type: 'spki' }).toString();
const database = useDatabase({ schema, migrations, entities });
let folder: string;
let printed: unknown[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ads-keys-'));
});
beforeEach(async () => {
  printed = [];
  await truncateAll(database);
});
afterAll(() => rm(folder, { recursive: true }));

const surroundings = () => ({
  applications: new ApplicationsRepository(database),
  clock: fixedClock('2026-03-01T08:00:00Z'),
  print: (line: string) => void printed.push(JSON.parse(line)),
});
const applications = (...args: string[]) => applicationsCommand(surroundings())(args);
const keyFile = async (text: string): Promise<string> => {
  const path = join(folder, 'public.pem');
  await writeFile(path, text);
  return path;
};
const listed = async () => {
  printed = [];
  await applications('list');
  return printed;
};

describe('the applications command', () => {
  it('creates, lists and disables an application', async () => {
    const pem = pair();
    await applications('create', '--name', 'Agency', '--key-file', await keyFile(pem), '--client-key', ID);
    const { fingerprint } = requirePublicKey(pem);
    expect(printed).toEqual([{ client_key: ID, name: 'Agency', fingerprint }]);
    const row = {
      client_key: ID,
      name: 'Agency',
      is_active: true,
      fingerprint,
      created_at: '2026-03-01T08:00:00.000Z',
    };
    expect(await listed()).toEqual([row]);
    await applications('disable', ID);
    expect(await listed()).toEqual([{ ...row, is_active: false }]);
  });

  it('makes a client key when none is given', async () => {
    await applications('create', '--name', 'Agency', '--key-file', await keyFile(pair()));
    expect(printed).toEqual([
      { client_key: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Agency', fingerprint: expect.any(String) },
    ]);
  });

  it.each([
    ['an unknown command', ['destroy'], 'Usage:'],
    ['no name', ['create', '--key-file', 'x'], 'create needs --name and --key-file'],
    ['a client key that is no UUID', ['disable', '7'], 'The client key must be a UUID'],
    ['an unknown application', ['disable', ID], `No application has the client key ${ID}`],
  ])('refuses %s with what to do instead', async (_, args, message) =>
    expect(applications(...args)).rejects.toThrow(message),
  );
});

describe('the seed', () => {
  const seed = (public_key: string, name = 'Demo client') =>
    seedCommand(surroundings())([JSON.stringify({ store: {}, ads: { client_key: ID, name, public_key } })]);

  it('registers the demo application once, however often it runs', async () => {
    const pem = pair();
    await seed(pem);
    const first = await listed();
    await seed(pem);
    expect(await listed()).toEqual(first);
    expect(first).toEqual([
      {
        client_key: ID,
        name: 'Demo client',
        is_active: true,
        fingerprint: requirePublicKey(pem).fingerprint,
        created_at: '2026-03-01T08:00:00.000Z',
      },
    ]);
  });

  it('replaces the key when the pair was generated anew', async () => {
    await seed(pair());
    const renewed = pair();
    await seed(renewed);
    expect(await listed()).toMatchObject([{ fingerprint: requirePublicKey(renewed).fingerprint }]);
  });

  it('does nothing for a shop without ads', async () => {
    await seedCommand(surroundings())(['{"store":{}}']);
    expect(await listed()).toEqual([]);
  });
});
