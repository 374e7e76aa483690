import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { unblockRow } from '@platform/outbox';
import { silentLogger } from '@platform/runtime';
import { EngineFileLost } from '../../engines/engine.errors';
import { until, useGateway } from '../../gateway.fixture';
import { FileFetcher, type MediaReader } from './file.fetcher';
import type { FileStore } from './file.store';
import { InboundMedia } from './inbound-media.service';
import { LateFilesRepository } from './late-files.repository';
import { LateFiles } from './late-files.service';

const gateway = useGateway({ FILES_BASE_URL: 'http://files.example' });
beforeAll(() => gateway.client.link('dev1'));
beforeEach(async () => {
  gateway.receiver.reset();
  await gateway.database.query('DELETE FROM late_file');
});

const PICTURE = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(60)]);
const away: MediaReader = { fetchMedia: () => Promise.reject(new Error('the media host does not answer')) };
const back: MediaReader = { fetchMedia: async () => Readable.from([PICTURE]) };
const full = {
  receive: () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
} as unknown as FileStore;

let chats = 0;
/** A message whose file does not come in time; what its receiver is told. */
const told = async (reader: MediaReader, files: Pick<FileStore, 'receive'> = gateway.app.files) => {
  const { database } = gateway;
  const number = `62877700000${++chats}@s.whatsapp.net`;
  const callback = { instanceID: 'dev1', result: true, report: false, number, id: number, rawMessage: '{"a":1}' };
  const payload = { callback, awaits: { key: 'sealed', mimetype: 'image/jpeg', size: 64 } };
  const values = [`dev1|${number}|m`, gateway.receiver.url, JSON.stringify(payload)];
  await database.query(`SELECT outbox_enqueue($1, $2, 'callback', NULL, $3, NULL, true)`, values);
  const media = new InboundMedia({
    ...{ database, outbox: { unblock: unblockRow }, logger: silentLogger, baseUrl: 'http://files.example' },
    ...{ fetcher: new FileFetcher(files, 1), late: new LateFilesRepository(database), pausesMs: [0, 1] },
  });
  await media.resume('dev1', reader);
  await until(
    () => gateway.receiver.messages().length,
    (count) => count === 1,
  );
  const [taken] = gateway.receiver.messages();
  expect(taken?.file).toBeUndefined();
  return JSON.parse(taken?.fields.rawMessage ?? '') as { fileUrl: string; mediaError: string };
};
/** As after a restart: nothing but the rows knows what was promised. */
const laterFiles = (files: Pick<FileStore, 'receive'> = gateway.app.files) =>
  new LateFiles({
    files: new LateFilesRepository(gateway.database),
    fetcher: new FileFetcher(files, 1),
    logger: silentLogger,
  });
const tries = (reader: MediaReader, files?: Pick<FileStore, 'receive'>) =>
  laterFiles(files).run(new Map([['dev1', reader]]));
const due = () => gateway.database.query('UPDATE late_file SET next_at = now()');
const asked = (fileUrl: string) => fetch(fileUrl.replace('http://files.example', gateway.client.url));
const waiting = () =>
  gateway.database.query<{ tries: number; pause: number }>(
    'SELECT tries, extract(epoch FROM next_at - now())::float AS pause FROM late_file',
  );

it('a file that does not come in time is promised to the receiver of its message', async () => {
  expect(await told(away)).toEqual({
    a: 1,
    fileUrl: expect.stringMatching(/^http:\/\/files\.example\/files\/[0-9a-f]{32}$/),
    mimetype: 'image/jpeg',
    fileSize: 64,
    mediaError: 'the file could not be downloaded yet',
  });
});

it('a promised file is not there yet, comes with a later try, and is then under its address', async () => {
  const { fileUrl } = await told(away);
  const early = await asked(fileUrl);
  expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
    ...[503, '60'],
    { success: false, message: 'file not there yet', error: { code: 'UNAVAILABLE', retryable: true } },
  ]);
  await due();
  await tries(away);
  expect((await asked(fileUrl)).status).toBe(503);
  await due();
  await tries(back);
  const answer = await asked(fileUrl);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(Buffer.from(await answer.arrayBuffer()).equals(PICTURE)).toBe(true);
  expect(await waiting()).toEqual([]);
});

it('pauses between the tries grow to an hour', async () => {
  await told(away);
  const pauses: number[] = [];
  for (let n = 1; n <= 12; n++) {
    await due();
    await tries(away);
    const [row] = await waiting();
    expect(row?.tries).toBe(n);
    pauses.push(row?.pause ?? 0);
  }
  expect(pauses[0]).toBeGreaterThan(80);
  expect(pauses[3]).toBeGreaterThan(350);
  expect(pauses.slice(-3).every((pause) => pause > 2_600 && pause < 4_600)).toBe(true);
});

it('a file that is asked for is tried again soon, however often that is', async () => {
  const { fileUrl } = await told(away);
  await asked(fileUrl);
  expect((await waiting())[0]?.pause).toBeGreaterThan(0);
  await gateway.database.query(
    `UPDATE late_file SET created_at = now() - interval '1 hour', next_at = now() + interval '1 hour'`,
  );
  await asked(fileUrl);
  expect((await waiting())[0]?.pause).toBeLessThanOrEqual(0);
  await tries(away);
  await asked(fileUrl);
  expect((await waiting())[0]?.pause).toBeGreaterThan(0);
});

it.each([
  ['that nobody can ever have', 'now()', new EngineFileLost('the phone has the file no more')],
  ['that did not come for a week', `now() - interval '8 days'`, new Error('the media host does not answer')],
])('a file %s is promised no more', async (_, createdAt, failure) => {
  const { fileUrl } = await told(away);
  await gateway.database.query(`UPDATE late_file SET next_at = now(), created_at = ${createdAt}`);
  await tries({ fetchMedia: () => Promise.reject(failure) });
  const answer = await asked(fileUrl);
  expect([answer.status, await answer.json()]).toMatchObject([404, { message: 'file not found' }]);
});

it('a full disk is not taken for a file that cannot be had', async () => {
  const { fileUrl, mediaError } = await told(back, full);
  expect(mediaError).toBe('the file could not be stored yet');
  await due();
  await tries(back, full);
  expect((await asked(fileUrl)).status).toBe(503);
  await due();
  await tries(back);
  expect((await asked(fileUrl)).status).toBe(200);
});

it('a file of a device that runs elsewhere is left to that process', async () => {
  await told(away);
  await due();
  await laterFiles().run(new Map([['another', back]]));
  expect(await waiting()).toMatchObject([{ tries: 0 }]);
});

describe('a device whose media host hangs', () => {
  const promise = (instanceId: string, count: number) =>
    gateway.database.query(
      `INSERT INTO late_file (name, instance_id, ref, next_at)
       SELECT md5($1 || n), $1, '{"key":"sealed","mimetype":"image/jpeg"}', now() - interval '1 hour' FROM generate_series(1, $2) n`,
      [instanceId, count],
    );
  const left = (instanceId: string) =>
    gateway.database.query<{ tries: number }>('SELECT tries FROM late_file WHERE instance_id = $1', [instanceId]);
  const hangs: MediaReader = { fetchMedia: () => new Promise(() => undefined) };
  const ending: LateFiles[] = [];
  const later = () => {
    const files = laterFiles();
    ending.push(files);
    return files;
  };
  afterEach(() => {
    for (const files of ending.splice(0)) void files.stop();
  });

  it('keeps no promised file of another from being fetched', async () => {
    await promise('hangs', 60);
    await promise('calm', 20);
    const files = later();
    const readers = new Map([
      ['hangs', hangs],
      ['calm', back],
    ]);
    void files.run(readers);
    await until(
      () => left('calm'),
      ({ length }) => length === 0,
    );
    await promise('calm', 20);
    void files.run(readers);
    await until(
      () => left('calm'),
      ({ length }) => length === 0,
    );
  });

  it('is asked for few files at a time; the others lose no try meanwhile', async () => {
    await promise('hangs', 60);
    const files = later();
    for (let n = 0; n < 3; n++) void files.run(new Map([['hangs', hangs]]));
    const tried = async () => (await left('hangs')).filter((file) => file.tries > 0).length;
    await until(tried, (count) => count >= 4);
    void files.run(new Map([['hangs', hangs]]));
    expect(await tried()).toBe(4);
  });
});

it('the running gateway fetches what is due by itself', async () => {
  const { fileUrl } = await told(away);
  await due();
  const line = await gateway.app.fleet.here('dev1');
  jest.spyOn(line?.engine as MediaReader, 'fetchMedia').mockImplementation(back.fetchMedia);
  await gateway.app.fleet.fetchLateFiles();
  expect((await asked(fileUrl)).status).toBe(200);
});
