import { EventEmitter } from 'node:events';
import { silentLogger, type Logger } from '@platform/runtime';
import type { WorkerEvents } from 'graphile-worker';
import { Reach } from './job.reach';

/** What the places of a pool tell, and what is told of it. */
const reaching = () => {
  const said: unknown[] = [];
  const tell = (...words: unknown[]) => void said.push(words);
  const logger: Logger = { ...silentLogger, warn: tell, info: tell };
  const reach = new Reach('main', logger);
  const open = () => {
    const events: WorkerEvents = new EventEmitter();
    reach.watch(events);
    const gracefulShutdown = jest.fn(() => void events.emit('pool:gracefulShutdown', {} as never));
    const worker = { workerPool: { gracefulShutdown } };
    const tellOf = (event: 'worker:getJob:error' | 'worker:getJob:empty' | 'job:start') =>
      events.emit(event, { worker, error: new Error('no such table') } as never);
    return { tellOf, gracefulShutdown };
  };
  return { reach, said, open };
};
const FAILED = 'a job runner cannot take jobs';
const told = (failures: number) => [FAILED, { runner: 'main', error: 'no such table', failures }];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('looks that fail are told once, and for longer than ten seconds they are an illness', () => {
  const { reach, said, open } = reaching();
  const { tellOf, gracefulShutdown } = open();
  tellOf('worker:getJob:empty');
  for (let second = 0; second < 10; second++) {
    tellOf('worker:getJob:error');
    jest.advanceTimersByTime(1_000);
  }
  expect(() => reach.check()).not.toThrow();
  expect(said.splice(0)).toEqual([told(1)]);
  jest.advanceTimersByTime(1);
  expect(() => reach.check()).toThrow(new Error('The job runner main cannot take jobs: see the log for the reason.'));
  tellOf('job:start');
  expect(() => reach.check()).not.toThrow();
  expect([said, gracefulShutdown.mock.calls]).toEqual([[['the job runner takes jobs again']], []]);
});

it('a pool whose first look failed is ended once, and the illness lasts until another one has looked', () => {
  const { reach, said, open } = reaching();
  const { tellOf, gracefulShutdown } = open();
  for (let place = 0; place < 4; place++) tellOf('worker:getJob:error');
  jest.runAllTimers();
  for (let place = 0; place < 4; place++) tellOf('worker:getJob:empty'); // as graphile-worker tells of a pool that ends
  jest.advanceTimersByTime(10_001);
  expect(() => reach.check()).toThrow('cannot take jobs');
  expect([said, gracefulShutdown.mock.calls]).toEqual([[told(1)], [[]]]);
  open().tellOf('worker:getJob:empty');
  expect(() => reach.check()).not.toThrow();
});
