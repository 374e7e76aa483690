import type { Sql } from '@platform/data';
import { LaneStore, type Places } from './lane.store';
import { leaseOf } from './outbox.fixture';

const store = new LaneStore({ holder: 'h', leaseSeconds: 30, breaker: { failures: 3, probeSeconds: 5 } });
/** Answers every statement with these rows. */
const answering = (rows: unknown[]) => {
  const asked: unknown[] = [];
  const prepared = (...statement: unknown[]) => (asked.push(statement), Promise.resolve(rows));
  return { asked, sql: { prepared, query: prepared } as unknown as Sql };
};
const heads = (...targets: string[]) => targets.map((target, n) => ({ id: String(n), lane: `lane ${n}`, target }));
const places = (free: number, flying: Record<string, number> = {}, share = 10): Places => ({
  free,
  share,
  flying: new Map(Object.entries(flying)),
});

describe('a claim answers whether there may be more lanes', () => {
  it.each<[string, boolean, string[], Places]>([
    ['nothing was found', false, [], places(4)],
    ['a target got its own place and all that it was dealt', true, ['a', 'a', 'a', 'a', 'a'], places(4)],
    ['a target got less', false, ['a', 'a', 'a', 'a'], places(4)],
    ['two targets shared, and one used its part up', true, ['a', 'a', 'a', 'b'], places(5)],
    ['two targets shared, and none used its part up', false, ['a', 'a', 'b'], places(5)],
    ['a target in flight used up what it was dealt', true, ['a', 'a'], places(2, { a: 1 })],
    ['a target in flight got less', false, ['a'], places(2, { a: 1 })],
    ['a target has its whole share', false, ['a', 'a', 'a'], places(2, {}, 3)],
    ['a target has its whole share with what flew before', false, ['a', 'a'], places(2, { a: 1 }, 3)],
  ])('%s: %s', async (_, more, targets, wanted) =>
    expect((await store.claim(answering(heads(...targets)).sql, wanted)).more).toBe(more),
  );

  it('a lane had nothing to send: true', async () => {
    const { sql } = answering([{ id: null, lane: 'a', target: 'a' }, ...heads('b')]);
    const { leases, more } = await store.claim(sql, places(8));
    expect([leases.map(({ row }) => row.target), more]).toEqual([['b'], true]);
  });
});

const postpone = {
  action: 'postpone',
  error: 'e',
  spend: true,
  delaySeconds: 1,
  holdSeconds: null,
  transport: false,
} as const;

it('each statement of the lanes is prepared under its own name', async () => {
  const { sql, asked } = answering([{ id: null, lane: 'a', target: 't', kept: true }]);
  const lease = leaseOf();
  const finish = { action: 'finish', state: 'done', note: null, alive: true } as const;
  await store.claim(sql, places(1));
  await store.finish(sql, lease, finish, false);
  await store.postpone(sql, lease, postpone);
  await store.renew(sql, lease);
  await store.park(sql, lease);
  expect((asked as string[][]).map(([name]) => name)).toEqual([
    'outbox_claim',
    'outbox_finish',
    'outbox_postpone',
    'outbox_renew',
    'outbox_park',
  ]);
});

it('a lane that another process holds raises LeaseLost', async () => {
  const { sql } = answering([]);
  const lost = 'the lease of the lane a has run out; its head is sent again by the new holder';
  await expect(store.renew(sql, leaseOf())).rejects.toThrow(lost);
  await expect(store.postpone(answering([{ kept: false }]).sql, leaseOf(), postpone)).rejects.toThrow(lost);
});
