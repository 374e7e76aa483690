import type { AuthEvent, AuthEventPage, Claims } from '@platform/contracts';
import { fixedClock, silentLogger, type Logger } from '@platform/runtime';
import {
  revocationList,
  type EventSubscription,
  type RevocationFeed,
  type RevocationListOptions,
} from './revocation-list';

const start = new Date('2026-11-20T07:00:00Z');
const seconds = start.getTime() / 1000;
const revoke = (sid_hash: string): AuthEvent => ({ type: 'revoke', sid_hash, exp: seconds + 3600 });
const member = (teams: string[], at = start.getTime()): AuthEvent => ({
  type: 'membership',
  store_id: 'S1',
  user_id: 'u1',
  role: 'agent',
  teams,
  at,
});
const claims = (iat: number): Claims =>
  ({ sub: 'u1', store_id: 'S1', role: 'supervisor', teams: ['1'], iat }) as unknown as Claims;

/** A feed that serves at most two events per page; the cursor is a position. */
const feedOf = (events: AuthEvent[]) => {
  const feed: RevocationFeed & { asked: (string | undefined)[]; down: boolean } = {
    asked: [],
    down: false,
    since: (cursor): Promise<AuthEventPage> => {
      feed.asked.push(cursor);
      if (feed.down) return Promise.reject(new Error('store-auth is away'));
      const items = events.slice(Number(cursor ?? 0), Number(cursor ?? 0) + 2);
      return Promise.resolve({ items, cursor: String(Number(cursor ?? 0) + items.length) });
    },
  };
  return feed;
};

const hearing = () => {
  const told: unknown[] = [];
  return { told, logger: { ...silentLogger, warn: (...said: unknown[]) => void told.push(said) } as Logger };
};

const running: { stop?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const list of running.splice(0)) await list.stop?.();
});
const open = async (events: AuthEvent[], more: Partial<RevocationListOptions> = {}) => {
  const feed = feedOf(events);
  const clock = fixedClock(start);
  const list = revocationList({ feed, logger: silentLogger, clock, ...more });
  const heard: AuthEvent[] = [];
  list.onChange((event) => heard.push(event));
  running.push(list);
  await list.start?.();
  return { feed, clock, list, heard };
};

describe('the revocation list', () => {
  it('what was revoked stays so after a clock that was hours ahead is set right', async () => {
    const { list, clock } = await open([revoke('h1'), member(['2'])]);
    clock.advance(3 * 3_600_000);
    await list.refresh();
    expect(list.isRevoked('h1')).toBe(false);
    clock.advance(-3 * 3_600_000);
    await list.refresh();
    expect([list.isRevoked('h1'), list.current(claims(seconds - 10)).teams]).toEqual([true, ['2']]);
  });

  it('the revocation list reads the whole feed at the start, page by page', async () => {
    const { list, feed } = await open([revoke('a'), revoke('b'), revoke('c')]);
    expect(['a', 'b', 'c', 'd'].map(list.isRevoked)).toEqual([true, true, true, false]);
    expect(feed.asked).toEqual([undefined, '2', '3']);
  });

  it('the revocation list asks for new events, and reports each change once', async () => {
    const events = [revoke('a')];
    const { list, heard } = await open(events);
    events.push(revoke('b'), revoke('b'));
    await list.refresh();
    await list.refresh();
    expect(heard).toEqual([revoke('a'), revoke('b')]);
  });

  it('a listener of the revocation list that has left hears of no change', async () => {
    const events: AuthEvent[] = [];
    const { list } = await open(events);
    const heard: AuthEvent[] = [];
    list.onChange((event) => heard.push(event))();
    events.push(revoke('a'));
    await list.refresh();
    expect(heard).toEqual([]);
  });

  it('the revocation list polls its feed by itself', async () => {
    const events: AuthEvent[] = [];
    const { list } = await open(events, { intervalSeconds: 0.005 });
    events.push(revoke('late'));
    await new Promise<void>((resolve) => list.onChange(() => resolve()));
    expect(list.isRevoked('late')).toBe(true);
  });

  it('the revocation list applies messages of its channel at once, skips unreadable ones, and unsubscribes at the end', async () => {
    let say: (message: string) => void = () => undefined;
    let left = false;
    const subscribe: EventSubscription = (handler) => {
      say = handler;
      return Promise.resolve(() => void (left = true));
    };
    const { logger, told } = hearing();
    const { list, heard } = await open([], { subscribe, logger });
    for (const message of [
      'not json',
      '{"type":"later"}',
      JSON.stringify({ type: 'revoke', jti: 'j', exp: seconds + 60 }),
    ])
      say(message);
    expect(list.isRevoked('j')).toBe(true);
    expect(heard).toHaveLength(1);
    expect(told).toEqual([['an auth event could not be read', { cause: expect.stringMatching(/^SyntaxError: /) }]]);
    await list.stop?.();
    expect(left).toBe(true);
  });

  it('the revocation list requests nothing more once it is stopped, whatever it hears or still waits for', async () => {
    const { subscribe, tell } = channel();
    const { list, feed } = await open([], { subscribe, intervalSeconds: 0.001 });
    let answer: (page: AuthEventPage) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      feed.since = () => new Promise((settle) => ((answer = settle), resolve()));
    });
    await asked;
    tell(member(['4']));
    await list.stop?.();
    const calls = jest.fn(feed.since);
    feed.since = calls;
    answer({ items: [], cursor: '0' });
    tell(member(['5']));
    await new Promise(setImmediate);
    expect(calls).not.toHaveBeenCalled();
  });

  it('the revocation list starts and keeps working while store-auth is down', async () => {
    const feed = feedOf([revoke('a')]);
    feed.down = true;
    const { logger, told } = hearing();
    const list = revocationList({ feed, logger, clock: fixedClock(start) });
    running.push(list);
    await list.start?.();
    expect(list.isRevoked('a')).toBe(false);
    expect(told).toEqual([
      ['the revocation feed could not be read', { cause: 'Error: store-auth is away', failures: 1 }],
    ]);
    feed.down = false;
    await list.refresh();
    feed.down = true;
    await expect(list.refresh()).rejects.toThrow('store-auth is away');
    expect(list.isRevoked('a')).toBe(true);
  });

  it('the revocation list keeps nothing of what concerns no token any more, however much the feed has of it', async () => {
    const past: AuthEvent[] = Array.from({ length: 50 }, (_, n) => ({
      type: 'revoke',
      sid_hash: `past ${n}`,
      exp: seconds - 61,
    }));
    const events = [...past, member(['old'], start.getTime() - 3_660_001), revoke('a')];
    const { list, heard } = await open(events);
    expect(heard).toEqual([revoke('a')]);
    expect(['past 0', 'past 49', 'a'].map(list.isRevoked)).toEqual([false, false, true]);
    expect(list.current(claims(seconds - 4_000)).teams).toEqual(['1']);
  });

  it('the revocation list forgets a login when all its tokens have expired', async () => {
    const { list, clock } = await open([revoke('a')]);
    clock.advance(3_600_000);
    await list.refresh();
    expect(list.isRevoked('a')).toBe(true);
    clock.advance(60_000);
    await list.refresh();
    expect(list.isRevoked('a')).toBe(true);
    clock.advance(1);
    await list.refresh();
    expect(list.isRevoked('a')).toBe(false);
  });
});

/** A channel to which anybody who shares the Redis may publish. */
const channel = () => {
  let say: (message: string) => void = () => undefined;
  const subscribe: EventSubscription = (handler) => {
    say = handler;
    return Promise.resolve(() => undefined);
  };
  return { subscribe, tell: (event: AuthEvent) => say(JSON.stringify(event)) };
};

describe('a newer membership', () => {
  it('a newer membership that the channel announces counts at once, as store-auth has it', async () => {
    const { subscribe, tell } = channel();
    const events: AuthEvent[] = [];
    const { list } = await open(events, { subscribe, intervalSeconds: 3_600 });
    events.push(member(['4']));
    const news = new Promise<AuthEvent>((resolve) => list.onChange(resolve));
    tell(member(['9']));
    expect([await news, list.current(claims(seconds - 1)).teams]).toEqual([member(['4']), ['4']]);
  });

  it('a newer membership of another installation on the same Redis changes nothing here', async () => {
    const { subscribe, tell } = channel();
    const { list, heard, feed } = await open([], { subscribe, intervalSeconds: 3_600 });
    tell(member(['9']));
    await list.refresh();
    expect([heard, list.current(claims(seconds - 1)).teams]).toEqual([[], ['1']]);
    expect(feed.asked).toEqual([undefined, '0', '0']);
  });

  it('the end of a key, whose name everybody knows, counts at once when store-auth has it, and not for what the channel says alone', async () => {
    let send = (_: string): void => undefined;
    const subscribe: EventSubscription = (handler) => ((send = handler), Promise.resolve(() => undefined));
    const events: AuthEvent[] = [];
    const { list, feed } = await open(events, { subscribe });
    const ended = (kid: string): AuthEvent => ({ type: 'revoke', kid, exp: 253_402_300_799 });
    events.push(ended('leaked'));
    const before = feed.asked.length;
    send(JSON.stringify(ended('another')));
    while (!list.isRevoked('leaked')) await new Promise(setImmediate);
    expect([list.isRevoked('another'), feed.asked.length > before]).toEqual([false, true]);
  });

  it('a newer membership that the channel announces while the feed is being read is not missed', async () => {
    const { subscribe, tell } = channel();
    const events: AuthEvent[] = [];
    const { list } = await open(events, { subscribe, intervalSeconds: 3_600 });
    const news = new Promise<AuthEvent>((resolve) => list.onChange(resolve));
    tell(member(['9'], 1)); // its reading of the feed has begun, and finds nothing
    tell(member(['4']));
    events.push(member(['4']));
    expect(await news).toEqual(member(['4']));
  });

  it('a newer membership overrides the claims of tokens issued before it, and only those', async () => {
    const { list } = await open([member(['4'])]);
    expect(list.current(claims(seconds - 1))).toMatchObject({ role: 'agent', teams: ['4'] });
    expect(list.current(claims(seconds))).toMatchObject({ role: 'supervisor', teams: ['1'] });
    expect(list.current({ ...claims(seconds - 1), store_id: 'S2' })).toMatchObject({ role: 'supervisor' });
  });

  it('a newer membership is not undone by an older event, and is forgotten with the tokens it concerns', async () => {
    const events = [member(['new']), member(['old'], start.getTime() - 1)];
    const { list, clock, heard } = await open(events);
    expect(list.current(claims(seconds - 1)).teams).toEqual(['new']);
    expect(heard).toHaveLength(1);
    events.push(member(['again']));
    await list.refresh();
    expect(heard).toHaveLength(1);
    clock.advance(3_660_000);
    await list.refresh();
    expect(list.current(claims(seconds - 1)).teams).toEqual(['new']);
    clock.advance(1);
    await list.refresh();
    expect(list.current(claims(seconds - 1)).teams).toEqual(['1']);
  });
});

it('the revocation list is current while its feed is read, and 15 s after that no more', async () => {
  const { list, feed } = await open([revoke('a')]);
  const clock = jest.spyOn(performance, 'now');
  const at = performance.now();
  const later = (seconds: number) => {
    clock.mockReturnValue(at + seconds * 1000);
    return list.isCurrent();
  };
  feed.down = true;
  await expect(list.refresh()).rejects.toThrow('away');
  expect([later(14), later(16)]).toEqual([true, false]);
  feed.down = false;
  await list.refresh();
  expect(list.isCurrent()).toBe(true);
  clock.mockRestore();
});
