import { PushHosts } from './push.hosts';
import type { Pushed } from './push.services';

const at = (host: string): string => `https://${host}/wpush/v2/x`;
const answering = (): Promise<Pushed> => Promise.resolve({ kind: 'taken', status: 201 });
const silent = (): Promise<Pushed> => Promise.resolve({ kind: 'later' });
const TAKEN = { kind: 'taken', status: 201 };

/** Calls of hosts that have failed before, which go on until they are let go; how many of them were made. */
const hangingAgain = async (hosts: PushHosts, names: readonly string[]) => {
  for (const name of names) await hosts.call(at(name), name, silent);
  const made: ((pushed: Pushed) => void)[] = [];
  const hang = () => new Promise<Pushed>((resolve) => made.push(resolve));
  const all = names.map((name) => hosts.call(at(name), name, hang));
  return { made, all };
};
const TEN = Array.from({ length: 10 }, (_, n) => `hangs${n}.example`);

it('hosts that had no answer last are called in two places together, and those that answer in all others', async () => {
  const hosts = new PushHosts();
  const { made, all } = await hangingAgain(hosts, TEN);
  expect(made).toHaveLength(2);
  expect(await Promise.all(all.slice(2))).toEqual(Array(8).fill({ kind: 'later' }));
  for (const name of ['push.example', 'other.example'])
    expect(await hosts.call(at(name), 'quiet', answering)).toEqual(TAKEN);
  for (const end of made) end({ kind: 'later' });
  await Promise.all(all);
});

it('a host that answers again has its places back at once', async () => {
  const hosts = new PushHosts();
  const { made, all } = await hangingAgain(hosts, TEN);
  for (const end of made) end({ kind: 'taken', status: 201 });
  await Promise.all(all);
  const [first = ''] = TEN;
  expect(await Promise.all([1, 2, 3].map(() => hosts.call(at(first), first, answering)))).toEqual(Array(3).fill(TAKEN));
});

it('a host that keeps two stores waiting is shut to all for a while, and one that keeps a single store waiting to that alone', async () => {
  const hosts = new PushHosts();
  for (const storeId of ['a', 'b']) await hosts.call(at('fcm.example'), storeId, silent);
  for (let n = 0; n < 3; n += 1) await hosts.call(at('own.example'), 'a', silent);
  expect(await hosts.call(at('fcm.example'), 'c', answering)).toEqual({ kind: 'later' });
  expect(await hosts.call(at('own.example'), 'a', answering)).toEqual({ kind: 'later' });
  expect(await hosts.call(at('own.example'), 'c', answering)).toEqual(TAKEN);
});

it('a host whose call was abandoned by us is not doubted', async () => {
  const hosts = new PushHosts();
  for (let n = 0; n < 3; n += 1)
    await expect(hosts.call(at('fcm.example'), 'a', () => Promise.reject(new Error('stopping')))).rejects.toThrow();
  expect(await hosts.call(at('fcm.example'), 'a', answering)).toEqual(TAKEN);
});
