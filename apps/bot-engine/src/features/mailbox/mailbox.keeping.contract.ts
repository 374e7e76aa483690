import { newConversation, newToken } from './mailbox.fixture';
import { ALL, ids, scene, type Suite } from './mailbox.scene.fixture';
import { DAY_MS } from './mailbox.scripts';

export const keeping = (suite: Suite): void => {
  it('M10: replies survive until they are read, and after', async () => {
    const { mailbox, key } = scene(suite);
    const [token, body] = [newToken(), { answer: ['Halo kak\ud800'], images: [], none: null }];
    expect(await mailbox.getReply(key, token)).toBeNull();
    await mailbox.putReply(key, token, body);
    const kept = { answer: ['Halo kak\ufffd'], images: [], none: null };
    expect([await mailbox.getReply(key, token), await mailbox.getReply(key, token)]).toEqual([kept, kept]);
    expect(await mailbox.getReply(key, newToken())).toBeNull();
  });
};

export const lasting = (suite: Suite): void => {
  it('M12: a new process on the same storage finds every line, in order, and knows the repeats', async () => {
    const { mailbox, key, say, lead, line } = scene(suite);
    const token = await lead('one');
    await say('two');
    await mailbox.drain(key, token);
    await mailbox.attempt(key, token);
    await say('three');
    const over = newConversation();
    const { token: spent } = await mailbox.offer(over.key, over.line('over'), newToken());
    await mailbox.drain(over.key, spent);
    await mailbox.finish(over.key, spent, true);
    await mailbox.release(key, token, 0);
    await suite.opened.stop();
    const next = await suite.storage.open({ clock: suite.clock });
    const [claimed] = (await next.mailbox.claimDue(0, ALL)).filter(({ conversation }) => conversation === key);
    expect(ids(await next.mailbox.drain(key, claimed?.token ?? ''))).toEqual(['one', 'two', 'three']);
    expect(await next.mailbox.attempt(key, claimed?.token ?? '')).toBe(2);
    expect(await next.mailbox.offer(key, line('one'), newToken())).toEqual({ kind: 'dup', was: 'leader', token });
    expect(await next.mailbox.offer(key, line('three'), newToken())).toEqual({ kind: 'dup', was: 'joined', token });
    expect(await next.mailbox.offer(over.key, over.line('over'), newToken())).toMatchObject({
      kind: 'dup',
      was: 'leader',
    });
    expect(await next.mailbox.pending(over.key)).toBe(false);
    await next.stop();
  });
};

export const leftOver = (suite: Suite): void => {
  it('keeps nothing of a conversation that is over but what repeats need, for a day', async () => {
    const { mailbox, key, say, lead } = scene(suite);
    const token = await lead('one');
    await say('two');
    await mailbox.drain(key, token);
    await mailbox.attempt(key, token);
    await mailbox.putReply(key, token, {});
    await mailbox.finish(key, token, true);
    const left = (await suite.storage.keys()).filter((each) => each.key.includes(key));
    const names = left.map((each) => each.key.slice(each.key.indexOf('}:') + 2));
    expect(names.sort()).toEqual([`res:${token}`, 'seen:one', 'seen:two', 't']);
    expect(left.filter(({ ttlMs }) => ttlMs <= 0 || ttlMs > DAY_MS)).toEqual([]);
  });
};
