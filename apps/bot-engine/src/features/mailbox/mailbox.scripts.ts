import type { CacheScript } from '@platform/data';
import { listOf, pushed, removed, scored, scoresOf, taken, unscored, upTo } from '../../script.store';

/** What repeats of a message, and the reply to it, are kept for. */
export const DAY_MS = 86_400_000;

/** KEYS: seen, mailbox, lease, arrival, due. ARGV: token, lease in ms, now, line, conversation. */
export const OFFER: CacheScript<['dup' | 'leader' | 'joined', string]> = {
  name: 'mailbox offer',
  lua: `local seen = redis.call('GET', KEYS[1])
    if seen then return {'dup', seen} end
    redis.call('RPUSH', KEYS[2], ARGV[4])
    redis.call('SET', KEYS[4], ARGV[3], 'EX', 86400)
    redis.call('ZADD', KEYS[5], ARGV[3], ARGV[5])
    if redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[2]) then
      redis.call('SET', KEYS[1], 'L:' .. ARGV[1], 'EX', 86400)
      return {'leader', ARGV[1]}
    end
    local holder = redis.call('GET', KEYS[3])
    redis.call('SET', KEYS[1], 'M:' .. holder, 'EX', 86400)
    return {'joined', holder}`,
  twin: (store, [seen = '', mailbox = '', lease = '', arrival = '', due = ''], args) => {
    const [token = '', leaseMs, now = '', line = '', conversation = ''] = args;
    const known = store.get<string>(seen);
    if (known !== undefined) return ['dup', known];
    pushed(store, mailbox, [line]);
    store.set(arrival, now, DAY_MS);
    scored(store, due, conversation, Number(now));
    const holder = store.get<string>(lease);
    if (holder === undefined) store.set(lease, token, Number(leaseMs));
    store.set(seen, holder === undefined ? `L:${token}` : `M:${holder}`, DAY_MS);
    return holder === undefined ? ['leader', token] : ['joined', holder];
  },
};

/** KEYS: seen, mailbox, in flight, lease, due. ARGV: token, line, conversation. Takes back an offer that could not be kept; 0: too late. */
export const WITHDRAW: CacheScript<number> = {
  name: 'mailbox withdraw',
  lua: `if redis.call('LREM', KEYS[2], 0, ARGV[2]) == 0 then return 0 end
    redis.call('DEL', KEYS[1])
    if redis.call('GET', KEYS[4]) == ARGV[1] then redis.call('DEL', KEYS[4]) end
    if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) == 0 then redis.call('ZREM', KEYS[5], ARGV[3]) end
    return 1`,
  twin: (
    store,
    [seen = '', mailbox = '', inFlight = '', lease = '', due = ''],
    [token, line = '', conversation = ''],
  ) => {
    if (removed(store, mailbox, line) === 0) return 0;
    store.delete(seen);
    if (store.get(lease) === token) store.delete(lease);
    if ([mailbox, inFlight, lease].every((key) => store.get(key) === undefined)) unscored(store, due, conversation);
    return 1;
  },
};

/** KEYS: mailbox, in flight, lease. ARGV: token. All lines in flight, or null. */
export const DRAIN: CacheScript<string[] | null> = {
  name: 'mailbox drain',
  lua: `if redis.call('GET', KEYS[3]) ~= ARGV[1] then return false end
    while redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT') do end
    return redis.call('LRANGE', KEYS[2], 0, -1)`,
  twin: (store, [mailbox = '', inFlight = '', lease = ''], [token]) => {
    if (store.get(lease) !== token) return null;
    pushed(store, inFlight, taken(store, mailbox));
    return [...listOf(store, inFlight)];
  },
};

/** KEYS: mailbox, in flight, lease, due, tries. ARGV: token, conversation, whether another round may follow. */
export const FINISH: CacheScript<'done' | 'again' | 'left' | 'lost'> = {
  name: 'mailbox finish',
  lua: `if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 'lost' end
    redis.call('DEL', KEYS[2], KEYS[5])
    local more = redis.call('EXISTS', KEYS[1]) == 1
    if more and ARGV[3] == '1' then return 'again' end
    redis.call('DEL', KEYS[3])
    if more then return 'left' end
    redis.call('ZREM', KEYS[4], ARGV[2])
    return 'done'`,
  twin: (store, [mailbox = '', inFlight = '', lease = '', due = '', tries = ''], [token, conversation = '', next]) => {
    if (store.get(lease) !== token) return 'lost';
    store.delete(inFlight);
    store.delete(tries);
    const more = listOf(store, mailbox).length > 0;
    if (more && next === '1') return 'again';
    store.delete(lease);
    if (more) return 'left';
    unscored(store, due, conversation);
    return 'done';
  },
};

/** KEYS: tries, lease. ARGV: token. */
export const ATTEMPT: CacheScript<number> = {
  name: 'mailbox attempt',
  lua: `if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
    local tries = redis.call('INCR', KEYS[1])
    redis.call('EXPIRE', KEYS[1], 86400)
    return tries`,
  twin: (store, [tries = '', lease = ''], [token]) => {
    if (store.get(lease) !== token) return 0;
    const count = Number(store.get(tries) ?? 0) + 1;
    store.set(tries, String(count), DAY_MS);
    return count;
  },
};

/** KEYS: lease. ARGV: token, ms. */
export const RENEW: CacheScript<number> = {
  name: 'mailbox renew',
  lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  twin: (store, [lease = ''], [token, leaseMs]) =>
    store.get(lease) === token ? Number(store.expire(lease, Number(leaseMs))) : 0,
};

/** KEYS: lease, due. ARGV: token, conversation, not before. */
export const RELEASE: CacheScript<number> = {
  name: 'mailbox release',
  lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
    return redis.call('DEL', KEYS[1])`,
  twin: (store, [lease = '', due = ''], [token, conversation = '', notBefore]) => {
    if (store.get(lease) !== token) return 0;
    scored(store, due, conversation, Number(notBefore));
    return Number(store.delete(lease));
  },
};

/** KEYS: due. ARGV: latest time, how many to pass over, how many. Conversations, each with its time, the longest waiting first. */
export const DUE_PAGE: CacheScript<string[]> = {
  name: 'mailbox due',
  lua: `return redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', ARGV[2], ARGV[3], 'WITHSCORES')`,
  twin: (store, [due = ''], [latest, from, count]) =>
    upTo(scoresOf(store, due), Number(latest))
      .slice(Number(from), Number(from) + Number(count))
      .flatMap(([conversation, at]) => [conversation, String(at)]),
};

/** KEYS: leases. 1 for each that is held. */
export const LED: CacheScript<number[]> = {
  name: 'mailbox led',
  lua: `local led = {}
    for at, lease in ipairs(KEYS) do led[at] = redis.call('EXISTS', lease) end
    return led`,
  twin: (store, leases) => leases.map((lease) => Number(store.get(lease) !== undefined)),
};

/** KEYS: mailbox, in flight, lease, due. ARGV: token, lease in ms, latest time, conversation. One without lines is due no more. */
export const CLAIM: CacheScript<number> = {
  name: 'mailbox claim',
  lua: `local since = redis.call('ZSCORE', KEYS[4], ARGV[4])
    if not since or tonumber(since) > tonumber(ARGV[3]) or redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
    if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 then
      redis.call('ZREM', KEYS[4], ARGV[4])
      return 0
    end
    redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[2])
    return 1`,
  twin: (store, [mailbox = '', inFlight = '', lease = '', due = ''], [token, leaseMs, latest, conversation = '']) => {
    const since = scoresOf(store, due).get(conversation);
    if (since === undefined || since > Number(latest) || store.get(lease) !== undefined) return 0;
    if ([mailbox, inFlight].every((key) => store.get(key) === undefined)) {
      unscored(store, due, conversation);
      return 0;
    }
    store.set(lease, token, Number(leaseMs));
    return 1;
  },
};

/** KEYS: lease, mailbox, in flight. */
export const PENDING: CacheScript<number> = {
  name: 'mailbox pending',
  lua: `return redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3])`,
  twin: (store, keys) => keys.filter((key) => store.get(key) !== undefined).length,
};
