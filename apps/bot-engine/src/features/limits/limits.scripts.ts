import type { CacheScript, ScriptStore } from '@platform/data';
import { scored, scoresOf, unscored, upTo } from '../../script.store';

/** Milliseconds until one of `most` within the window is old enough; 0: there is room. */
const ROOM = `local function room(key, now, window, most)
      local from = '(' .. (now - window)
      local count = redis.call('ZCOUNT', key, from, '+inf')
      if count < most then return 0 end
      local oldest = redis.call('ZRANGE', key, from, '+inf', 'BYSCORE', 'LIMIT', count - most, 1, 'WITHSCORES')
      return math.max(1, oldest[2] + window - now)
    end`;

const room = (store: ScriptStore, key: string, now: number, window: number, most: number): number => {
  const counted = [...scoresOf(store, key).values()].filter((at) => at > now - window).sort((a, b) => a - b);
  const oldest = counted[counted.length - most];
  return counted.length < most || oldest === undefined ? 0 : Math.max(1, oldest + window - now);
};

const forget = (store: ScriptStore, key: string, until: number): void => {
  for (const [member] of upTo(scoresOf(store, key), until)) unscored(store, key, member);
};

/** KEYS: turns, places. ARGV: now, window in ms, most turns, most places, ms after which a place may be free. */
export const CHECK: CacheScript<number> = {
  name: 'limits check',
  lua: `${ROOM}
    local wait = room(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
    if wait > 0 then return wait end
    if redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[1], '+inf') >= tonumber(ARGV[4]) then return tonumber(ARGV[5]) end
    return 0`,
  twin: (store, [turns = '', places = ''], args) => {
    const [now = 0, window = 0, mostTurns = 0, mostPlaces = 0, pause = 0] = args.map(Number);
    const wait = room(store, turns, now, window, mostTurns);
    if (wait > 0) return wait;
    return [...scoresOf(store, places).values()].filter((until) => until > now).length >= mostPlaces ? pause : 0;
  },
};

/** As CHECK, and where there is room, takes it. ARGV: those of CHECK, then how long a place is held, token. */
export const BEGIN: CacheScript<number> = {
  name: 'limits begin',
  lua: `${ROOM}
    local wait = room(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
    if wait > 0 then return wait end
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
    if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return tonumber(ARGV[5]) end
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
    redis.call('ZADD', KEYS[1], ARGV[1], ARGV[7])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    redis.call('ZADD', KEYS[2], ARGV[1] + ARGV[6], ARGV[7])
    redis.call('PEXPIRE', KEYS[2], ARGV[6])
    return 0`,
  twin: (store, [turns = '', places = ''], [...args]) => {
    const token = args.pop() ?? '';
    const [now = 0, window = 0, , , , held = 0] = args.map(Number);
    const wait = CHECK.twin(store, [turns, places], args);
    if (wait > 0) return wait;
    forget(store, places, now);
    forget(store, turns, now - window);
    scored(store, turns, token, now);
    store.expire(turns, window);
    scored(store, places, token, now + held);
    store.expire(places, held);
    return 0;
  },
};

/** KEYS: places. ARGV: until when, for how long, tokens. Those that have been given back stay so. */
export const HOLD: CacheScript<number> = {
  name: 'limits hold',
  lua: `for at = 3, #ARGV do redis.call('ZADD', KEYS[1], 'XX', ARGV[1], ARGV[at]) end
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  twin: (store, [places = ''], [until, held, ...tokens]) => {
    const known = scoresOf(store, places);
    for (const token of tokens) if (known.has(token)) scored(store, places, token, Number(until));
    return Number(store.expire(places, Number(held)));
  },
};

/** KEYS: places. ARGV: token. */
export const LEAVE: CacheScript<number> = {
  name: 'limits leave',
  lua: `return redis.call('ZREM', KEYS[1], ARGV[1])`,
  twin: (store, [places = ''], [token = '']) => {
    const held = scoresOf(store, places).has(token);
    unscored(store, places, token);
    return Number(held);
  },
};

/** KEYS: log. ARGV: now, window in ms, most, member. Counts a member once; ms until there is room, 0: counted. */
export const COUNT: CacheScript<number> = {
  name: 'limits count',
  lua: `${ROOM}
    if redis.call('ZSCORE', KEYS[1], ARGV[4]) then return 0 end
    local wait = room(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]))
    if wait > 0 then return wait end
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
    redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 0`,
  twin: (store, [log = ''], [nowText, windowText, most, member = '']) => {
    const [now, window] = [Number(nowText), Number(windowText)];
    if (scoresOf(store, log).has(member)) return 0;
    const wait = room(store, log, now, window, Number(most));
    if (wait > 0) return wait;
    forget(store, log, now - window);
    scored(store, log, member, now);
    store.expire(log, window);
    return 0;
  },
};
