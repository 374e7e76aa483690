import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { FileFetcher, type MediaReader } from './file.fetcher';
import type { StoredFile } from './file.store';

const stored: StoredFile = { key: 'a.jpg', mimetype: 'image/jpeg', size: 1 };
const ref = { key: 'remote', mimetype: 'image/jpeg' };

/** Downloads that end when they are told to. */
const setup = () => {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const fetcher = new FileFetcher({ receive: async () => stored }, 1);
  const readerOf = (instanceId: string): MediaReader => ({
    fetchMedia: () => {
      begun.push(instanceId);
      return new Promise((resolve) => ends.push(() => resolve(Readable.from([]))));
    },
  });
  const want = (instanceId: string, { signal } = new AbortController()) =>
    fetcher.fetch({ instanceId, ref }, readerOf(instanceId), signal);
  return { want, begun, end: () => ends.shift()?.() };
};

it('at most eight downloads of a device are under way, and another device waits for none of them', async () => {
  const { want, begun, end } = setup();
  const downloads = Array.from({ length: 20 }, () => want('busy'));
  downloads.push(want('calm'));
  await turn();
  expect(begun).toEqual([...Array.from({ length: 8 }, () => 'busy'), 'calm']);
  end();
  await downloads[0];
  await turn();
  expect(begun.filter((device) => device === 'busy')).toHaveLength(9);
});

it('at most 32 downloads of all devices are under way', async () => {
  const { want, begun } = setup();
  for (let device = 0; device < 40; device++) for (let n = 0; n < 8; n++) void want(`dev${device}`);
  await turn();
  expect(begun).toHaveLength(32);
});

it('devices whose media host hangs leave places for those that have none', async () => {
  const { want, begun } = setup();
  for (const device of ['hangs 1', 'hangs 2', 'hangs 3', 'hangs 4', 'hangs 5'])
    for (let n = 0; n < 20; n++) void want(device);
  for (const device of ['calm 1', 'calm 2', 'calm 3', 'calm 4', 'calm 5', 'calm 6']) void want(device);
  await turn();
  const calm = begun.filter((device) => device.startsWith('calm'));
  expect([calm, begun.length]).toEqual([['calm 1', 'calm 2', 'calm 3', 'calm 4', 'calm 5', 'calm 6'], 32]);
});

it('more devices than there are places take turns, however many files one of them waits for', async () => {
  const { want, begun, end } = setup();
  for (let n = 0; n < 20; n++) void want('busy');
  const others = Array.from({ length: 60 }, (_, n) => `dev${n}`);
  for (const device of others) void want(device);
  await turn();
  for (let n = 0; n < 50; n++) {
    end();
    await turn();
  }
  expect(others.filter((device) => !begun.includes(device))).toEqual([]);
});

it('one whose time is over while it waits for its turn gives its place to the next', async () => {
  const { want, begun, end } = setup();
  const first = Array.from({ length: 8 }, () => want('busy'));
  const impatient = new AbortController();
  const refused = want('busy', impatient);
  const next = want('busy');
  await turn();
  impatient.abort(new Error('the time is over'));
  await expect(refused).rejects.toThrow('the time is over');
  end();
  await first[0];
  await turn();
  expect(begun).toHaveLength(9);
  for (let n = 0; n < 8; n++) end();
  expect(await next).toEqual(stored);
});
