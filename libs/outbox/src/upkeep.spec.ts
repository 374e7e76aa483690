import type { Database } from '@platform/data';
import { Sends } from '@platform/runtime';
import { hearing, MESSAGE, NOTE, outboxOf, Receiver, settledPromises } from './outbox.fixture';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const WORDS: [RegExp, string][] = [
  [/outbox_claim/, 'claim'],
  [/state = 'done' AND finished_at/, 'done rows'],
  [/FROM \(SELECT id, finished_at FROM outbox_row WHERE state = 'dead'/, 'dead rows'],
  [/WITH portion/, 'lanes'],
  [/UPDATE outbox_lane SET next_at = now\(\)/, 'arm'],
];

/** An outbox whose statements are recorded with their first parameter, so that time can be set. */
const keeping = (fails: (word: string) => boolean = () => false) => {
  const said: string[] = [];
  const channels: string[] = [];
  const { told, logger } = hearing();
  const answer = (text: string, values: readonly unknown[] = []): Promise<unknown[]> => {
    if (text.includes('current_schema')) return Promise.resolve([{ schema: 'post' }]);
    const word = WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
    said.push(word === 'claim' ? word : `${word} ${String(values[0])}`);
    if (fails(word)) return Promise.reject(new Error(`no ${word}`));
    return Promise.resolve(word === 'lanes' ? [{ last: null }] : []);
  };
  const database = {
    query: answer,
    prepared: (_: string, text: string, values: unknown[]) => answer(text, values),
    listen: (channel: string) => {
      channels.push(channel);
      return Promise.resolve(() => Promise.resolve(void channels.pop()));
    },
  } as unknown as Database;
  const sends = new Sends();
  const outbox = outboxOf(database, new Receiver(), { logger, sends, kinds: [MESSAGE, NOTE], sweepSeconds: undefined });
  return { outbox, said, channels, told, sends };
};
/** Advances time in steps, so that due work is done. */
const pass = async (seconds: number, step = 1) => {
  for (let at = 0; at < seconds; at += step) {
    jest.advanceTimersByTime(step * 1000);
    await settledPromises();
  }
};

it('a started outbox listens, wakes its lanes, and polls them every second until it is stopped', async () => {
  const { outbox, said, channels, told } = keeping();
  expect(outbox.name).toBe('outbox spec');
  await outbox.start?.();
  await settledPromises();
  expect([channels, said.splice(0)]).toEqual([['outbox_post'], ['arm null', 'claim']]);
  await pass(0.9, 0.9);
  expect(said).toEqual([]);
  await pass(0.1, 0.1);
  expect(said.splice(0)).toEqual(['claim']);
  await outbox.stop?.();
  await pass(3_700, 60);
  expect([channels, said, told]).toEqual([[], [], []]);
});

it('a started outbox tidies its rows every minute and its lanes every hour', async () => {
  const { outbox, said } = keeping();
  await outbox.start?.();
  const tidied = () => said.splice(0).filter((word) => word !== 'claim');
  await settledPromises();
  tidied();
  await pass(59);
  expect(tidied()).toEqual([]);
  await pass(1);
  expect(tidied()).toEqual(['done rows 86400', 'dead rows 2592000', 'arm null']);
  await pass(3_539, 1);
  tidied();
  await pass(1);
  expect(tidied()).toContain('lanes 86400');
  await outbox.stop?.();
});

it('tidying that fails is logged, and repeated at its next turn', async () => {
  const { outbox, told } = keeping((word) => word === 'done rows');
  await outbox.start?.();
  await pass(120);
  const failed = ['outbox could not tidy up', { error: 'no done rows' }];
  expect(told).toEqual([failed, failed]);
  await outbox.stop?.();
});

it('lanes are woken by every change of what may be sent, until the stop, and a failure is logged', async () => {
  const { outbox, said, told, sends } = keeping((word) => word === 'arm');
  await outbox.start?.();
  await settledPromises();
  sends.hold();
  await settledPromises();
  expect(said.filter((word) => word !== 'claim')).toEqual(['arm null', 'arm note']);
  const failed = ['outbox could not wake its lanes', { error: 'no arm' }];
  expect(told).toEqual([failed, failed]);
  await outbox.stop?.();
  sends.release();
  await settledPromises();
  expect(told).toHaveLength(2);
});

it('what is due is claimed at the start, also when lanes could not be woken', async () => {
  const { outbox, said } = keeping((word) => word === 'arm');
  await outbox.start?.();
  await settledPromises();
  expect(said).toEqual(['arm null', 'claim']);
  await outbox.stop?.();
});
