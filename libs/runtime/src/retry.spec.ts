import { retry } from './retry';

it('retry repeats work until it succeeds, and hides the failures before', async () => {
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

it('retry reports and throws the last failure when no attempt is left', async () => {
  const heard: unknown[] = [];
  const failure = new Error('no');
  let attempts = 0;
  const work = () => {
    attempts += 1;
    return Promise.reject(failure);
  };
  const given = retry(work, { limitMs: 0, pauseMs: 1, givingUp: (cause) => heard.push(cause) });
  await expect(given).rejects.toBe(failure);
  expect([attempts, heard]).toEqual([1, [failure]]);
});

it('retry throws a failure that no attempt can mend at once, and nobody gives up', async () => {
  const heard: unknown[] = [];
  const failure = new Error('not storable');
  let attempts = 0;
  const work = () => {
    attempts += 1;
    return Promise.reject(failure);
  };
  const isFinal = (cause: unknown) => cause === failure;
  const given = retry(work, { limitMs: 60_000, pauseMs: 1, givingUp: (cause) => heard.push(cause), isFinal });
  await expect(given).rejects.toBe(failure);
  expect([attempts, heard]).toEqual([1, []]);
});
