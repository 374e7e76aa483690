import { until } from '@platform/testing';
import { newConversation, newToken } from './mailbox.fixture';
import { ALL, ids, nobodyWaits, scene, type Suite } from './mailbox.scene.fixture';

export const leases = (suite: Suite): void => {
  it('M3: a foreign token drains nothing, and neither does one whose lease has ended', async () => {
    const { mailbox, key, lead } = scene(suite);
    await lead('one');
    expect(await mailbox.drain(key, newToken())).toBeNull();
    const brief = await suite.brief(20);
    const other = newConversation();
    const { token } = await brief.offer(other.key, other.line('one'), newToken());
    expect(
      await until(
        () => brief.drain(other.key, token),
        (drained) => drained === null,
      ),
    ).toBeNull();
  });

  it('M5: finish keeps the lease for what came meanwhile, or frees it and leaves that due, or removes all', async () => {
    const { mailbox, key, say, lead, claimed } = scene(suite);
    const token = await lead('one');
    await mailbox.drain(key, token);
    await say('two');
    expect([await mailbox.finish(key, token, true), await mailbox.renew(key, token)]).toEqual(['again', true]);
    await mailbox.drain(key, token);
    await say('three');
    expect([await mailbox.finish(key, token, false), await mailbox.renew(key, token)]).toEqual(['left', false]);
    expect(await mailbox.pending(key)).toBe(true);
    const [next] = await claimed();
    expect(ids(await mailbox.drain(key, next?.token ?? ''))).toEqual(['three']);
    expect(await mailbox.finish(key, next?.token ?? '', true)).toBe('done');
    expect([await mailbox.pending(key), await claimed()]).toEqual([false, []]);
  });
};

export const lostLeases = (suite: Suite): void => {
  it('M6: who has lost the lease changes nothing', async () => {
    const { mailbox, key, say, lead } = scene(suite);
    const token = await lead('one');
    await mailbox.drain(key, token);
    await say('two');
    const stranger = newToken();
    await mailbox.release(key, stranger, 0);
    expect([
      await mailbox.finish(key, stranger, true),
      await mailbox.attempt(key, stranger),
      await mailbox.renew(key, stranger),
      await mailbox.renew(key, token),
    ]).toEqual(['lost', 0, false, true]);
    expect(ids(await mailbox.drain(key, token))).toEqual(['one', 'two']);
  });

  it('M7: one that is not renewed ends, and its lines are claimed: those in flight first', async () => {
    const brief = await suite.brief(20);
    const { key, line } = newConversation();
    const { token } = await brief.offer(key, line('one'), newToken());
    await brief.drain(key, token);
    await brief.offer(key, line('two'), newToken());
    const { mailbox } = suite.opened;
    const mine = async () => (await brief.claimDue(0, ALL)).find(({ conversation }) => conversation === key);
    const claimed = await until(mine);
    expect(claimed?.token).not.toBe(token);
    // What was claimed by the one with the brief lease may have ended as well
    const drained = await until(async () => {
      const again = (await mine())?.token ?? claimed?.token ?? '';
      return ids(await brief.drain(key, again));
    });
    expect(drained).toEqual(['one', 'two']);
    expect(await mailbox.finish(key, token, true)).toBe('lost');
  });
};

export const claims = (suite: Suite): void => {
  it('M8: leave out who is led, and who is not due yet', async () => {
    const [led, young, old] = [scene(suite), scene(suite), scene(suite)];
    const { mailbox } = suite.opened;
    await led.lead('one');
    const waiting = async ({ lead, key }: typeof young) =>
      mailbox.release(key, await lead('one'), suite.clock.now().getTime());
    await waiting(old);
    suite.clock.advance(2_000);
    await waiting(young);
    const conversations = (await mailbox.claimDue(2_000, ALL)).map(({ conversation }) => conversation);
    expect(conversations).toContain(old.key);
    expect(conversations).not.toContain(young.key);
    expect(conversations).not.toContain(led.key);
    expect(await old.claimed()).toEqual([]);
  });

  it('M9: release keeps the lines and the number of tries, until the time it names', async () => {
    const { mailbox, key, say, lead, claimed } = scene(suite);
    const token = await lead('one');
    await mailbox.drain(key, token);
    expect([await mailbox.attempt(key, token), await mailbox.attempt(key, token)]).toEqual([1, 2]);
    await mailbox.release(key, token, suite.clock.now().getTime() + 4_000);
    expect([await mailbox.pending(key), await claimed()]).toEqual([true, []]);
    suite.clock.advance(4_000);
    const [next] = await claimed();
    expect(await mailbox.attempt(key, next?.token ?? '')).toBe(3);
    expect(ids(await mailbox.drain(key, next?.token ?? ''))).toEqual(['one']);
    await mailbox.finish(key, next?.token ?? '', true);
    const last = await say('two');
    await mailbox.drain(key, last.token);
    expect(await mailbox.attempt(key, last.token)).toBe(1);
  });
};

export const order = (suite: Suite): void => {
  it('take the longest waiting first, at most so many, also behind those that are led', async () => {
    const { mailbox } = suite.opened;
    await nobodyWaits(suite);
    const led = Array.from({ length: 600 }, () => scene(suite));
    await Promise.all(led.map(({ lead }) => lead('one')));
    suite.clock.advance(10);
    const behind: string[] = [];
    for (const each of Array.from({ length: 5 }, () => scene(suite))) {
      await mailbox.release(each.key, await each.lead('one'), suite.clock.now().getTime());
      behind.push(each.key);
      suite.clock.advance(1);
    }
    const claim = async (most: number) => (await mailbox.claimDue(0, most)).map(({ conversation }) => conversation);
    expect(await claim(2)).toEqual(behind.slice(0, 2));
    expect(await claim(100)).toEqual(behind.slice(2));
  });

  it('of a conversation are given once, however many ask', async () => {
    const { mailbox, key, lead, claimed } = scene(suite);
    await mailbox.release(key, await lead('one'), 0);
    const asked = await Promise.all(Array.from({ length: 10 }, () => claimed()));
    expect(asked.flat()).toHaveLength(1);
  });

  it('are told as backlog until somebody leads', async () => {
    const { mailbox, key, lead, claimed } = scene(suite);
    await nobodyWaits(suite);
    expect(await mailbox.backlog()).toEqual({ conversations: 0, oldestMs: 0 });
    await mailbox.release(key, await lead('one'), suite.clock.now().getTime());
    suite.clock.advance(30_000);
    expect(await mailbox.backlog()).toEqual({ conversations: 1, oldestMs: 30_000 });
    await claimed();
    expect(await mailbox.backlog()).toEqual({ conversations: 0, oldestMs: 0 });
  });
};
