import { newToken } from './mailbox.fixture';
import { ids, scene, type Suite } from './mailbox.scene.fixture';

export const offers = (suite: Suite): void => {
  it('M1: the first message of a conversation leads, the second joins it', async () => {
    const { say } = scene(suite);
    const token = newToken();
    expect(await say('one', token)).toEqual({ kind: 'leader', token });
    expect(await say('two')).toEqual({ kind: 'joined', token });
  });

  it('M2: a repeat is told the role and the lease of the first time, also after the turn', async () => {
    const { mailbox, key, say } = scene(suite);
    const token = await (await say('one')).token;
    await say('two');
    const repeated = async () => [await say('one'), await say('two')];
    const told = [
      { kind: 'dup', was: 'leader', token },
      { kind: 'dup', was: 'joined', token },
    ];
    expect(await repeated()).toEqual(told);
    await mailbox.drain(key, token);
    expect(await mailbox.finish(key, token, true)).toBe('done');
    expect(await repeated()).toEqual(told);
    expect(await mailbox.pending(key)).toBe(false);
  });
};

export const arrivals = (suite: Suite): void => {
  it('M11: the same id in two conversations is two messages', async () => {
    const [one, other] = [scene(suite), scene(suite)];
    expect([(await one.say('same')).kind, (await other.say('same')).kind]).toEqual(['leader', 'leader']);
  });

  it('of twenty at once has one leader, and each id once', async () => {
    const { mailbox, key, say } = scene(suite);
    const offered = await Promise.all(Array.from({ length: 20 }, (_, n) => say(`m${n % 10}`)));
    const kinds = offered.map(({ kind }) => kind);
    expect(['leader', 'joined', 'dup'].map((each) => kinds.filter((kind) => kind === each).length)).toEqual([1, 9, 10]);
    const [leader] = offered.filter(({ kind }) => kind === 'leader');
    expect(new Set(offered.map(({ token }) => token))).toEqual(new Set([leader?.token]));
    expect(ids(await mailbox.drain(key, leader?.token ?? ''))?.sort()).toEqual(
      Array.from({ length: 10 }, (_, n) => `m${n}`),
    );
  });

  it('tells when the last one came', async () => {
    const { mailbox, key, say } = scene(suite);
    expect(await mailbox.lastArrival(key)).toBe(0);
    await say('one');
    suite.clock.advance(700);
    await say('two');
    const arrived = suite.clock.now().getTime();
    suite.clock.advance(900);
    await say('two');
    expect(await mailbox.lastArrival(key)).toBe(arrived);
  });
};

export const lines = (suite: Suite): void => {
  it('M4: a drain gives all lines in flight in the order of arrival, until finish', async () => {
    const { mailbox, key, say, lead } = scene(suite);
    const token = await lead('one');
    await say('two');
    expect(ids(await mailbox.drain(key, token))).toEqual(['one', 'two']);
    await say('three');
    expect(ids(await mailbox.drain(key, token))).toEqual(['one', 'two', 'three']);
    expect(ids(await mailbox.drain(key, token))).toEqual(['one', 'two', 'three']);
    await say('four');
    expect(await mailbox.finish(key, token, true)).toBe('again');
    expect(ids(await mailbox.drain(key, token))).toEqual(['four']);
  });

  it('come back as they were offered: long, nested, empty, in any script', async () => {
    const { mailbox, key, line, lead } = scene(suite);
    const token = await lead('first');
    const message = { text: 'x'.repeat(65_536), more: [null, 1.5, '', 'ñ 🛒 \u2028', { deep: [true] }] };
    await mailbox.offer(key, line('second', message), newToken());
    expect((await mailbox.drain(key, token))?.[1]).toEqual(line('second', message));
  });

  it('lose U+0000 and halves of surrogate pairs, and nothing else', async () => {
    const { mailbox, key, line, lead } = scene(suite);
    const token = await lead('first');
    await mailbox.offer(key, line('i\0d\ud800', { 'na\0me': 'a\0b\udfff', pair: '\ud83d\uded2' }), newToken());
    expect((await mailbox.drain(key, token))?.[1]).toEqual(
      line('id\ufffd', { name: 'ab\ufffd', pair: '\ud83d\uded2' }),
    );
    expect((await mailbox.offer(key, line('i\0d\ud800'), newToken())).kind).toBe('dup');
    expect(await mailbox.finish(key, token, true)).toBe('done');
  });

  it('have ids of any length, which are told apart at their ends', async () => {
    const { mailbox, key, say, lead } = scene(suite);
    const long = 'i'.repeat(100_000);
    const token = await lead(`${long}1`);
    expect([(await say(`${long}2`)).kind, (await say(`${long}1`)).kind]).toEqual(['joined', 'dup']);
    expect(ids(await mailbox.drain(key, token))).toEqual([`${long}1`, `${long}2`]);
    expect(await mailbox.finish(key, token, true)).toBe('done');
  });
};
