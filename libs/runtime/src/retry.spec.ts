import { retry } from './retry';

it('retry repeats work until it succeeds, and hides earlier failures', async () => {
  const heard: unknown[] = [];
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error(`attempt ${attempts}`);
    return attempts;
  };
  await expect(retry(work, { limitMs: 60_000, pauseMs: 1, givingUp: (cause) => heard.push(cause) })).resolves.toBe(3);
  expect(heard).toEqual([]);
});

/** Work that always fails alike, and the reports about it. */
const hopeless = () => {
  const heard: unknown[] = [];
  const failure = new Error('no');
  const work = jest.fn(() => Promise.reject(failure));
  return { heard, failure, work, givingUp: (cause: unknown) => heard.push(cause) };
};

it('retry reports and throws the last failure when no attempt is left', async () => {
  const { heard, failure, work, givingUp } = hopeless();
  await expect(retry(work, { limitMs: 0, pauseMs: 1, givingUp })).rejects.toBe(failure);
  expect([work.mock.calls.length, heard]).toEqual([1, [failure]]);
});

it('retry throws a final failure at once, without reporting that it gives up', async () => {
  const { heard, failure, work, givingUp } = hopeless();
  const isFinal = (cause: unknown) => cause === failure;
  await expect(retry(work, { limitMs: 60_000, pauseMs: 1, givingUp, isFinal })).rejects.toBe(failure);
  expect([work.mock.calls.length, heard]).toEqual([1, []]);
});
