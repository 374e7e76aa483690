import { fixedClock, Sends } from '@platform/runtime';
import { until } from '../../gateway.fixture';
import type { UnsentMessage } from './messages.repository';
import { OutgoingQueue, type Try } from './outgoing.queue';
import { TokenBucket } from './token-bucket';

const clock = fixedClock('2026-11-20T10:00:00Z');
const bucket = (perSecond = 0, burst = 0) => new TokenBucket({ perSecond, burst }, clock);
const message = (chat: string, id: string, isReply = true): UnsentMessage => ({ chat, id, isReply });

const queueOf = (
  send: (message: UnsentMessage, tries: number) => Try | Promise<Try>,
  { other = bucket(), sends = new Sends() } = {},
) => {
  const seen: string[] = [];
  const queue = new OutgoingQueue({
    buckets: { reply: bucket(), other },
    sends,
    send: async (each, tries) => {
      seen.push(`${each.chat}${each.id}`);
      return send(each, tries);
    },
  });
  queue.resume();
  return { queue, seen };
};

describe('the queue of a device', () => {
  it('sends one after the other in a chat and lets no chat wait for another', async () => {
    const held: (() => void)[] = [];
    const { queue, seen } = queueOf(({ chat }) =>
      chat === 'a' ? new Promise((resolve) => held.push(() => resolve('done'))) : 'done',
    );
    for (const id of ['1', '2']) for (const chat of ['a', 'b']) queue.push(message(chat, id));
    await until(
      () => seen,
      ({ length }) => length === 3,
    );
    expect(seen).toEqual(['a1', 'b1', 'b2']);
    held.shift()?.();
    await until(
      () => seen,
      ({ length }) => length === 4,
    );
    held.shift()?.();
    expect(seen).toEqual(['a1', 'b1', 'b2', 'a2']);
    await until(
      () => queue.size,
      (size) => size === 0,
    );
  });

  it('tries a message again before anything behind it, and counts the tries', async () => {
    const tries: number[] = [];
    const { queue, seen } = queueOf((_, n) => {
      tries.push(n);
      return n < 3 ? { againAfterMs: 1 } : 'done';
    });
    queue.push(message('a', '1'));
    queue.push(message('a', '2'));
    await until(
      () => queue.size,
      (size) => size === 0,
    );
    expect(seen).toEqual(['a1', 'a1', 'a1', 'a2', 'a2', 'a2']);
    expect(tries).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('keeps what it could not send without a line, and goes on when the line is back', async () => {
    let online = false;
    const { queue, seen } = queueOf(() => (online ? 'done' : 'offline'));
    queue.push(message('a', '1'));
    await until(
      () => seen,
      ({ length }) => length === 1,
    );
    queue.push(message('b', '1'));
    expect([seen, queue.size, queue.has(message('b', '1'))]).toEqual([['a1'], 2, true]);
    online = true;
    queue.resume();
    await until(
      () => queue.size,
      (size) => size === 0,
    );
    expect(seen).toEqual(['a1', 'a1', 'b1']);
  });

  it('counts no try without a line: the first real failure of a send is its first', async () => {
    const tries: number[] = [];
    const { queue } = queueOf((_, n) => {
      tries.push(n);
      if (tries.length <= 10) return 'offline';
      return tries.length === 11 ? { againAfterMs: 1 } : 'done';
    });
    queue.push(message('a', '1'));
    for (let n = 0; n < 11; n++) {
      await until(
        () => tries.length,
        (count) => count > n,
      );
      queue.resume();
    }
    await until(
      () => queue.size,
      (size) => size === 0,
    );
    expect(tries).toEqual([...Array.from({ length: 11 }, () => 1), 2]);
    await queue.close();
  });

  it('goes on when the line came back while a send without it was being put back', async () => {
    let end: (result: Try) => void = () => undefined;
    const answers: (Try | Promise<Try>)[] = [new Promise<Try>((resolve) => (end = resolve)), 'done'];
    const { queue, seen } = queueOf(() => answers.shift() ?? 'done');
    queue.push(message('a', '1'));
    queue.pause();
    queue.resume();
    end('offline');
    await until(
      () => queue.size,
      (size) => size === 0,
    );
    expect(seen).toEqual(['a1', 'a1']);
  });

  it('lets replies pass where other sends wait for their pace', async () => {
    const { queue, seen } = queueOf(() => 'done', { other: bucket(0.001, 1) });
    for (const chat of ['a', 'b', 'c']) queue.push(message(chat, '1', false));
    queue.push(message('d', '1'));
    await until(
      () => seen,
      ({ length }) => length === 2,
    );
    expect(seen).toEqual(['a1', 'd1']);
    await queue.close();
    expect(queue.size).toBe(2);
  });

  it("lets a campaign's message pass, which has waited in its lane, and leaves the others their tokens", async () => {
    const { queue, seen } = queueOf(() => 'done', { other: bucket(0.001, 1) });
    queue.push({ ...message('a', '1', false), isCampaign: true });
    for (const chat of ['b', 'c']) queue.push(message(chat, '1', false));
    await until(
      () => seen,
      ({ length }) => length === 2,
    );
    expect(seen).toEqual(['a1', 'b1']);
    await queue.close();
  });
});

describe('a token bucket', () => {
  it('gives a burst, then so many a second, and says how long to wait', () => {
    const tokens = bucket(2, 3);
    expect([tokens.take(), tokens.take(), tokens.take(), tokens.take()]).toEqual([0, 0, 0, 500]);
    clock.advance(500);
    expect([tokens.take(), tokens.take()]).toEqual([0, 500]);
    clock.advance(60_000);
    expect([tokens.take(), tokens.take(), tokens.take(), tokens.take()]).toEqual([0, 0, 0, 500]);
  });

  it('without a rate lets everything pass', () => {
    const tokens = bucket();
    expect(Array.from({ length: 100 }, () => tokens.take()).every((wait) => wait === 0)).toBe(true);
  });
});

describe('while sends are held', () => {
  it('nothing is handed over and no token is taken, and the order is kept for the release', async () => {
    const sends = new Sends('held');
    const { queue, seen } = queueOf(() => 'done', { other: bucket(0.001, 2), sends });
    for (const id of ['1', '2']) queue.push(message('a', id, false));
    queue.resume();
    expect([seen, queue.isOpen, queue.size]).toEqual([[], false, 2]);
    sends.release();
    queue.wake();
    await until(
      () => queue.size,
      (size) => size === 0,
    );
    expect(seen).toEqual(['a1', 'a2']);
  });
});
