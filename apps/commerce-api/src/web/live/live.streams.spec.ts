import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { LiveStreams } from './live.streams';

const stays = () => Promise.resolve();
const read = async (body: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const bytes of body) text += String(bytes);
  return text;
};
const opened = (limits = { places: 8, ofStore: 4, ofUser: 2 }) => new LiveStreams(silentLogger, limits);
const rina = { storeId: 'S1', userId: 'rina' };
/** Undefined where there is no place. */
const place = (streams: LiveStreams, owner: { readonly storeId: string; readonly userId: string }) => {
  try {
    return streams.begin(owner, stays);
  } catch {
    return undefined;
  }
};

it('an event is two lines and an empty one, whatever it holds', async () => {
  const streams = opened();
  const stream = streams.begin(rina, stays);
  stream.send('html', { html: 'a\n\nevent: moved\ndata: x\r\n' });
  streams.drain();
  expect(await read(stream.body)).toBe('event: html\ndata: {"html":"a\\n\\nevent: moved\\ndata: x\\r\\n"}\n\n');
});

it('a person and a store have their shares, and take nothing from the others', () => {
  const streams = opened();
  const held = (owner: string, store = 'S1') => place(streams, { storeId: store, userId: owner }) !== undefined;
  expect([held('a'), held('a'), held('a')]).toEqual([true, true, false]);
  expect([held('b'), held('b'), held('c')]).toEqual([true, true, false]);
  expect([held('a', 'S2'), held('a', 'S2')]).toEqual([true, true]);
  // The last quarter is for stores that have none
  expect([held('b', 'S2'), held('x', 'S3'), held('y', 'S3')]).toEqual([false, true, false]);
});

it('a place is free again when its stream is over, however that came', async () => {
  const streams = opened({ places: 8, ofStore: 1, ofUser: 1 });
  const ended = streams.begin(rina, stays);
  ended.end();
  await read(ended.body);
  await until(() => place(streams, rina) !== undefined);
  const other = { storeId: 'S2', userId: 'budi' };
  streams.begin(other, stays).abandon();
  await until(() => place(streams, other) !== undefined);
});

it('who does not read is cut off, before it fills the memory', async () => {
  const stream = opened().begin(rina, stays);
  const over = new Promise<void>((resolve) => stream.whenOver(resolve));
  for (let n = 0; n < 20 && !stream.isOver; n += 1) stream.send('html', { html: 'x'.repeat(100_000) });
  expect([stream.isOver, stream.body.readableLength < 2 * 1024 * 1024]).toEqual([true, true]);
  await over;
});

it('who is slow to say whether somebody may stay is asked once at a time', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const asked = jest.fn(() => new Promise<void>(() => undefined));
  const stream = opened().begin(rina, asked);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
  stream.abandon();
  jest.useRealTimers();
});

it('who may not stay hears no more, and nobody comes in while the process stops', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const streams = opened();
  let isAllowed = true;
  const stream = streams.begin(rina, () => (isAllowed ? stays() : Promise.reject(new Error('no'))));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(stream.isOver).toBe(false);
  isAllowed = false;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(stream.isOver).toBe(true);
  streams.drain();
  expect(() => streams.begin(rina, stays)).toThrow('This process stops');
  await jest.advanceTimersByTimeAsync(2_000);
  jest.useRealTimers();
});
