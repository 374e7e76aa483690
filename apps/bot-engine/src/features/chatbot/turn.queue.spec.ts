import { TurnQueue } from './turn.queue';

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

it('concurrent requests with one message run it once, and share the result', async () => {
  const queue = new TurnQueue<number>();
  let calls = 0;
  const { opened, open } = gate();
  const work = () => opened.then(() => ++calls);
  const turns = [queue.once('c', 'm', work), queue.once('c', 'm', work), queue.once('c', 'm', work)];
  open();
  expect(await Promise.all(turns)).toEqual([
    { result: 1, shared: false },
    { result: 1, shared: true },
    { result: 1, shared: true },
  ]);
  expect(await queue.once('c', 'm', work)).toEqual({ result: 2, shared: false });
});

it('a conversation has one turn at a time, and does not hold up others', async () => {
  const queue = new TurnQueue<string>();
  const begun: string[] = [];
  const { opened, open } = gate();
  const work =
    (name: string, wait: Promise<void> = Promise.resolve()) =>
    () => {
      begun.push(name);
      return wait.then(() => name);
    };
  const first = queue.once('c', '1', work('first', opened));
  const second = queue.once('c', '2', work('second'));
  expect((await queue.once('d', '1', work('other'))).result).toBe('other');
  expect(begun).toEqual(['first', 'other']);
  open();
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'other', 'second']);
});

it('a failed turn fails the requests that share it, and no other', async () => {
  const queue = new TurnQueue<string>();
  const fail = () => Promise.reject(new Error('no'));
  const turns = await Promise.allSettled([
    queue.once('c', '1', fail),
    queue.once('c', '1', fail),
    queue.once('c', '2', async () => 'yes'),
  ]);
  expect(turns.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
