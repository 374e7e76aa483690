import { runners } from './jobs';

it('no store has all places of the jobs that are long, and there is a session left beside a pooler to take jobs with', () => {
  const shares = runners.map(({ name, share }) => [name, share]);
  const ofAStore = { by: 'storeId', most: 1 };
  expect(Object.fromEntries(shares)).toEqual({ mail: undefined, chat: ofAStore, imports: ofAStore });
  // Five sessions (libs/data), one for each runner and for the one of the other jobs to listen
  expect(runners.length + 1).toBeLessThan(5);
});
